//! One refereed game between two programs, which are not contained. Prints the result to standard error and
//! the replay to standard output.
//!
//! `cargo run -p botyard-referee --example one_game -- connect-four ./first ./second > game.ndjson`

use botyard_engine::registry;
use botyard_protocol::{ClockKind, Limits, OnFault, TimeControl};
use botyard_referee::{Bot, BotCommand, GameSpec, Interrupt, ThisHost, play, start_all};
use botyard_replay::ReplayWriter;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, programs @ ..] = &arguments[..] else {
        return Err("expected GAME PROGRAM PROGRAM".into());
    };
    let mut table = registry::tables(game, None, &[])?();
    if programs.len() != table.seats().len() {
        return Err(format!("expected a program for each of {:?}", table.seats()).into());
    }
    let bot = |(index, program): (usize, &String)| {
        let name = format!("bot-{}", index + 1);
        Bot::new(BotCommand { name, program: program.into(), ..BotCommand::default() })
    };
    let mut bots: Vec<Bot> = programs.iter().enumerate().map(bot).collect();
    let seats: Vec<usize> = (0..bots.len()).collect();
    let spec = GameSpec {
        game_id: "one-game",
        seed: 7.into(),
        time: TimeControl {
            kind: ClockKind::Wall,
            move_ms: Some(1000),
            bank_ms: None,
            increment_ms: 0,
            grace_ms: 0,
            on_fault: OnFault::Forfeit,
        },
        limits: Limits::default(),
        send_legal: true,
        opening: None,
        seats: &seats,
        gauge: &ThisHost,
        void_at: None,
        adjudicator: None,
    };
    // Ctrl-C ends the game, and with it its bots.
    let interrupt = Interrupt::on_signals()?;
    start_all(&mut bots, &spec.limits, &interrupt)?;
    let header = spec.header(&*table, &bots);
    let mut replay = ReplayWriter::new(std::io::stdout().lock(), &header)?;
    let report = play(&mut *table, &mut bots, &spec, &interrupt, Some(&mut replay), &mut |_| {})?;
    Bot::quit_all(&mut bots, &spec.limits)?;
    for fault in &report.faults {
        eprintln!("{:?}: {}", fault.kind, fault.message);
    }
    eprintln!("{}: {:?}", report.outcome.reason, report.outcome.scores);
    Ok(())
}
