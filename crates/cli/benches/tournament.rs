//! Benchmark of the overhead of a tournament, as ratios:
//!
//! * games per second of `botyard tournament` over those of `botyard match` between the same
//!   instant bots, without replays (goal: 0.90 or more), the growth of the store per game (goal:
//!   less than 100 bytes), and the time of `botyard tournament standings` over all games (goal:
//!   less than 2 s);
//! * games per second with two games at once over one at a time, with bots that think for a fixed
//!   number of playouts (goal: nearly 2 on two cores), and how many games are lost on time (goal:
//!   none).
//!
//! The time is that of the whole command, including its start.
//!
//! `cargo build --profile bench --workspace` for the companion that plays tournaments, then
//! `cargo bench -p botyard-cli --bench tournament [GAMES]`, where GAMES is the number of games of
//! the instant bots (default 100,000).

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The default number of games of the instant bots.
const GAMES: u32 = 100_000;
/// The number of games of the thinking bots.
const THINKING_GAMES: u32 = 40;

fn main() -> Result<(), Box<dyn Error>> {
    let asked = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let games: u32 = asked.unwrap_or(GAMES) / 2 * 2;
    let place = tempfile::tempdir()?;
    let instant = ["random:seed=1", "random:seed=2"];
    let file = tournament("instant", instant, games, 1);
    fs::write(place.path().join("instant.toml"), file)?;
    let games_text = games.to_string();
    let [a, b] = instant.map(|bot| format!("{}={bot}", &bot[bot.len() - 1..]));
    let of_match = timed(
        place.path(),
        &[
            "match",
            "scotland-yard",
            &a,
            &b,
            "--rules",
            "grid-5x5-2",
            "--seed",
            "7",
            "--games",
            &games_text,
            "--move-time",
            "30000",
            "-j",
            "1",
            "--sandbox",
            "none",
            "--json",
        ],
    )?;
    let of_tournament = timed(place.path(), &["tournament", "run", "instant.toml", "--json"])?;
    let standings = timed(place.path(), &["tournament", "standings", "instant.tournament"])?;
    let store = fs::metadata(place.path().join("instant.tournament/tournament.db"))?.len();
    let rate = |games: u32, time: Duration| f64::from(games) / time.as_secs_f64();
    println!("{games} games of instant bots, one at a time");
    println!("  match       {:>10.1} games/s", rate(games, of_match));
    println!(
        "  tournament  {:>10.1} games/s   ratio {:.2}",
        rate(games, of_tournament),
        of_match.as_secs_f64() / of_tournament.as_secs_f64()
    );
    println!("  store       {:>10.1} bytes a game", store as f64 / f64::from(games));
    println!("  standings   {:>10.2} s", standings.as_secs_f64());

    let thinking = ["mcts:iterations=3000,seed=1", "mcts:iterations=3000,seed=2"];
    let mut rates = Vec::new();
    println!("{THINKING_GAMES} games of bots that think");
    for at_once in [1, 2] {
        let name = format!("thinking-{at_once}");
        let file = tournament(&name, thinking, THINKING_GAMES, at_once);
        fs::write(place.path().join(format!("{name}.toml")), file)?;
        let time = timed(place.path(), &["tournament", "run", &format!("{name}.toml"), "--json"])?;
        rates.push(rate(THINKING_GAMES, time));
        let csv = place.path().join(format!("{name}.tournament/standings.csv"));
        println!(
            "  {at_once} at once   {:>10.2} games/s   {} faults",
            rate(THINKING_GAMES, time),
            faults(&csv)?
        );
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!("  ratio {:.2} on {cores} cores", rates[1] / rates[0]);
    Ok(())
}

fn tournament(name: &str, bots: [&str; 2], games: u32, at_once: u32) -> String {
    let mut file = format!(
        "name = \"{name}\"\ngame = \"scotland-yard\"\nrules = \"grid-5x5-2\"\nseed = 7\nblocks = {}\n\
         [time]\nmove_ms = 30000\n[run]\nreplays = false\nconcurrency = {at_once}\n\
         [sandbox]\nmode = \"none\"\n",
        games / 2
    );
    for bot in bots {
        let name = &bot[bot.len() - 1..];
        file.push_str(&format!("[[bot]]\nname = \"{name}\"\ncommand = \"{bot}\"\n"));
    }
    file
}

/// Returns the time of a command, which must succeed.
fn timed(place: &Path, args: &[&str]) -> Result<Duration, Box<dyn Error>> {
    let begun = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_botyard"));
    let status = command.args(args).current_dir(place).stdout(Stdio::null()).status()?;
    let time = begun.elapsed();
    if !status.success() {
        return Err(format!("botyard {} failed: {status}", args.join(" ")).into());
    }
    Ok(time)
}

/// Returns the faults of all bots, from the standings as CSV.
fn faults(csv: &Path) -> Result<u64, Box<dyn Error>> {
    let text = fs::read_to_string(csv)?;
    let mut lines = text.lines();
    let column =
        lines.next().and_then(|header| header.split(',').position(|name| name == "faults"));
    let column = column.ok_or("the standings have no column for faults")?;
    let cells = lines.filter_map(|line| line.split(',').nth(column)?.parse::<u64>().ok());
    Ok(cells.sum())
}
