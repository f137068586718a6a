//! Openings: a position, moves that are played from it before the first decision, or the number of
//! a three-move opening. Also their text form: lines of plain text, or games in PDN. The game
//! checks whether an opening can be played.

use super::game::Draughts;
use super::moves::Move;
use super::notation::{
    MoveText, PdnError, PdnErrorKind, PdnGame, PdnResult, Standing, ballots, is_space, lines,
    read_english_pdn,
};
use crate::game::{Game, OpeningError, Preset};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is drawn or given before the first decision. `{}` is the start position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// The first position as FEN; the start position if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// The number of a three-move opening, 1 to 174, from the start position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 174)))]
    pub ballot: Option<u16>,
    /// Moves that are played before the first decision, in order. With a ballot they are the
    /// ballot's moves and may be left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<Move>,
}

/// The named sets of openings.
pub(super) const SETS: &[Preset] = &[
    Preset { name: "ballots", about: "the 157 three-move openings that tournaments draw from" },
    Preset {
        name: "ballots-all",
        about: "all 174 three-move openings, including the 17 barred ones",
    },
];

/// The number of plies of a finished game that make an opening: as many as on a ballot.
const PLIES_OF_A_GAME: usize = 3;

/// Returns the openings of a set.
pub(super) fn set(name: &str) -> Option<Vec<Opening>> {
    let all = match name {
        "ballots" => false,
        "ballots-all" => true,
        _ => return None,
    };
    let chosen = ballots().iter().filter(|ballot| all || ballot.standing == Standing::Standard);
    let by_number = |number| Opening { ballot: Some(number), ..Opening::default() };
    Some(chosen.map(|ballot| by_number(ballot.number)).collect())
}

/// Reads the openings in a text: PDN, or lines with a FEN, the number of a ballot, or moves from
/// the start position. Empty lines and lines that begin with `#` are ignored.
///
/// The opening of a finished game in PDN is the position of its FEN, or its first three plies if it
/// has no FEN. An unfinished game (its result is `*`, or missing) is an opening as a whole.
pub(super) fn read(game: &Draughts, text: &str) -> Result<Vec<Opening>, OpeningError> {
    if is_pdn(text) { read_games(game, text) } else { read_lines(game, text) }
}

/// Returns whether the text begins like PDN, and unlike any line of plain text.
fn is_pdn(text: &str) -> bool {
    let text = text.trim_start_matches(|character: char| !character.is_ascii_graphic());
    lines(text).map(str::trim_start).any(|line| line.starts_with(['[', '{', ';', '%']))
        || text.starts_with("1.")
}

fn read_lines(game: &Draughts, text: &str) -> Result<Vec<Opening>, OpeningError> {
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(lines(text)) {
        let line = line.trim_matches(is_space);
        if !line.is_empty() && !line.starts_with('#') {
            let place = || format!("line {number}");
            let opening = one_line(game, line).and_then(|opening| playable(game, opening));
            let error = |message| OpeningError { place: place(), message };
            openings.push(opening.map_err(error)?);
        }
    }
    Ok(openings)
}

fn one_line(game: &Draughts, line: &str) -> Result<Opening, String> {
    if line.bytes().all(|byte| byte.is_ascii_digit()) {
        let error = |_| format!("ballot: expected 1 to {}, got {line}", ballots().len());
        return Ok(Opening { ballot: Some(line.parse().map_err(error)?), ..Opening::default() });
    }
    if !line.starts_with(|first: char| first.is_ascii_digit()) {
        return Ok(Opening { fen: Some(line.to_string()), ..Opening::default() });
    }
    let texts: Result<Vec<MoveText>, _> = line.split_whitespace().map(str::parse).collect();
    with_moves(game, Opening::default(), &texts.map_err(|error| error.to_string())?)
}

fn read_games(game: &Draughts, text: &str) -> Result<Vec<Opening>, OpeningError> {
    let games = read_english_pdn(text).map_err(|variant| OpeningError {
        place: format!("games 1 to {}", variant.games),
        message: variant.to_string(),
    })?;
    let mut openings = Vec::new();
    for (number, pdn) in (1..).zip(games) {
        let pdn = pdn.and_then(|pdn| {
            let fatal = pdn.notes.iter().find(|note| may_change_opening(&pdn, note)).cloned();
            fatal.map_or(Ok(pdn), Err)
        });
        let opening = match pdn {
            Ok(pdn) => of_game(game, &pdn).and_then(|opening| playable(game, opening)),
            Err(error) => {
                let ply = error.ply.map(|ply| format!(", ply {ply}")).unwrap_or_default();
                let place = format!("game {number}{ply}, {}", error.place);
                return Err(OpeningError { place, message: error.kind.to_string() });
            }
        };
        let error = |message| OpeningError { place: format!("game {number}"), message };
        openings.push(opening.map_err(error)?);
    }
    Ok(openings)
}

/// Returns the most plies of a game that belong to its opening.
fn most_plies(pdn: &PdnGame) -> usize {
    match (pdn.result, pdn.tag("FEN")) {
        (PdnResult::Unknown, _) => usize::MAX,
        (_, Some(_)) => 0,
        (_, None) => PLIES_OF_A_GAME,
    }
}

/// Returns whether what a note is about may change the opening of the game.
fn may_change_opening(pdn: &PdnGame, note: &PdnError) -> bool {
    let in_opening = note.ply.is_none_or(|ply| ply as usize <= most_plies(pdn));
    match &note.kind {
        PdnErrorKind::Tag(_) => true,
        PdnErrorKind::Unexpected(_) => in_opening,
        PdnErrorKind::NestedComment { hides_move, .. } => *hides_move && in_opening,
        PdnErrorKind::SecondResult(second) => *second != pdn.result,
        _ => false,
    }
}

fn of_game(game: &Draughts, pdn: &PdnGame) -> Result<Opening, String> {
    let fen = pdn.tag("FEN");
    let plies = pdn.moves.len().min(most_plies(pdn));
    let texts: Vec<MoveText> = pdn.moves[..plies].iter().map(|mv| mv.text.clone()).collect();
    let opening = Opening { fen: fen.map(str::to_string), ..Opening::default() };
    with_moves(game, opening, &texts).map_err(|message| {
        match pdn.moves.first().and_then(|first| first.place) {
            Some(place) => format!("moves from line {}: {message}", place.line),
            None => message,
        }
    })
}

/// Adds moves as people write them to an opening.
fn with_moves(game: &Draughts, opening: Opening, texts: &[MoveText]) -> Result<Opening, String> {
    let mut position = game.first_position(&opening).map_err(|illegal| illegal.0)?;
    let mut moves = Vec::with_capacity(texts.len());
    for (number, text) in (1..).zip(texts) {
        let mv =
            text.find(&position, game.movement()).map_err(|why| format!("move {number}: {why}"))?;
        position = position.make(mv);
        moves.push(mv);
    }
    Ok(Opening { moves, ..opening })
}

/// Checks that the game can begin with an opening, and normalizes its FEN.
fn playable(game: &Draughts, opening: Opening) -> Result<Opening, String> {
    game.start(&opening).map_err(|illegal| illegal.0)?;
    let fen = match opening.fen {
        Some(_) => Some(game.first_position(&opening).map_err(|illegal| illegal.0)?.to_string()),
        None => None,
    };
    Ok(Opening { fen, ..opening })
}
