//! The bot `max-n` as a program.

fn main() -> std::process::ExitCode {
    botyard_bots::program::main(&botyard_bots::max_n::bot())
}
