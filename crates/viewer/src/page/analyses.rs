//! What bots said about a game afterwards, for the page: their estimates and the mistakes.

use botyard_engine::Seat;
use botyard_protocol::printable;
use botyard_replay::{Analysis, Header, Mistake, line_in_words};
use serde_json::{Value, json};

/// How much of an action is passed to the page, in characters.
const CHARACTERS: usize = 200;

/// How much of a principal variation is passed to the page, in characters.
const LINE_CHARACTERS: usize = 300;

/// Describes the analyses of this game; of a copy, only the decisions of its seat.
pub(super) fn described(analyses: &[Analysis], header: &Header, only: Option<Seat>) -> Vec<Value> {
    let is_its =
        |analysis: &&Analysis| analysis.game == header.game && analysis.game_id == header.game_id;
    analyses.iter().filter(is_its).map(|analysis| one(analysis, header, only)).collect()
}

fn one(analysis: &Analysis, header: &Header, only: Option<Seat>) -> Value {
    let decisions = analysis.decisions.iter().zip(analysis.judged());
    let is_shown =
        |seat: usize| seat < header.seats.len() && only.is_none_or(|only| only.index() == seat);
    let shown = decisions.filter(|(decision, _)| is_shown(decision.seat));
    let decisions = shown.map(|(decision, judged)| {
        let is_same = decision.best == decision.played;
        let mut out = json!({
            "turn": decision.turn,
            "seat": decision.seat,
            "depth": decision.depth,
            "chance": judged.chance.map(rounded),
            "loss": judged.loss.map(rounded),
            "mark": judged.mistake().map(Mistake::mark),
            "line": (!decision.pv.is_empty()).then(|| line_in_words(&decision.pv, LINE_CHARACTERS)),
            "better": (!is_same).then(|| printable(&decision.best_text, CHARACTERS)),
        });
        if let Value::Object(object) = &mut out {
            object.retain(|_, value| !value.is_null());
        }
        out
    });
    json!({
        "bot": analysis.bot,
        "two_sided": analysis.is_two_sided && only.is_none(),
        // Whether a loss includes what chance and other seats did.
        "includes_others": !analysis.is_two_sided,
        "decisions": decisions.collect::<Vec<Value>>(),
    })
}

fn rounded(share: f64) -> f64 {
    (share * 1000.0).round() / 1000.0
}
