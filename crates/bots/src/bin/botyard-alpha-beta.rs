//! The bot `alpha-beta` as a program.

fn main() -> std::process::ExitCode {
    botyard_bots::program::main(&botyard_bots::alpha_beta::bot())
}
