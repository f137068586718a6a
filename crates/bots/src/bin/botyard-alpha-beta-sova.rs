//! The bot `alpha-beta-sova` as a program.

fn main() -> std::process::ExitCode {
    botyard_agent::program::main(&botyard_bots::alpha_beta_sova::bot())
}
