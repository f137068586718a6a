//! The bot `mcts-belej` as a program.

fn main() -> std::process::ExitCode {
    botyard_bots::program::main(&botyard_bots::mcts_belej::bot())
}
