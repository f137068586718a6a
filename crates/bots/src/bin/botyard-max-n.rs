//! The bot `max-n` as a program.

fn main() -> std::process::ExitCode {
    botyard_agent::program::main(&botyard_bots::max_n::bot())
}
