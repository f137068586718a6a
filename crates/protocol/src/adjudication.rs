//! Adjudication: rules of a match by which the referee ends a game before the rules of the game do,
//! because its result is clear. The form of the options is that of programs that run matches of
//! chess engines: `movenumber=40 movecount=8 score=0.1`. All rules are off by default.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The largest score that is used: a report beyond it counts as none, and no rule may have it.
pub const MOST_SCORE: f64 = 1_000_000.0;

/// The largest number of moves in a rule.
pub const MOST_MOVES: u32 = 100_000;

/// The beginning of the reason of an adjudicated game; the name of the rule follows.
pub const ADJUDICATED: &str = "adjudicated_";

/// The rules of adjudication of a game: those that are set, in any combination.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Adjudication {
    /// When a game is a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// When a game is lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// When a game has the result of endgame tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub egdb: Option<EgdbRule>,
}

impl Adjudication {
    /// Returns whether no rule is set.
    pub fn is_off(&self) -> bool {
        *self == Adjudication::default()
    }

    /// Checks the numbers of the rules.
    ///
    /// # Errors
    ///
    /// A number out of its range.
    pub fn check(&self) -> Result<(), AdjudicationError> {
        if let Some(draw) = self.draw {
            draw.check()?;
        }
        if let Some(resign) = self.resign {
            resign.check()?;
        }
        Ok(())
    }
}

/// A game is a draw after at least `movenumber` moves of each seat if each reported a score within
/// `score` of zero for its last `movecount` moves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// The moves of each seat before the rule applies.
    #[serde(default)]
    pub movenumber: u32,
    /// The number of consecutive moves of each seat, from 1.
    pub movecount: u32,
    /// The largest distance of a score from zero, in the unit of the bots.
    pub score: f64,
}

/// A game is lost by a seat that reported `-score` or less for its last `movecount` moves. With
/// `twosided`, the other seat must also have reported `score` or more for its last `movecount`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// The number of consecutive moves, from 1.
    pub movecount: u32,
    /// The least disadvantage, in the unit of the bots; greater than 0.
    pub score: f64,
    /// Whether the winner's scores must agree.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub twosided: bool,
}

/// A game has the result that endgame tables give for its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EgdbRule {
    /// The number of pieces up to which positions are looked up.
    pub pieces: u32,
}

/// The rule that ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Adjudicated {
    /// [`DrawRule`].
    Draw,
    /// [`ResignRule`].
    Resign,
    /// [`EgdbRule`].
    Egdb,
}

impl Adjudicated {
    /// All rules.
    pub const ALL: [Adjudicated; 3] = [Adjudicated::Draw, Adjudicated::Resign, Adjudicated::Egdb];

    /// Returns the name of the rule, as in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Adjudicated::Draw => "draw",
            Adjudicated::Resign => "resign",
            Adjudicated::Egdb => "egdb",
        }
    }

    /// Returns the reason of an outcome by this rule: `adjudicated_draw`, ...
    pub fn reason(self) -> &'static str {
        match self {
            Adjudicated::Draw => "adjudicated_draw",
            Adjudicated::Resign => "adjudicated_resign",
            Adjudicated::Egdb => "adjudicated_egdb",
        }
    }
}

/// A rule that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdjudicationError {
    /// A word that is not `key=value`, or a key that the rule does not have.
    #[error("expected {expected}, got {got:?}")]
    Word {
        /// The form of the rule.
        expected: &'static str,
        /// The word.
        got: String,
    },
    /// A key is missing.
    #[error("{key}= is missing: expected {expected}")]
    Missing {
        /// The key.
        key: &'static str,
        /// The form of the rule.
        expected: &'static str,
    },
    /// A key that is given twice.
    #[error("{key} is given twice")]
    Twice {
        /// The key.
        key: &'static str,
    },
    /// A value out of its range.
    #[error("{key}: expected {expected}, got {got}")]
    Value {
        /// The key.
        key: &'static str,
        /// The range.
        expected: String,
        /// The value.
        got: String,
    },
}

impl DrawRule {
    /// The form of the rule as text.
    pub const FORM: &'static str = "[movenumber=N] movecount=N score=S";

    fn check(self) -> Result<(), AdjudicationError> {
        moves("movenumber", 0, self.movenumber)?;
        moves("movecount", 1, self.movecount)?;
        if !(0.0..=MOST_SCORE).contains(&self.score) {
            return Err(wrong("score", format!("a number from 0 to {MOST_SCORE}"), self.score));
        }
        Ok(())
    }
}

impl ResignRule {
    /// The form of the rule as text.
    pub const FORM: &'static str = "movecount=N score=S [twosided]";

    fn check(self) -> Result<(), AdjudicationError> {
        moves("movecount", 1, self.movecount)?;
        if !(self.score > 0.0 && self.score <= MOST_SCORE) {
            let expected = format!("a number greater than 0 and at most {MOST_SCORE}");
            return Err(wrong("score", expected, self.score));
        }
        Ok(())
    }
}

/// Reads [`DrawRule::FORM`]; the words are separated by white space or commas.
impl FromStr for DrawRule {
    type Err = AdjudicationError;

    fn from_str(text: &str) -> Result<DrawRule, AdjudicationError> {
        let expected = DrawRule::FORM;
        let [movenumber, movecount, score] =
            values(text, ["movenumber", "movecount", "score"], None, expected)?;
        let rule = DrawRule {
            movenumber: movenumber.map_or(Ok(0), |value| number("movenumber", 0, value))?,
            movecount: number("movecount", 1, given("movecount", movecount, expected)?)?,
            score: score_of(given("score", score, expected)?)?,
        };
        rule.check()?;
        Ok(rule)
    }
}

/// Reads [`ResignRule::FORM`]; the words are separated by white space or commas.
impl FromStr for ResignRule {
    type Err = AdjudicationError;

    fn from_str(text: &str) -> Result<ResignRule, AdjudicationError> {
        let expected = ResignRule::FORM;
        let [movecount, score, twosided] =
            values(text, ["movecount", "score", "twosided"], Some("twosided"), expected)?;
        let rule = ResignRule {
            movecount: number("movecount", 1, given("movecount", movecount, expected)?)?,
            score: score_of(given("score", score, expected)?)?,
            twosided: match twosided {
                None | Some("false") => false,
                Some("" | "true") => true,
                Some(other) => return Err(wrong("twosided", "true or false", other)),
            },
        };
        rule.check()?;
        Ok(rule)
    }
}

impl fmt::Display for DrawRule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DrawRule { movenumber, movecount, score } = self;
        write!(formatter, "movenumber={movenumber} movecount={movecount} score={score}")
    }
}

impl fmt::Display for ResignRule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ResignRule { movecount, score, twosided } = self;
        let twosided = if *twosided { " twosided" } else { "" };
        write!(formatter, "movecount={movecount} score={score}{twosided}")
    }
}

/// The rules in a few words, separated by semicolons. Empty if there are none.
impl fmt::Display for Adjudication {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = [
            self.draw.map(|rule| format!("draw {rule}")),
            self.resign.map(|rule| format!("resign {rule}")),
            self.egdb.map(|rule| format!("egdb of up to {} pieces", rule.pieces)),
        ];
        let rules: Vec<String> = rules.into_iter().flatten().collect();
        formatter.write_str(&rules.join("; "))
    }
}

/// Returns the values of a rule's keys in `text`, in the order of `keys`. The key `flag` may stand
/// without a value, and has an empty one then.
fn values<'a, const N: usize>(
    text: &'a str,
    keys: [&'static str; N],
    flag: Option<&str>,
    expected: &'static str,
) -> Result<[Option<&'a str>; N], AdjudicationError> {
    let mut values = [None; N];
    let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    for word in words {
        let (key, value) = match word.split_once('=') {
            None if flag == Some(word) => (word, ""),
            Some((key, value)) if !value.is_empty() => (key, value),
            _ => return Err(AdjudicationError::Word { expected, got: word.into() }),
        };
        let Some(place) = keys.iter().position(|known| *known == key) else {
            return Err(AdjudicationError::Word { expected, got: word.into() });
        };
        if values[place].replace(value).is_some() {
            return Err(AdjudicationError::Twice { key: keys[place] });
        }
    }
    Ok(values)
}

fn given<'a>(
    key: &'static str,
    value: Option<&'a str>,
    expected: &'static str,
) -> Result<&'a str, AdjudicationError> {
    value.ok_or(AdjudicationError::Missing { key, expected })
}

fn number(key: &'static str, least: u32, value: &str) -> Result<u32, AdjudicationError> {
    value.parse().map_err(|_| wrong(key, moves_range(least), value))
}

fn score_of(value: &str) -> Result<f64, AdjudicationError> {
    value.parse().map_err(|_| wrong("score", "a number", value))
}

fn moves(key: &'static str, least: u32, value: u32) -> Result<(), AdjudicationError> {
    if (least..=MOST_MOVES).contains(&value) {
        return Ok(());
    }
    Err(wrong(key, moves_range(least), value))
}

fn moves_range(least: u32) -> String {
    format!("a number of moves from {least} to {MOST_MOVES}")
}

fn wrong(key: &'static str, expected: impl Into<String>, got: impl ToString) -> AdjudicationError {
    AdjudicationError::Value { key, expected: expected.into(), got: got.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_as_they_are_written() {
        let draw = DrawRule { movenumber: 40, movecount: 8, score: 0.25 };
        for text in [
            "movenumber=40 movecount=8 score=0.25",
            "score=0.25,movecount=8,movenumber=40",
            " movenumber=40,\tmovecount=8, score=.25",
        ] {
            assert_eq!(text.parse(), Ok(draw), "{text}");
        }
        assert_eq!(draw.to_string().parse(), Ok(draw));
        assert_eq!(
            "movecount=8 score=0".parse(),
            Ok(DrawRule { movenumber: 0, score: 0.0, ..draw })
        );
        let resign = ResignRule { movecount: 3, score: 6.0, twosided: false };
        for (text, twosided) in [
            ("movecount=3 score=6", false),
            ("movecount=3 score=6 twosided=false", false),
            ("movecount=3 score=6 twosided", true),
            ("twosided=true movecount=3 score=6", true),
        ] {
            let rule = ResignRule { twosided, ..resign };
            assert_eq!(text.parse(), Ok(rule), "{text}");
            assert_eq!(rule.to_string().parse(), Ok(rule));
        }
    }

    #[test]
    fn a_wrong_rule_says_what_was_expected() {
        for (text, error) in [
            ("", "movecount= is missing: expected [movenumber=N] movecount=N score=S"),
            ("movecount=8", "score= is missing: expected [movenumber=N] movecount=N score=S"),
            ("movecount", "expected [movenumber=N] movecount=N score=S, got \"movecount\""),
            ("movecount=", "expected [movenumber=N] movecount=N score=S, got \"movecount=\""),
            ("moves=8", "expected [movenumber=N] movecount=N score=S, got \"moves=8\""),
            ("movecount=8 movecount=8 score=1", "movecount is given twice"),
            (
                "movecount=0 score=1",
                "movecount: expected a number of moves from 1 to 100000, got 0",
            ),
            (
                "movecount=-1 score=1",
                "movecount: expected a number of moves from 1 to 100000, got -1",
            ),
            (
                "movecount=1.5 score=1",
                "movecount: expected a number of moves from 1 to 100000, got 1.5",
            ),
            ("movecount=8 score=x", "score: expected a number, got x"),
            ("movecount=8 score=-1", "score: expected a number from 0 to 1000000, got -1"),
            ("movecount=8 score=NaN", "score: expected a number from 0 to 1000000, got NaN"),
            ("movecount=8 score=inf", "score: expected a number from 0 to 1000000, got inf"),
            (
                "movenumber=100001 movecount=8 score=1",
                "movenumber: expected a number of moves from 0 to 100000, got 100001",
            ),
        ] {
            assert_eq!(text.parse::<DrawRule>().unwrap_err().to_string(), error, "{text}");
        }
        for (text, error) in [
            (
                "movecount=3 score=0",
                "score: expected a number greater than 0 and at most 1000000, got 0",
            ),
            ("movecount=3 score=1 twosided=2", "twosided: expected true or false, got 2"),
            (
                "movecount=3 score=1 movenumber=2",
                "expected movecount=N score=S [twosided], got \"movenumber=2\"",
            ),
        ] {
            assert_eq!(text.parse::<ResignRule>().unwrap_err().to_string(), error, "{text}");
        }
    }
}
