//! Makes the page of a replay, which shows the game in a browser without loading anything.
//!
//! `cargo run -p botyard-viewer --example page -- replays/GAME.ndjson > game.html`

use botyard_replay::{ReplayReader, registered_table};
use botyard_viewer::{PageOptions, page};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = std::env::args().nth(1).ok_or("expected a replay")?;
    let reader = ReplayReader::open(Path::new(&name))?;
    let page = page(reader, &registered_table, &PageOptions::default())?;
    println!("{}", page.html);
    Ok(())
}
