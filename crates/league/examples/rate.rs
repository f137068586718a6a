//! Standings from a file of results: each line has the names of two bots and the points of the first
//! (1, 0.5 or 0), separated by spaces.
//!
//! `printf 'anna ben 1\nben anna 0.5\n' | cargo run -p botyard-league --example rate`

use botyard_league::{Entrant, PlayedGame, SeatKind, Standings, Verdict};
use std::io::{self, BufRead};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut names: Vec<String> = Vec::new();
    let mut games = Vec::new();
    for (index, line) in io::stdin().lock().lines().enumerate() {
        let line = line?;
        let [one, other, points] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            return Err(
                format!("line {}: expected NAME NAME POINTS, got {line:?}", index + 1).into()
            );
        };
        let points: f64 = points.parse()?;
        let seats = [one, other].map(|name| {
            names.iter().position(|known| known == name).unwrap_or_else(|| {
                names.push(name.to_string());
                names.len() - 1
            })
        });
        let places = [points, 1.0 - points].map(|points| if points < 0.5 { 2 } else { 1 });
        games.push(PlayedGame {
            // Games that share a start would share a block.
            block: index as u32 + 1,
            seats: seats.to_vec(),
            verdict: Verdict::Scored {
                points: vec![points, 1.0 - points],
                places: places.to_vec(),
            },
            turns: 0,
            uses: Vec::new(),
            void_at: None,
            faults: Vec::new(),
            replay: None,
        });
    }
    let bots: Vec<Entrant> =
        names.into_iter().map(|name| Entrant { name, ..Entrant::default() }).collect();
    let seats = ["first", "second"].map(String::from);
    let standings = Standings::new("a file", &seats, SeatKind::Symmetric, &bots, &games, 1);
    println!("{}", standings.to_table());
    Ok(())
}
