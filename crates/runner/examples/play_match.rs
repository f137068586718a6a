//! A match as a library plays it: ten games with rotating seats, in the strongest sandbox of the host.
//!
//! `cargo run -p botyard-runner --example play_match -- connect-four ./first "python3 second.py"`

use botyard_referee::Interrupt;
use botyard_runner::{
    Config, Error, Games, MatchGames, MatchRecord, Observer, Plan, Programs, run,
};
use botyard_sandbox::Launcher;
use std::process::ExitCode;

/// This program starts itself under this argument to contain a bot.
const LAUNCHER: &str = "launcher";

/// Prints each game when it has ended.
struct Lines;

impl<'a> Observer<MatchGames<'a>> for Lines {
    fn ended(&mut self, _: &MatchGames<'a>, record: MatchRecord) -> Result<(), Error> {
        if let MatchRecord::Next(games) = record {
            for game in &games {
                let outcome = &game.report.outcome;
                println!("{}: {}, {:?}", game.game.id, outcome.reason, outcome.scores);
            }
        }
        Ok(())
    }
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).peekable();
    #[cfg(target_os = "linux")]
    if arguments.peek().is_some_and(|argument| argument == LAUNCHER) {
        return botyard_sandbox::serve_launcher();
    }
    let game = arguments.next().unwrap_or_default();
    match play(&game, arguments.collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn play(game: &str, bots: Vec<String>) -> Result<(), Error> {
    let this = std::env::current_exe().map_err(Error::host)?;
    let programs = Programs::new(Launcher { program: this, args: vec![LAUNCHER.into()] });
    let config = Config { games: Games::Number(10), ..Config::new(game, bots) };
    let plan = Plan::new(&config, &programs)?;
    plan.warnings.iter().for_each(|warning| eprintln!("warning: {}", warning.plain()));
    let interrupt = Interrupt::on_signals().map_err(Error::host)?;
    let mut games = MatchGames::new(&plan, false, &interrupt);
    run(&plan, &mut games, &mut Lines, None, &interrupt)?;
    for bot in &games.tally.bots {
        let share = bot.score.share().unwrap_or_default();
        println!("{}: {:.0}% of {} games", bot.name, 100.0 * share, bot.score.games());
    }
    Ok(())
}
