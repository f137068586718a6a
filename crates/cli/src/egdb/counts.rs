//! The numbers of won, lost and drawn positions of each class, as a table.

use botyard_bots::draughts::endgames::Counts;
use botyard_engine::draughts::endgame::{Endgames, Tally};
use botyard_league::plain_table::{table_of_numbers, trimmed};

/// Returns the table, with a total for each number of pieces.
pub fn table(endgames: &Endgames) -> String {
    let counts = Counts::of(endgames);
    let mut table = table_of_numbers(&[
        "side to move v other",
        "positions",
        "won",
        "lost",
        "drawn",
        "longest, plies",
    ]);
    for total in &counts.totals {
        let pieces = total.pieces;
        for class in counts.classes.iter().filter(|class| class.material.pieces() == pieces) {
            table.add_row(row(class.material.to_string(), &class.tally));
        }
        table.add_row(row(format!("all with {pieces} pieces"), &total.tally));
    }
    format!(
        "{}\n\nK king, M man. Each position counts once, whichever colour is to move.\n",
        trimmed(&table)
    )
}

fn row(name: String, tally: &Tally) -> [String; 6] {
    let Tally { wins, losses, draws, longest } = *tally;
    let counts = [tally.positions(), wins, losses, draws, longest.into()].map(|n| n.to_string());
    let [positions, wins, losses, draws, longest] = counts;
    [name, positions, wins, losses, draws, longest]
}
