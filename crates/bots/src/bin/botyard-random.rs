//! The bot `random` as a program.

fn main() -> std::process::ExitCode {
    botyard_agent::program::main(&botyard_bots::random::bot())
}
