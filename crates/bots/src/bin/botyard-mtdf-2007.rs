//! The bot `mtdf-2007` as a program.

fn main() -> std::process::ExitCode {
    botyard_agent::program::main(&botyard_bots::mtdf_2007::bot())
}
