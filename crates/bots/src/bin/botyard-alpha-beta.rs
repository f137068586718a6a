//! The bot `alpha-beta` as a program.

fn main() -> std::process::ExitCode {
    botyard_agent::program::main(&botyard_bots::alpha_beta::bot())
}
