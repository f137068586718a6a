//! A position as a program describes it, checked against the protocol: whose turn it is, what is legal,
//! what everybody sees, or how the game ended.

use crate::messages::{Answer, CHANCE, COMPLETED, GivenOutcome, MOST_LEGAL, OVER};
use botyard_engine::{Outcome, Scores, Seat, Turn};
use serde_json::Value;
use serde_json::value::RawValue;

/// How far scores may be from their range or sum, for sums of fractions in floating point.
const TOLERANCE: f64 = 1e-6;

/// The longest reason of an outcome, in bytes.
const LONGEST_REASON: usize = 40;

/// The position of a game in progress. Its buffers are reused from one to the next.
#[derive(Debug, Default)]
pub struct Position {
    /// Whose turn it is; `None` before the first position.
    pub turn: Option<Turn>,
    /// The legal actions, an array; empty if they are not listed.
    pub legal: String,
    /// Whether they are listed.
    pub is_listed: bool,
    /// The view of the seat whose turn it is.
    pub view: String,
    /// The action of a forfeited seat; empty if there is none.
    pub pass: String,
    /// The outcome, if the game is over.
    pub outcome: Option<Outcome>,
}

/// What must be known of a game to check its positions.
pub struct Frame<'a> {
    /// The seats' names.
    pub seats: &'a [String],
    /// The points that a seat can have.
    pub scores: Scores,
    /// Whether something may be drawn.
    pub chance: bool,
    /// Whether something may be hidden.
    pub hidden: bool,
}

impl Position {
    /// Replaces the position by that of an answer.
    ///
    /// # Errors
    ///
    /// What was expected instead, as the end of a sentence.
    pub fn read(&mut self, answer: &Answer<'_>, frame: &Frame<'_>) -> Result<(), String> {
        if answer.kind != "position" {
            return Err("a \"position\"".into());
        }
        let to_move = answer.to_move.as_deref().ok_or("\"to_move\" in the position")?;
        let turn = match to_move {
            CHANCE if frame.chance => Turn::Chance,
            CHANCE => {
                return Err("\"chance\":true in its \"hello\", before something is drawn".into());
            }
            OVER => Turn::Over,
            name => Turn::Seat(seat_of(name, frame.seats)?),
        };
        self.outcome = None;
        self.legal.clear();
        self.view.clear();
        self.pass.clear();
        self.is_listed = true;
        match turn {
            Turn::Seat(_) => {
                let view =
                    answer.view.ok_or("\"view\", what the seat whose turn it is may know")?;
                self.view.push_str(view.get());
                self.is_listed = answer.legal.is_some();
                if let Some(legal) = answer.legal {
                    self.legal.push_str(legal.get());
                    let first = elements(&self.legal)?.into_iter().next();
                    let first = first.ok_or("at least one legal action, or the end of the game")?;
                    let pass = answer.pass.unwrap_or(first).get().to_string();
                    self.pass = pass;
                } else if let Some(pass) = answer.pass {
                    self.pass.push_str(pass.get());
                }
            }
            Turn::Chance => {
                if let Some(chances) = answer.chances {
                    check_chances(chances)?;
                }
            }
            Turn::Over => {
                let given = answer.outcome.as_ref().ok_or("\"outcome\", as the game is over")?;
                self.outcome = Some(checked_outcome(given, frame)?);
            }
        }
        self.turn = Some(turn);
        Ok(())
    }
}

/// Returns the copies of an event for the seats from which something of it is hidden.
///
/// # Errors
///
/// What was expected instead, as the end of a sentence.
pub fn copies(seen: Option<&RawValue>, frame: &Frame<'_>) -> Result<Vec<(Seat, Value)>, String> {
    let Some(seen) = seen else { return Ok(Vec::new()) };
    if !frame.hidden {
        return Err("\"hidden\":true in its \"hello\", before something is hidden".into());
    }
    let copies: serde_json::Map<String, Value> = serde_json::from_str(seen.get())
        .map_err(|_| "an object of copies by seat as \"seen\"".to_string())?;
    let mut copies = copies
        .into_iter()
        .map(|(name, copy)| Ok((seat_of(&name, frame.seats)?, copy)))
        .collect::<Result<Vec<_>, String>>()?;
    copies.sort_unstable_by_key(|(seat, _)| seat.index());
    Ok(copies)
}

/// Returns the set-ups by seat: what all seats may know, and what some know instead.
///
/// # Errors
///
/// What was expected instead, as the end of a sentence.
pub fn setups(answer: &Answer<'_>, frame: &Frame<'_>) -> Result<Vec<String>, String> {
    let all = answer.setup.map_or("{}", RawValue::get);
    let mut setups = vec![all.to_string(); frame.seats.len()];
    if let Some(by_seat) = answer.setups {
        let by_seat: serde_json::Map<String, Value> = serde_json::from_str(by_seat.get())
            .map_err(|_| "an object by seat as \"setups\"".to_string())?;
        for (name, setup) in by_seat {
            setups[seat_of(&name, frame.seats)?.index()] = setup.to_string();
        }
    }
    Ok(setups)
}

/// Returns the elements of an array as they were written.
///
/// # Errors
///
/// What was expected instead, as the end of a sentence.
pub fn elements(array: &str) -> Result<Vec<&RawValue>, String> {
    let elements: Vec<&RawValue> =
        serde_json::from_str(array).map_err(|_| "an array as \"legal\"".to_string())?;
    match elements.len() <= MOST_LEGAL {
        true => Ok(elements),
        false => Err(format!("at most {MOST_LEGAL} legal actions, or none listed")),
    }
}

/// Returns the seat of this name.
///
/// # Errors
///
/// What was expected instead, as the end of a sentence.
pub fn seat_of(name: &str, seats: &[String]) -> Result<Seat, String> {
    let place = seats.iter().position(|seat| seat == name);
    place
        .map(Seat::new)
        .ok_or_else(|| format!("one of the seats {}, not {name:?}", seats.join(", ")))
}

/// Checks the outcomes of chance: an array of `[probability, outcome]`.
///
/// # Errors
///
/// What was expected instead, as the end of a sentence.
pub fn check_chances(chances: &RawValue) -> Result<(), String> {
    let listed: Vec<(f64, &RawValue)> = serde_json::from_str(chances.get())
        .map_err(|_| "an array of [probability, outcome] as \"chances\"".to_string())?;
    let sum: f64 = listed.iter().map(|(probability, _)| probability).sum();
    if listed.iter().any(|(probability, _)| *probability <= 0.0) || (sum - 1.0).abs() > TOLERANCE {
        return Err(format!(
            "probabilities above 0 with the sum 1 as \"chances\", not with the sum {sum}"
        ));
    }
    Ok(())
}

/// Checks the outcome of a game, and fills in what it leaves out.
///
/// # Errors
///
/// What was expected instead, as the end of a sentence.
pub fn checked_outcome(given: &GivenOutcome, frame: &Frame<'_>) -> Result<Outcome, String> {
    let GivenOutcome { scores, ranks, reason } = given;
    let (seats, range) = (frame.seats.len(), frame.scores);
    if scores.len() != seats {
        return Err(format!("{seats} scores, one for each seat, not {}", scores.len()));
    }
    let is_in_range =
        |score: &f64| (range.least - TOLERANCE..=range.most + TOLERANCE).contains(score);
    if let Some(score) = scores.iter().find(|score| !is_in_range(score)) {
        return Err(format!("scores from {} to {}, not {score}", range.least, range.most));
    }
    let sum: f64 = scores.iter().sum();
    if let Some(expected) = range.sum.filter(|expected| (sum - expected).abs() > TOLERANCE) {
        return Err(format!("scores with the sum {expected}, not {sum}"));
    }
    let by_scores = || {
        let better = |score: f64| scores.iter().filter(|other| **other > score).count() as u8;
        scores.iter().map(|&score| better(score) + 1).collect()
    };
    let ranks: Vec<u8> = ranks.clone().unwrap_or_else(by_scores);
    let is_place = |rank: &u8| (1..=seats).contains(&usize::from(*rank));
    if ranks.len() != seats || !ranks.iter().all(is_place) {
        return Err(format!("{seats} ranks from 1 to {seats}, one for each seat"));
    }
    let reason = reason.as_deref().unwrap_or(COMPLETED);
    let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    if reason.is_empty() || reason.len() > LONGEST_REASON || !reason.bytes().all(is_word) {
        return Err(format!(
            "a reason of 1 to {LONGEST_REASON} lower-case letters, digits and underscores"
        ));
    }
    if reason.starts_with("forfeit_") || reason.starts_with("adjudicated_") {
        return Err("a reason that begins neither with forfeit_ nor with adjudicated_".into());
    }
    Ok(Outcome {
        scores: scores.iter().copied().collect(),
        ranks: ranks.into_iter().collect(),
        reason: reason.to_string().into(),
    })
}
