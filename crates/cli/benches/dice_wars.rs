//! Benchmark of refereed Dice Wars games per minute: `botyard match` with four bots, each its own
//! program, on one core. The time is that of the whole match, from the first game's start to the
//! last one's verdict. The output compares it with the 2021 framework and its bots, 16.9 games per
//! minute, and with the goal of 5,000.
//!
//! `random` plays the longest games, because it attacks without hope and passes dice around. Other
//! bots can be given.
//!
//! `cargo bench -p botyard-cli --bench dice_wars [BOT BOT...]`

use serde_json::Value;
use std::process::Command;

/// Games per minute of the framework, with a process for each bot.
const FRAMEWORK: f64 = 16.9;
/// The goal, in games per minute.
const GOAL: f64 = 5000.0;
/// The number of games in a match.
const GAMES: &str = "400";
/// The number of matches, of which the fastest counts.
const ROUNDS: usize = 3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // cargo passes `--bench`; all other arguments name bots.
    let mut bots: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    if bots.is_empty() {
        bots = vec!["random".to_string(); 4];
    }
    pin_to_one_core();
    println!("{}; {GAMES} games on one core, best of {ROUNDS}", bots.join(", "));
    println!(
        "{:<24}{:>14}{:>12}{:>12}{:>16}{:>14}{:>14}",
        "",
        "games/minute",
        "x 16.9/min",
        "of 5,000",
        "decisions/game",
        "us/decision",
        "games ended by"
    );
    for (what, more) in [("legal actions listed", &[][..]), ("no lists", &["--no-legal"])] {
        let mut best = Match::default();
        for _ in 0..ROUNDS {
            let played = play(&bots, more)?;
            if played.games_a_minute > best.games_a_minute {
                best = played;
            }
        }
        println!(
            "{what:<24}{:>14.0}{:>12.1}{:>12.2}{:>16.1}{:>14.2}  {}",
            best.games_a_minute,
            best.games_a_minute / FRAMEWORK,
            best.games_a_minute / GOAL,
            best.decisions_a_game,
            60e6 / best.games_a_minute / best.decisions_a_game,
            best.reasons,
        );
    }
    Ok(())
}

/// The summary of a match.
#[derive(Default)]
struct Match {
    games_a_minute: f64,
    decisions_a_game: f64,
    reasons: String,
}

fn play(bots: &[String], more: &[&str]) -> Result<Match, Box<dyn std::error::Error>> {
    let run = Command::new(env!("CARGO_BIN_EXE_botyard"))
        .args(["match", "dice-wars", "--games", GAMES, "--seed", "1", "--concurrency", "1"])
        .args(["--move-time", "60000", "--json"])
        .args(bots)
        .args(more)
        .output()?;
    if !run.status.success() {
        return Err(String::from_utf8_lossy(&run.stderr).into_owned().into());
    }
    let last = String::from_utf8(run.stdout)?;
    let ended: Value = serde_json::from_str(last.lines().last().unwrap_or_default())?;
    let number = |name: &str| ended[name].as_f64().unwrap_or(f64::NAN);
    Ok(Match {
        games_a_minute: number("games") * 60e6 / number("elapsed_us"),
        decisions_a_game: number("plies") / number("games"),
        reasons: ended["reasons"].to_string(),
    })
}

/// Pins this program and all its child processes.
fn pin_to_one_core() {
    let mut cores = rustix::thread::CpuSet::new();
    cores.set(rustix::thread::sched_getcpu());
    if let Err(error) = rustix::thread::sched_setaffinity(None, &cores) {
        println!("not pinned to one core: {error}");
    }
}
