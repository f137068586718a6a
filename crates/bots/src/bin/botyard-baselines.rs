//! Every bot of the catalogue in one program: `botyard-baselines greedy`, or by the name under which it
//! is called, as a link `botyard-greedy` to it.

fn main() -> std::process::ExitCode {
    botyard_bots::baselines::main()
}
