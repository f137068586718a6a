//! Every bot of the catalogue in one program: `botyard-baselines greedy`, or by the name under
//! which it is started, such as a link `botyard-greedy`.

fn main() -> std::process::ExitCode {
    botyard_bots::baselines::main()
}
