//! A random game, as a referee sees it: JSON in, JSON out.
//!
//! `cargo run -p botyard-engine --example random_game -- dice-wars 7`

use botyard_engine::random::choose;
use botyard_engine::{GameEvent, Stream, Turn, registry};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let game = arguments.next().unwrap_or_else(|| "scotland-yard".into());
    let seed = arguments.next().map_or(Ok(1), |text| text.parse())?;
    let mut table = registry::tables(&game, None, &[])?();
    // Chance and choices have streams of their own: other choices leave the dice as they are.
    let (mut chance, mut choices) = (Stream::new(seed, "chance"), Stream::new(seed, "choices"));
    let opening = table.open(&mut chance);
    println!("{}", opening.full);
    let mut game_event = GameEvent::default();
    loop {
        match table.turn() {
            Turn::Chance => table.draw(&mut chance, &mut game_event),
            Turn::Seat(seat) => {
                let legal = table.legal();
                let action = choose(choices.rng(), &legal).ok_or("no legal action")?;
                table.play(&action.to_string(), &mut game_event)?;
                print!("{}: ", table.seats()[seat.index()]);
            }
            Turn::Over => break,
        }
        println!("{}", game_event.full);
    }
    println!("{:?}", table.outcome());
    Ok(())
}
