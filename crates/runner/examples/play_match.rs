//! A front end: ten games between built-in bots with rotating seats, in the strongest sandbox of the host.
//!
//! `cargo run -p botyard-runner --example play_match -- target/release/botyard draughts alpha-beta greedy`

use botyard_runner::{
    Config, Error, Games, Interrupt, MatchGames, MatchRecord, Observer, Plan, Programs, run,
};

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

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let botyard = arguments.next().unwrap_or("botyard".into());
    let game = arguments.next().unwrap_or("draughts".into());
    let config = Config { games: Games::Number(10), ..Config::new(game, arguments.collect()) };
    let plan = Plan::new(&config, &Programs::of_botyard(botyard)?)?;
    plan.warnings.iter().for_each(|warning| eprintln!("warning: {}", warning.plain()));
    let interrupt = Interrupt::on_signals().map_err(Error::host)?;
    let mut games = MatchGames::new(&plan, false, &interrupt);
    let stopped = run(&plan, &mut games, &mut Lines, None, &interrupt)?;
    print!("{}", games.to_text(stopped.as_ref()).plain());
    Ok(())
}
