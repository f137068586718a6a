//! The bot `dw-stei-adt` as a program.

fn main() -> std::process::ExitCode {
    botyard_bots::program::main(&botyard_bots::dice_wars::bots::stei_adt())
}
