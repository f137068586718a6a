//! The bot `dice` as a program.

fn main() -> std::process::ExitCode {
    botyard_bots::program::main(&botyard_bots::dice::bot())
}
