//! The bot `dw-sdc-at` as a program.

fn main() -> std::process::ExitCode {
    botyard_agent::program::main(&botyard_bots::dice_wars::bots::sdc_at())
}
