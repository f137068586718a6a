//! The bot `mcts` as a program.

fn main() -> std::process::ExitCode {
    botyard_bots::program::main(&botyard_bots::mcts::bot())
}
