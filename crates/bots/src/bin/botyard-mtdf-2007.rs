//! The bot `mtdf-2007` as a program.

fn main() -> std::process::ExitCode {
    botyard_bots::program::main(&botyard_bots::mtdf_2007::bot())
}
