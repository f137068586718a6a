//! The bot `dw-stei-dt` as a program.

fn main() -> std::process::ExitCode {
    botyard_agent::program::main(&botyard_bots::dice_wars::bots::stei_dt())
}
