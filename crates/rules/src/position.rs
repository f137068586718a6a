//! A position as a program describes it, checked against the protocol: whose turn it is, what is legal,
//! what everybody sees, or how the game ended.

use crate::messages::{Answer, CHANCE, COMPLETED, GivenOutcome, MOST_LEGAL, OVER};
use botyard_engine::json_values::whole;
use botyard_engine::{Outcome, Scores, Seat, Turn};
use serde_json::Value;
use serde_json::value::RawValue;
use std::ops::Range;

/// How far scores may be from their range or sum, for sums of fractions in floating point.
const TOLERANCE: f64 = 1e-6;

/// The longest reason of an outcome, in bytes.
const LONGEST_REASON: usize = 40;

/// The position of a game in progress: the line with which the program described it, and the places of
/// its parts in the line. So nothing of it is copied before it is asked for.
#[derive(Debug, Default)]
pub struct Position {
    /// The answer.
    line: String,
    /// Whose turn it is; `None` before the first position.
    pub turn: Option<Turn>,
    /// The legal actions, an array; `None` if they are not listed.
    legal: Option<Range<usize>>,
    /// Each of them.
    actions: Vec<Range<usize>>,
    /// The view of the seat whose turn it is.
    view: Range<usize>,
    /// The action of a forfeited seat.
    pass: Option<Range<usize>>,
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
    /// Replaces the position by that of an answer, which was read from `line`. The line must be given to
    /// [`Position::keep`] then.
    ///
    /// # Errors
    ///
    /// What was expected instead, as the end of a sentence. There is no position then.
    pub fn read(
        &mut self,
        answer: &Answer<'_>,
        line: &str,
        frame: &Frame<'_>,
    ) -> Result<(), String> {
        let read = self.read_parts(answer, line, frame);
        if read.is_err() {
            *self = Position::default();
        }
        read
    }

    /// Takes the line from which this position was read, in exchange for another buffer.
    pub fn keep(&mut self, line: &mut String) {
        std::mem::swap(&mut self.line, line);
    }

    /// Ends the game with an outcome.
    pub fn end(&mut self, outcome: Outcome) {
        self.turn = Some(Turn::Over);
        self.outcome = Some(outcome);
    }

    /// Returns the legal actions, an array; `None` if they are not listed.
    pub fn legal(&self) -> Option<&str> {
        self.legal.clone().map(|legal| self.part(legal))
    }

    /// Returns each legal action that is listed.
    pub fn actions(&self) -> impl ExactSizeIterator<Item = &str> {
        self.actions.iter().map(|action| self.part(action.clone()))
    }

    /// Returns the listed action that equals this one as JSON, where 1.0 is 1.
    pub fn listed(&self, action: &str) -> Option<&str> {
        let action = action.trim();
        if let Some(same) = self.actions().find(|listed| *listed == action) {
            return Some(same);
        }
        let value = |text: &str| serde_json::from_str::<Value>(&whole(text)).ok();
        let value_of_action = value(action)?;
        self.actions().find(|listed| value(listed).as_ref() == Some(&value_of_action))
    }

    /// Returns the view of the seat whose turn it is.
    pub fn view(&self) -> &str {
        self.part(self.view.clone())
    }

    /// Returns the action of a forfeited seat; empty if there is none.
    pub fn pass(&self) -> &str {
        let pass = self.pass.as_ref().or(self.actions.first());
        pass.map_or("", |pass| self.part(pass.clone()))
    }

    fn part(&self, part: Range<usize>) -> &str {
        self.line.get(part).unwrap_or_default()
    }

    fn read_parts(
        &mut self,
        answer: &Answer<'_>,
        line: &str,
        frame: &Frame<'_>,
    ) -> Result<(), String> {
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
        self.legal = None;
        self.actions.clear();
        self.view = 0..0;
        self.pass = None;
        match turn {
            Turn::Seat(_) => {
                let view =
                    answer.view.ok_or("\"view\", what the seat whose turn it is may know")?;
                self.view = place(view, line);
                self.pass = answer.pass.map(|pass| place(pass, line));
                if let Some(legal) = answer.legal {
                    let legal = place(legal, line);
                    if !elements(line, legal.clone(), &mut self.actions) {
                        return Err("an array as \"legal\"".into());
                    }
                    if self.actions.is_empty() {
                        return Err("at least one legal action, or the end of the game".into());
                    }
                    if self.actions.len() > MOST_LEGAL {
                        return Err(format!("at most {MOST_LEGAL} legal actions, or none listed"));
                    }
                    self.legal = Some(legal);
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

/// Returns the place of a part of a line in it.
fn place(part: &RawValue, line: &str) -> Range<usize> {
    let part = part.get();
    let start = part.as_ptr().addr().wrapping_sub(line.as_ptr().addr());
    start..start.wrapping_add(part.len())
}

/// Appends the places of the elements of an array, which is a part of a line of JSON. Returns whether it
/// is an array.
fn elements(line: &str, array: Range<usize>, into: &mut Vec<Range<usize>>) -> bool {
    let Some(inner) = line.get(array.clone()).and_then(|text| text.strip_prefix('[')) else {
        return false;
    };
    let inner = inner.strip_suffix(']').unwrap_or(inner);
    let base = array.start + 1;
    let mut add = |from: usize, to: usize| {
        let element = &inner[from..to];
        let start = from + element.len() - element.trim_start().len();
        into.push(base + start..base + start + element.trim().len());
    };
    if inner.trim().is_empty() {
        return true;
    }
    let (mut depth, mut in_string, mut is_escaped, mut from) = (0_u32, false, false, 0);
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_string => is_escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                add(from, at);
                from = at + 1;
            }
            _ => {}
        }
    }
    add(from, inner.len());
    true
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
