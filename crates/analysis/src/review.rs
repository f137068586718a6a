//! The review of a game for the person who played it: how many of their decisions were mistakes, and
//! the worst of them. It is a few lines of the [analysis](crate::run) of the same game.

use crate::read_replay::SoundReplay;
use crate::run::{AnalysisConfig, Observer, run};
use botyard_protocol::printable;
use botyard_referee::Interrupt;
use botyard_replay::{Analysis, AnalyzedDecision, Judgement, Mistake};
use botyard_runner::words::counted;
use botyard_runner::{Error, Programs};
use serde::Serialize;
use std::path::PathBuf;

/// The number of the worst decisions in a review.
const WORST: usize = 3;

/// How much of an action is shown, in characters.
const CHARACTERS: usize = 60;

/// A review of the decisions of one person.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Review {
    /// The bot that made the analysis, by its name.
    pub bot: String,
    /// The number of the person's decisions.
    pub decisions: u32,
    /// The number of inaccuracies, mistakes and blunders among them.
    pub mistakes: u32,
    /// The worst of these, the worst one first.
    pub worst: Vec<Mistaken>,
    /// Whether what was lost contains chance and what the other seats did until the next decision.
    pub is_rough: bool,
}

/// A decision that was a mistake.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mistaken {
    /// The number of the decision in the game, from 1.
    pub turn: u32,
    /// `?!`, `?` or `??`.
    pub mark: &'static str,
    /// What the person played, as text.
    pub played: String,
    /// What was better, as text.
    pub better: String,
    /// The winning chance that the decision lost, from 0 to 1.
    pub lost: f64,
}

/// Makes the review of the seats that `config` names, one or more. The analysis is stored beside the
/// replay. Returns the review with the file of the analysis.
///
/// # Errors
///
/// Those of [`run`].
pub fn review(
    config: &AnalysisConfig,
    programs: &Programs,
    interrupt: &Interrupt,
    observer: &mut dyn Observer,
) -> Result<(Review, PathBuf), Error> {
    let record = SoundReplay::read(&config.replay)?;
    let own = record.seats(&config.seats)?;
    let mut config = config.clone();
    if record.is_two_sided {
        // The next decision of the opponent says what a decision has lost.
        config.seats.clear();
    }
    let (analysis, path) = run(&config, programs, interrupt, observer)?;
    let own: Vec<usize> = own.iter().map(|seat| seat.index()).collect();
    Ok((Review::of(&analysis, &own), path))
}

impl Review {
    /// Returns the review of these seats, by their indices.
    fn of(analysis: &Analysis, own: &[usize]) -> Review {
        let judged = analysis.judged();
        let decided = || {
            let pairs = analysis.decisions.iter().zip(&judged);
            pairs.filter(|(decision, _)| own.contains(&decision.seat))
        };
        let mut mistaken: Vec<Mistaken> = decided().filter_map(Mistaken::of).collect();
        // Ties keep the order of the game.
        mistaken.sort_by(|one, other| other.lost.total_cmp(&one.lost));
        let mistakes = mistaken.len() as u32;
        mistaken.truncate(WORST);
        Review {
            bot: printable(&analysis.bot, CHARACTERS),
            decisions: decided().count() as u32,
            mistakes,
            worst: mistaken,
            is_rough: !analysis.is_two_sided,
        }
    }

    /// Returns the review as text.
    pub fn to_text(&self) -> String {
        let Review { bot, decisions, mistakes, .. } = self;
        let (of, made) = (counted(*decisions, "decision"), counted(*mistakes, "mistake"));
        let mut text = match mistakes {
            0 => format!("no mistakes in {of}, says {bot}\n"),
            1..=3 => format!("{made} in {of}, says {bot}:\n"),
            _ => format!("{made} in {of}, says {bot}; the worst:\n"),
        };
        for Mistaken { turn, mark, played, better, lost } in &self.worst {
            text.push_str(&format!(
                "  turn {turn}{mark} {played}; better {better}, by {:.0} percentage points\n",
                100.0 * lost
            ));
        }
        if self.is_rough && *mistakes > 0 {
            text.push_str("  these include luck and what others did before your next decision\n");
        }
        text
    }
}

impl Mistaken {
    fn of((decision, judged): (&AnalyzedDecision, &Judgement)) -> Option<Mistaken> {
        let (lost, mark) = (judged.loss?, judged.mistake().map(Mistake::mark)?);
        Some(Mistaken {
            turn: decision.turn,
            mark,
            played: printable(&decision.played_text, CHARACTERS),
            better: printable(&decision.best_text, CHARACTERS),
            lost,
        })
    }
}
