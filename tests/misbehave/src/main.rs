//! A bot that plays by the protocol until it misbehaves in one way, for tests of the sandbox and
//! the referee. A good answer is `legal[turn % legal.len()]`.
//!
//!     misbehave MODE AT TOKEN PLACE REFEREE   misbehave at question AT (0: before the first)
//!     misbehave launch                        be the launcher of such a bot
//!     misbehave survey TOKEN                  print the objects that bots with this token left
//!     misbehave referee TIER TOKEN MODE       start a bot, report it, wait to be killed
//!     misbehave host                          detect the host's tiers as a referee does, and exit
//!     misbehave child SECONDS TOKEN           sleep
//!     misbehave fill MIB TOKEN                fill memory and sleep
//!     misbehave spin SECONDS TOKEN            use CPU time
//!
//! TOKEN is in the command line of every process and in the name of everything that a mode creates,
//! so that leftovers can be found. PLACE is `@` and a directory with files of several owners.
//! REFEREE is the PID of the referee.
//!
//! Every loop ends and every amount is bounded, so that no mode harms a machine for long. Without a
//! sandbox, the tests do not run the modes that could harm the machine (`-` in
//! `tests/data/fixtures.tsv`). If a contained bot succeeds in a forbidden operation, it sends a
//! `log` message that begins with `escaped:`.

#[cfg(target_os = "linux")]
mod bot;
#[cfg(target_os = "linux")]
mod killed_referee;
#[cfg(target_os = "linux")]
mod leftovers;
#[cfg(target_os = "linux")]
mod modes;
#[cfg(target_os = "linux")]
mod raw;
/// The operations of the sandbox's checker, which a bot tries in the middle of a game.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
#[path = "../../../crates/sandbox/checker/trial/mod.rs"]
mod trial;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    use std::process::ExitCode;
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["launch"] => return botyard_sandbox::serve_launcher(),
        ["host"] => {
            let launcher = botyard_sandbox::Launcher::this_program(&["launch"]);
            botyard_sandbox::Host::detect(&launcher).expect("room for a few programs");
        }
        ["survey", token] => leftovers::survey(token).iter().for_each(|left| println!("{left}")),
        ["referee", tier, token, mode] => return killed_referee::run(tier, token, mode),
        ["spin", seconds, _] => {
            raw::use_cpu_time(std::time::Duration::from_secs(seconds.parse().unwrap_or(1)));
        }
        ["fill", mebibytes, _] => raw::fill_and_keep(mebibytes.parse().unwrap_or(1) << 20, 10),
        ["child", seconds, _] => bot::sleep(seconds.parse().unwrap_or(1)),
        [mode, at, token, place, referee] => {
            let (at, referee) = (at.parse().unwrap_or(1), referee.parse().unwrap_or(0));
            let place = place.trim_start_matches('@').as_ref();
            return bot::play(mode, at, bot::World { token, place, referee });
        }
        _ => {
            eprintln!("see the comment at the top of this program's main.rs");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("only Linux can contain programs, so there is nothing to misbehave against here");
}
