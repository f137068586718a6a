//! Replays of draughts as games in PDN 3.0, which other draughts programs read. The replay is played
//! through its rules, so what is written is legal.

use crate::event::{Event, Header, MoveEvent, MoveTime, PlayedBy};
use crate::playback::{Playback, VerifyError, registered_table};
use crate::reader::{ReadError, ReplayReader};
use botyard_engine::draughts::{
    Colour, Draughts, Move, Movement, Opening, PdnGame, PdnResult, Position, RecordedMove, Rules,
};
use botyard_engine::{Game, Seat};
use botyard_protocol::{EndOutcome, OutcomeKind};
use serde::Deserialize;
use serde_json::Value;
use std::io::BufRead;

/// `GameType` of English draughts: Black moves first, 8 × 8 squares, numbers from Black's side, and
/// the lower left square is one that is played on.
const GAME_TYPE: &str = "21,B,8,8,N1,0";

/// The value of a tag that is not known.
const UNKNOWN: &str = "?";

/// The reason why a replay cannot be written as PDN.
#[derive(Debug, thiserror::Error)]
pub enum PdnExportError {
    /// The replay is not sound, or it is a copy for a seat.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// It is of another game.
    #[error("PDN is a notation of draughts, and this is a game of {0}")]
    Game(String),
    /// Pieces move otherwise than in English draughts.
    #[error(
        "expected a game of English draughts, which PDN has as GameType 21; under the rules of this \
         game pieces move otherwise"
    )]
    Rules,
}

/// Returns a replay of draughts as one game in PDN. A game without an end has the result `*`.
///
/// The result is written from Black's side, as is usual in English draughts: `1-0` is a win of
/// Black, who moves first. A comment after a move has the score and the depth that the bot reported,
/// and the time that it took.
///
/// # Errors
///
/// The replay is not sound, or not of English draughts.
pub fn pdn<R: BufRead>(reader: ReplayReader<R>) -> Result<String, PdnExportError> {
    let header = reader.header().clone();
    if header.game != Draughts::NAME {
        return Err(PdnExportError::Game(header.game));
    }
    let mut playback = Playback::new(&header, &registered_table)?;
    let rules: Option<Rules> = serde_json::from_value(header.rules.clone()).ok();
    let rules = rules.filter(|rules| rules.movement() == Movement::ENGLISH);
    let first_mover = rules.ok_or(PdnExportError::Rules)?.first_mover;
    let mut start = Position::start(first_mover);
    let (mut moves, mut comments, mut outcome) = (Vec::new(), Vec::new(), None);
    for line in reader {
        let line = match line {
            Err(ReadError::Truncated { .. }) => break,
            line => line.map_err(VerifyError::Read)?,
        };
        playback.follow(&line)?;
        match &line.event {
            // The opening: draughts has no other draws. The rules have read it before.
            Event::Chance(event) => {
                let opening: Opening =
                    serde_json::from_str(event.outcome.get()).unwrap_or_default();
                if let Some(position) = opening.fen.and_then(|fen| fen.parse().ok()) {
                    start = position;
                }
                comments.resize(opening.moves.len(), String::new());
                moves.extend(opening.moves);
            }
            Event::Move(event, time) => {
                moves.extend(serde_json::from_str::<Move>(event.action.get()).ok());
                comments.push(comment(event, *time));
            }
            Event::End(event, _) => outcome = Some(event.outcome.clone()),
            _ => {}
        }
    }
    let recorded = |mv: Move| RecordedMove { text: mv.into(), place: None };
    let game = PdnGame {
        tags: tags(&header, start, outcome.as_ref()),
        moves: moves.into_iter().map(recorded).collect(),
        result: result(&header, outcome.as_ref()),
        tag_places: Vec::new(),
        notes: Vec::new(),
    };
    Ok(game.with_comments(&comments))
}

fn tags(header: &Header, start: Position, outcome: Option<&EndOutcome>) -> Vec<(String, String)> {
    match &header.imported {
        Some(imported) if !imported.tags.is_empty() => recorded_tags(&imported.tags, start),
        _ => own_tags(header, start, outcome),
    }
}

/// Returns the tags of an imported game as they were, with those that the game needs. A tag that
/// contradicts the game is corrected.
fn recorded_tags(recorded: &[(String, String)], start: Position) -> Vec<(String, String)> {
    let mut tags = recorded.to_vec();
    let has = |tags: &[(String, String)], name: &str| {
        tags.iter().any(|(other, _)| other.eq_ignore_ascii_case(name))
    };
    for (name, value) in &mut tags {
        if name.eq_ignore_ascii_case("FEN") && value.parse() != Ok(start) {
            *value = start.to_string();
        }
        if name.eq_ignore_ascii_case("GameType") && !is_english(value) {
            *value = GAME_TYPE.to_string();
        }
    }
    if !has(&tags, "GameType") {
        tags.push(("GameType".to_string(), GAME_TYPE.to_string()));
    }
    if start != Position::start(Colour::Black) && !has(&tags, "FEN") {
        tags.push(("SetUp".to_string(), "1".to_string()));
        tags.push(("FEN".to_string(), start.to_string()));
    }
    tags
}

/// Returns whether the value of a tag `GameType` names English draughts.
fn is_english(game_type: &str) -> bool {
    game_type.split(',').next().map(str::trim) == Some("21")
}

fn own_tags(
    header: &Header,
    start: Position,
    outcome: Option<&EndOutcome>,
) -> Vec<(String, String)> {
    let (event, round) = match &header.imported {
        Some(imported) => (imported.source.as_str(), imported.game.as_str()),
        None => event_and_round(&header.game_id),
    };
    let player = |colour: Colour| {
        let seat = colour.to_string();
        let holder = header.seats.iter().find(|holder| holder.seat == seat);
        holder.map_or(UNKNOWN, |holder| holder.player.as_str())
    };
    let mut tags = vec![
        ("Event", event.to_string()),
        ("Site", UNKNOWN.to_string()),
        ("Date", "????.??.??".to_string()),
        ("Round", round.to_string()),
        ("White", player(Colour::White).to_string()),
        ("Black", player(Colour::Black).to_string()),
        // Written with the result.
        ("Result", String::new()),
        ("GameType", GAME_TYPE.to_string()),
    ];
    if start != Position::start(Colour::Black) {
        tags.push(("SetUp", "1".to_string()));
        tags.push(("FEN", start.to_string()));
    }
    tags.extend(outcome.map(|outcome| ("Termination", outcome.reason.clone())));
    tags.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
}

/// Splits the id of a game of a match, such as `draughts-5a317b15-00012`.
fn event_and_round(game_id: &str) -> (&str, &str) {
    let split = game_id.rsplit_once('-').filter(|(_, number)| {
        !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
    });
    match split {
        Some((event, number)) => match number.trim_start_matches('0') {
            "" => (event, "0"),
            number => (event, number),
        },
        None => (game_id, UNKNOWN),
    }
}

fn result(header: &Header, outcome: Option<&EndOutcome>) -> PdnResult {
    let Some(outcome) = outcome.filter(|outcome| outcome.kind != OutcomeKind::Void) else {
        return PdnResult::Unknown;
    };
    let winner = Seat::all(header.seats.len())
        .find(|seat| outcome.scores.get(seat.index()).is_some_and(|&score| score >= 1.0));
    match winner {
        Some(seat) => {
            let is_black = header.seats[seat.index()].seat == Colour::Black.to_string();
            let winner = if is_black { Colour::Black } else { Colour::White };
            PdnResult::won_by(winner, Colour::Black)
        }
        // If both bots failed, none has won, and it is no draw either.
        None if outcome.scores.iter().all(|&score| score == 0.0) => PdnResult::Unknown,
        None => PdnResult::Drawn,
    }
}

/// Returns the report on a move: `+0.42/7 0.018s`. Empty if there is none.
fn comment(event: &MoveEvent, time: Option<MoveTime>) -> String {
    #[derive(Default, Deserialize)]
    struct Info {
        #[serde(default)]
        score: Value,
        #[serde(default)]
        depth: Value,
    }
    match event.by {
        Some(PlayedBy::Referee) => return "by the referee".to_string(),
        Some(PlayedBy::Record) => return "from an earlier game".to_string(),
        None => {}
    }
    let info = event.info.as_ref().and_then(|info| serde_json::from_str(info.get()).ok());
    let Info { score, depth } = info.unwrap_or_default();
    let mut words = Vec::new();
    if let Some(score) = score.as_f64() {
        let depth = depth.as_u64().map(|depth| format!("/{depth}"));
        words.push(format!("{score:+.2}{}", depth.unwrap_or_default()));
    }
    words.extend(time.map(|time| format!("{:.3}s", time.wall_us as f64 / 1_000_000.0)));
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_game_gives_its_event_and_round() {
        for (id, expected) in [
            ("draughts-5a317b15-00012", ("draughts-5a317b15", "12")),
            ("cup-000", ("cup", "0")),
            ("example", ("example", "?")),
            ("a-b", ("a-b", "?")),
            ("a-", ("a-", "?")),
        ] {
            assert_eq!(event_and_round(id), expected);
        }
    }
}
