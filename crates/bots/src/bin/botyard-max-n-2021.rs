//! The bot `max-n-2021` as a program.

fn main() -> std::process::ExitCode {
    botyard_agent::program::main(&botyard_bots::dice_wars::bots::max_n_2021())
}
