//! An analysis as text: a table of the decisions, and what each seat lost.

use botyard_league::plain_table::{plain_table, trimmed};
use botyard_protocol::printable;
use botyard_replay::{Analysis, Mistake, line_in_words};
use botyard_runner::words::counted;

/// How much of an action or a name is shown, in characters.
const CHARACTERS: usize = 40;

/// Returns an analysis as text.
pub fn to_text(analysis: &Analysis) -> String {
    let shown = |text: &str| printable(text, CHARACTERS);
    let percent = |share: f64| format!("{:.0}%", share * 100.0);
    let header = ["turn", "seat", "played", "", "better", "chance", "lost", "depth", "line"];
    let mut table = plain_table(&header, |column| (1..5).contains(&column) || column == 8);
    for (decision, judged) in analysis.decisions.iter().zip(analysis.judged()) {
        let is_same = decision.best == decision.played;
        table.add_row([
            decision.turn.to_string(),
            seat_name(analysis, decision.seat),
            shown(&decision.played_text),
            judged.mistake().map_or("", Mistake::mark).to_string(),
            if is_same { String::new() } else { shown(&decision.best_text) },
            judged.chance.map_or(String::new(), percent),
            judged.loss.filter(|_| !is_same).map_or(String::new(), percent),
            decision.depth.map_or(String::new(), |depth| depth.to_string()),
            line_in_words(&decision.pv, CHARACTERS),
        ]);
    }
    let mut text = trimmed(&table) + "\n\n";
    for counts in analysis.by_seat() {
        text.push_str(&format!(
            "{}: {} of {} as {} would decide; inaccuracies {}, mistakes {}, blunders {}{}\n",
            seat_name(analysis, counts.seat),
            counts.same,
            counted(counts.decisions, "decision"),
            shown(&analysis.bot),
            counts.inaccuracies,
            counts.mistakes,
            counts.blunders,
            counts.mean_loss().map_or(String::new(), |loss| format!(
                "; {:.1} percentage points lost per decision",
                loss * 100.0
            )),
        ));
    }
    if !analysis.is_two_sided {
        text.push_str(
            "What was lost includes chance and the other seats' decisions up to the seat's next one.\n",
        );
    }
    text
}

/// Returns the name of a seat, for text.
pub(crate) fn seat_name(analysis: &Analysis, seat: usize) -> String {
    analysis.names.get(seat).map_or(String::new(), |name| printable(name, CHARACTERS))
}
