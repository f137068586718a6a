//! An analysis of a recorded game: for each decision, the estimate of a bot that looked at it
//! afterwards, and the action that it would have chosen. It is one JSON file beside the replay,
//! which [`Analysis`] describes. A bot makes an analysis elsewhere; here it is read and judged.

use crate::companions::{companion, companions};
use crate::reader::ReplayReader;
use botyard_protocol::EndOutcome;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The version of the format. In files of version 1, decisions could be missing answers of the bot,
/// and texts could show what was hidden from the seat: they are made again.
pub const ANALYSIS_FORMAT: u32 = 2;

/// The end of the name of an analysis: `GAME.BOT.analysis.json`.
const END: &str = ".analysis.json";

/// An analysis of a recorded game, as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Analysis {
    /// The version of the format: [`ANALYSIS_FORMAT`].
    pub format: u32,
    /// The game.
    pub game: String,
    /// The ID of the game.
    pub game_id: String,
    /// The chain of the last line that was read, which identifies the record: see
    /// `docs/replay.md`.
    pub chain: String,
    /// The bot that made the analysis, by its name.
    pub bot: String,
    /// The version of that bot, if its `hello` has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The digest of the bot: of its files, command and options.
    pub digest: String,
    /// The options of the bot.
    pub options: BTreeMap<String, Value>,
    /// The time per decision, in milliseconds.
    pub move_ms: u64,
    /// The names of all seats, in seat order.
    pub names: Vec<String>,
    /// The seats whose decisions are analyzed, as indices into the names, in order.
    pub seats: Vec<usize>,
    /// Whether the game has perfect information, no chance and two seats with a constant sum, and
    /// both are analyzed: the estimate of one seat is then also that of the other.
    pub is_two_sided: bool,
    /// The share of the points of each seat, from 0 to 1, in seat order; `null` for a seat whose bot
    /// failed, because its result says nothing of its decisions. Empty if the game was not finished,
    /// was decided by a fault or does not count.
    pub result: Vec<Option<f64>>,
    /// Whether all decisions of the seats were analyzed.
    pub is_complete: bool,
    /// The decisions, in order.
    pub decisions: Vec<AnalyzedDecision>,
}

/// A decision, and what the bot says about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnalyzedDecision {
    /// The number of the decision in the game, from 1.
    pub turn: u32,
    /// The seat, as an index from 0.
    pub seat: usize,
    /// The action that was played.
    pub played: Value,
    /// The same as text, from nothing but what the seat knew.
    pub played_text: String,
    /// The action that the bot would have chosen, in the game's own JSON.
    pub best: Value,
    /// The same as text, from nothing but what the seat knew.
    pub best_text: String,
    /// How good the position is for the seat, in the unit of the bot; `None` if it did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// The depth of the bot's search, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// The actions that the bot expects.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pv: Vec<Value>,
    /// The time that the bot took, in microseconds.
    pub wall_us: u64,
}

/// How the scores of a bot map to a winning chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// From 0, a certain loss, to 1, a certain win.
    Probability,
    /// From -1, a certain loss, to 1, a certain win.
    Symmetric,
    /// Without bounds, 0 if the sides are equal: in pieces, for example. One unit is a chance of
    /// 73%, two are 88%: the logistic function.
    Unbounded,
}

/// How bad a decision was: the winning chance that it lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mistake {
    /// At least 5 percentage points: `?!`.
    Inaccuracy,
    /// At least 10 percentage points: `?`.
    Mistake,
    /// At least 20 percentage points: `??`.
    Blunder,
}

/// The judgement of a decision.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Judgement {
    /// The winning chance of the seat before the decision, from 0 to 1; `None` if the bot gave no
    /// score.
    pub chance: Option<f64>,
    /// The winning chance that the decision lost, from 0 to 1; 0 if the bot would have decided the
    /// same. `None` if that is not known.
    pub loss: Option<f64>,
}

impl Mistake {
    /// Returns the mistake that lost this much of the winning chance.
    pub fn of(loss: f64) -> Option<Mistake> {
        // A rounding error of the difference of two chances is no reason for a smaller mark.
        match loss + 1e-9 {
            0.2.. => Some(Mistake::Blunder),
            0.1.. => Some(Mistake::Mistake),
            0.05.. => Some(Mistake::Inaccuracy),
            _ => None,
        }
    }

    /// Returns the mark of annotated games: `?!`, `?` or `??`.
    pub fn mark(self) -> &'static str {
        match self {
            Mistake::Inaccuracy => "?!",
            Mistake::Mistake => "?",
            Mistake::Blunder => "??",
        }
    }
}

impl Judgement {
    /// Returns how bad the decision was; `None` if it was good, or that is not known.
    pub fn mistake(&self) -> Option<Mistake> {
        self.loss.and_then(Mistake::of)
    }
}

impl Scale {
    /// Returns the scale that scores show: those outside of -1 to 1 are unbounded, and negative ones
    /// are symmetric. `None` if all are from 0 to 1.
    pub fn shown_by(scores: impl IntoIterator<Item = f64>) -> Option<Scale> {
        let mut shown = None;
        for score in scores {
            if score.abs() > 1.0 {
                return Some(Scale::Unbounded);
            }
            if score < 0.0 {
                shown = Some(Scale::Symmetric);
            }
        }
        shown
    }

    /// Returns the winning chance of a score, from 0 to 1.
    pub fn chance(self, score: f64) -> f64 {
        match self {
            Scale::Probability => score.clamp(0.0, 1.0),
            Scale::Symmetric => (score.clamp(-1.0, 1.0) + 1.0) / 2.0,
            Scale::Unbounded => 1.0 / (1.0 + (-score).exp()),
        }
    }
}

impl Analysis {
    /// Returns the scale of the bot's scores, which bots do not say: the scale that they show
    /// ([`Scale::shown_by`]). If all are from 0 to 1, they are probabilities, unless those of two
    /// opponents in succession rather have the sum 0 than 1.
    pub fn scale(&self) -> Scale {
        let scores = self.decisions.iter().filter_map(|decision| decision.score);
        if let Some(shown) = Scale::shown_by(scores) {
            return shown;
        }
        let sums = self.decisions.windows(2).filter_map(|pair| match pair {
            [one, other] if self.is_two_sided && one.seat != other.seat => {
                Some(one.score? + other.score?)
            }
            _ => None,
        });
        let (mut to_nothing, mut to_one) = (0.0, 0.0);
        for sum in sums {
            to_nothing += sum.abs();
            to_one += (sum - 1.0).abs();
        }
        if to_nothing < to_one { Scale::Symmetric } else { Scale::Probability }
    }

    /// Judges all decisions, in order.
    ///
    /// A decision is compared with the next one of which the bot knows the chance of the same seat:
    /// at two sides that is the next decision of the game, otherwise the seat's own next one, and
    /// the difference contains what chance and the opponents did in between. After the last decision
    /// the result counts. At two sides the loss is not known if the next decision was not analyzed,
    /// such as one by the referee.
    pub fn judged(&self) -> Vec<Judgement> {
        let scale = self.scale();
        let chance = |decision: &AnalyzedDecision| decision.score.map(|score| scale.chance(score));
        let judge = |(index, decision): (usize, &AnalyzedDecision)| {
            let before = chance(decision);
            let later = &self.decisions[index + 1..];
            let next = match self.is_two_sided {
                true => later.first(),
                false => later.iter().find(|next| next.seat == decision.seat),
            };
            let after = match next {
                Some(next) if self.is_two_sided && next.turn != decision.turn + 1 => None,
                Some(next) if next.seat == decision.seat => chance(next),
                Some(next) => chance(next).map(|chance| 1.0 - chance),
                None if self.is_complete => self.result.get(decision.seat).copied().flatten(),
                None => None,
            };
            let loss = match decision.best == decision.played {
                true => before.map(|_| 0.0),
                false => before.zip(after).map(|(before, after)| (before - after).max(0.0)),
            };
            Judgement { chance: before, loss }
        };
        self.decisions.iter().enumerate().map(judge).collect()
    }

    /// Counts the decisions of each seat that has one, in seat order.
    pub fn by_seat(&self) -> Vec<SeatCounts> {
        let mut counts: BTreeMap<usize, SeatCounts> = BTreeMap::new();
        for (decision, judged) in self.decisions.iter().zip(self.judged()) {
            let seat = decision.seat;
            let its = counts.entry(seat).or_insert(SeatCounts { seat, ..SeatCounts::default() });
            its.add(decision, &judged);
        }
        counts.into_values().collect()
    }

    /// Returns the file for the analysis of a replay by a bot, beside the replay.
    pub fn path(replay: &Path, bot: &str) -> PathBuf {
        companion(replay, bot, END)
    }

    /// Reads the file of an analysis. Returns `None` if there is none that this version can read.
    pub fn read(path: &Path) -> Option<Analysis> {
        let analysis: Analysis = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
        let is_sound = analysis.format == ANALYSIS_FORMAT
            && analysis.decisions.iter().all(|decision| decision.score.is_none_or(f64::is_finite));
        is_sound.then_some(analysis)
    }

    /// Returns all analyses beside a replay that are of this record, in the order of their bots'
    /// names.
    pub fn beside(replay: &Path) -> Vec<Analysis> {
        let mut found = stored_beside(replay);
        if found.is_empty() {
            return found;
        }
        let Some(chain) = last_chain(replay) else { return Vec::new() };
        found.retain(|analysis| analysis.chain == chain);
        found.sort_by(|one, other| one.bot.cmp(&other.bot));
        found
    }
}

/// The decisions of one seat, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SeatCounts {
    /// The seat, as an index from 0.
    pub seat: usize,
    /// The number of its decisions.
    pub decisions: u32,
    /// Those that the bot would have made too.
    pub same: u32,
    /// The number of [inaccuracies](Mistake::Inaccuracy).
    pub inaccuracies: u32,
    /// The number of [mistakes](Mistake::Mistake).
    pub mistakes: u32,
    /// The number of [blunders](Mistake::Blunder).
    pub blunders: u32,
    /// The sum of the known losses of winning chances.
    lost: f64,
    /// The number of decisions whose loss is known.
    judged: u32,
}

impl SeatCounts {
    /// Returns the mean loss of a decision, from 0 to 1, if any is known.
    pub fn mean_loss(&self) -> Option<f64> {
        (self.judged > 0).then(|| self.lost / f64::from(self.judged))
    }

    fn add(&mut self, decision: &AnalyzedDecision, judged: &Judgement) {
        self.decisions += 1;
        self.same += u32::from(decision.best == decision.played);
        match judged.mistake() {
            Some(Mistake::Inaccuracy) => self.inaccuracies += 1,
            Some(Mistake::Mistake) => self.mistakes += 1,
            Some(Mistake::Blunder) => self.blunders += 1,
            None => {}
        }
        if let Some(loss) = judged.loss {
            self.lost += loss;
            self.judged += 1;
        }
    }
}

/// Returns all analyses that are stored for a replay of this name, in any order.
fn stored_beside(replay: &Path) -> Vec<Analysis> {
    companions(replay, END).iter().filter_map(|(_, path)| Analysis::read(path)).collect()
}

/// Returns the shares of the points in an outcome; none if it does not count.
pub fn shares(outcome: &EndOutcome, scores: botyard_engine::Scores) -> Vec<f64> {
    outcome.scores.iter().map(|&points| scores.share(points)).collect()
}

/// Returns the chain of the last line of a replay that can be read.
fn last_chain(replay: &Path) -> Option<String> {
    let mut reader = ReplayReader::open(replay).ok()?;
    while let Some(Ok(_)) = reader.next() {}
    Some(reader.last_chain())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn analysis(is_two_sided: bool, decisions: &[(usize, f64, bool)]) -> Analysis {
        let decision =
            |(index, &(seat, score, agrees)): (usize, &(usize, f64, bool))| AnalyzedDecision {
                turn: index as u32 + 1,
                seat,
                played: json!(0),
                played_text: "0".into(),
                best: json!(u8::from(!agrees)),
                best_text: String::new(),
                score: Some(score),
                depth: None,
                pv: Vec::new(),
                wall_us: 0,
            };
        Analysis {
            format: ANALYSIS_FORMAT,
            game: "draughts".into(),
            game_id: "1".into(),
            chain: "00".into(),
            bot: "critic".into(),
            version: None,
            digest: String::new(),
            options: BTreeMap::new(),
            move_ms: 100,
            names: vec!["black".into(), "white".into()],
            seats: vec![0, 1],
            is_two_sided,
            result: vec![Some(1.0), Some(0.0)],
            is_complete: true,
            decisions: decisions.iter().enumerate().map(decision).collect(),
        }
    }

    #[test]
    fn scales_follow_from_the_scores() {
        for (decisions, expected) in [
            (&[(0, 0.5, true), (1, 0.5, true)][..], Scale::Probability),
            (&[(0, 0.9, true), (1, 0.1, true)], Scale::Probability),
            (&[(0, 0.1, true), (1, 0.0, true), (0, 0.0, true)], Scale::Symmetric),
            (&[(0, 0.2, true), (1, -0.2, true)], Scale::Symmetric),
            (&[(0, 0.2, true), (1, -1.2, true)], Scale::Unbounded),
            (&[], Scale::Probability),
        ] {
            assert_eq!(analysis(true, decisions).scale(), expected, "{decisions:?}");
        }
        assert_eq!(Scale::Symmetric.chance(0.0), 0.5);
        assert_eq!(Scale::Probability.chance(1.5), 1.0);
        assert!((Scale::Unbounded.chance(1.0) - 0.731).abs() < 0.001);
    }

    #[test]
    fn at_two_sides_the_opponents_next_score_is_what_is_left() {
        // The first seat threw away 0.75 - 0.25, the second nothing, because it did what the bot
        // would have done; the result takes the rest from the second seat, which did not.
        let game = analysis(true, &[(0, 0.75, false), (1, 0.75, true), (1, 0.25, false)]);
        let judged = game.judged();
        assert_eq!(judged[0], Judgement { chance: Some(0.75), loss: Some(0.5) });
        assert_eq!(judged[1].loss, Some(0.0));
        assert_eq!(judged[2].loss, Some(0.25));
        assert_eq!(judged[0].mistake(), Some(Mistake::Blunder));
        let [first, second] = game.by_seat()[..] else { panic!("two seats") };
        assert_eq!((first.decisions, first.same, first.blunders), (1, 0, 1));
        assert_eq!((second.decisions, second.same, second.blunders), (2, 1, 1));
        assert_eq!((first.mean_loss(), second.mean_loss()), (Some(0.5), Some(0.125)));
        let cut_off = Analysis { is_complete: false, ..game };
        assert_eq!(cut_off.judged()[2].loss, None);
    }

    #[test]
    fn what_lies_between_two_decisions_is_not_charged_to_the_first() {
        let losses = |game: &Analysis| -> Vec<Option<f64>> {
            game.judged().iter().map(|judged| judged.loss).collect()
        };
        let mut game = analysis(true, &[(0, 0.75, false), (0, 0.25, false)]);
        assert_eq!(losses(&game), [Some(0.5), Some(0.0)]);
        // The second seat made its decision without the analysis.
        game.decisions[1].turn = 3;
        assert_eq!(losses(&game), [None, Some(0.0)]);
        game.decisions[1].score = Some(1.0);
        game.result = vec![Some(0.0), Some(1.0)];
        assert_eq!(losses(&game), [None, Some(1.0)]);
        // The result of a seat whose bot failed.
        game.result = vec![None, Some(1.0)];
        assert_eq!(losses(&game), [None, None]);
    }

    #[test]
    fn elsewhere_a_seat_is_compared_with_itself() {
        let game = analysis(false, &[(0, 0.6, false), (1, 0.1, true), (0, 0.5, false)]);
        let losses: Vec<Option<f64>> = game.judged().iter().map(|judged| judged.loss).collect();
        assert!((losses[0].unwrap() - 0.1).abs() < 1e-9, "{losses:?}");
        assert_eq!(&losses[1..], [Some(0.0), Some(0.0)]);
        assert_eq!(game.judged()[0].mistake(), Some(Mistake::Mistake));
    }

    #[test]
    fn analyses_are_found_beside_their_replay_alone() {
        let folder = tempfile::tempdir().unwrap();
        let replay = folder.path().join("game-1.ndjson");
        let one = analysis(true, &[(0, 0.5, true)]);
        let write = |replay: &Path, bot: &str| {
            let analysis = Analysis { bot: bot.into(), ..one.clone() };
            let path = Analysis::path(replay, bot);
            fs::write(&path, serde_json::to_string(&analysis).unwrap()).unwrap();
            path
        };
        let path = write(&replay, "b/../c");
        assert_eq!(path.parent(), Some(folder.path()));
        write(&replay, "a");
        write(&folder.path().join("game-10.ndjson"), "other");
        fs::write(folder.path().join("game-1.x.analysis.json"), "{}").unwrap();
        let found = stored_beside(&folder.path().join("game-1.ndjson.gz"));
        let mut bots: Vec<&str> = found.iter().map(|analysis| analysis.bot.as_str()).collect();
        bots.sort_unstable();
        assert_eq!(bots, ["a", "b/../c"]);
    }
}
