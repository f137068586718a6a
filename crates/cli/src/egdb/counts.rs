//! How many positions of each class are won, lost and drawn: as a table and as JSON.

use botyard_engine::draughts::endgame::{Endgames, Material, Tally};
use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Value, json};

/// The table, with a total for each number of pieces.
pub fn table(endgames: &Endgames) -> String {
    let mut table = Table::new();
    let header = ["side to move v other", "positions", "won", "lost", "drawn", "longest, plies"];
    table.load_style(presets::NOTHING).set_header(header);
    for (pieces, classes) in by_pieces(endgames) {
        let mut total = Tally::default();
        for (material, tally) in classes {
            table.add_row(row(material.to_string(), &tally));
            total += tally;
        }
        table.add_row(row(format!("all with {pieces} pieces"), &total));
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((if index == 0 { 0 } else { 2 }, 0));
        if index > 0 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_string()).collect();
    format!(
        "{}\n\nK king, M man. Each position counts once, whichever colour is to move.\n",
        lines.join("\n")
    )
}

/// The same for a program: an array of classes and one of totals.
pub fn json(endgames: &Endgames) -> Value {
    let (mut classes, mut totals) = (Vec::new(), Vec::new());
    for (pieces, tallies) in by_pieces(endgames) {
        let mut total = Tally::default();
        for (material, tally) in tallies {
            let mut class = counts(&tally);
            class["men"] = material.men().into();
            class["kings"] = material.kings().into();
            classes.push(class);
            total += tally;
        }
        let mut total = counts(&total);
        total["pieces"] = pieces.into();
        totals.push(total);
    }
    json!({ "classes": classes, "totals": totals })
}

fn by_pieces(endgames: &Endgames) -> Vec<(u8, Vec<(Material, Tally)>)> {
    let classes = endgames.classes();
    let of = |pieces| {
        let classes = classes.iter().filter(|class| class.pieces() == pieces);
        classes.filter_map(|&class| Some((class, endgames.tally(class)?))).collect()
    };
    let counts = (2..=Material::MOST_PIECES).map(|pieces| (pieces, of(pieces)));
    counts.filter(|(_, classes): &(u8, Vec<_>)| !classes.is_empty()).collect()
}

fn row(name: String, tally: &Tally) -> [String; 6] {
    let Tally { wins, losses, draws, longest } = *tally;
    let counts = [tally.positions(), wins, losses, draws, longest.into()].map(|n| n.to_string());
    let [positions, wins, losses, draws, longest] = counts;
    [name, positions, wins, losses, draws, longest]
}

fn counts(tally: &Tally) -> Value {
    json!({
        "positions": tally.positions(),
        "wins": tally.wins,
        "losses": tally.losses,
        "draws": tally.draws,
        "longest": tally.longest,
    })
}
