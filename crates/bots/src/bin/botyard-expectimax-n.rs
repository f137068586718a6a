//! The bot `expectimax-n` as a program.

fn main() -> std::process::ExitCode {
    botyard_agent::program::main(&botyard_bots::expectimax_n::bot())
}
