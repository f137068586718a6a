//! The review of a game that is over: how many mistakes the person made. It is made on a thread of its
//! own, from a copy of the recording, and only if the person asks for it.

use botyard_analysis::{AnalysisConfig, Observer, Review, review};
use botyard_play::reviewer as reviewer_bot;
use botyard_referee::Interrupt;
use botyard_replay::AnalyzedDecision;
use botyard_runner::{ContainmentConfig, Error, Message, Programs};
use crossbeam_channel::{Receiver, RecvError, Sender, never, unbounded};
use serde_json::{Value, json};
use std::fs;
use std::thread::{self, JoinHandle};

/// What makes reviews.
#[derive(Clone, Debug)]
pub struct Reviewer {
    /// The programs, with the bots.
    pub programs: Programs,
    /// The containment of the bot that reviews.
    pub containment: ContainmentConfig,
}

/// A review that was asked for.
pub(crate) struct Reviewing {
    /// What pages show of it.
    shown: Value,
    news: Receiver<Value>,
    /// Ends the analysis when the person leaves.
    _analysis: Option<EndOnDrop>,
}

/// The thread of an analysis. Its files have what is hidden in the game: the program must not end before
/// the thread has deleted them.
struct EndOnDrop {
    interrupt: Interrupt,
    thread: Option<JoinHandle<()>>,
}

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        self.interrupt.raise();
        // A panic was reported when it happened.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

impl Reviewing {
    /// Begins the review of a recorded game for the person who had these seats. `kept`: the file in which
    /// the game is kept, if it is.
    pub(crate) fn begin(
        reviewer: Reviewer,
        replay: Vec<u8>,
        seats: Vec<String>,
        kept: Option<String>,
    ) -> Reviewing {
        let interrupt = match Interrupt::new() {
            Ok(interrupt) => interrupt,
            Err(error) => {
                let shown = json!({ "problem": error.to_string() });
                return Reviewing { shown, news: never(), _analysis: None };
            }
        };
        let (sender, news) = unbounded();
        let raised = interrupt.clone();
        let thread = thread::spawn(move || {
            let made = made(&reviewer, &replay, seats, &raised, &sender);
            let shown = match made {
                Ok(review) => with_file(&review, kept),
                Err(error) => json!({ "problem": error.message().text(reviewer.programs.name) }),
            };
            // The person may have left.
            let _ = sender.send(shown);
        });
        let analysis = EndOnDrop { interrupt, thread: Some(thread) };
        Reviewing { shown: json!({}), news, _analysis: Some(analysis) }
    }

    /// Whether there will be no review, so that another one may be asked for.
    pub(crate) fn has_failed(&self) -> bool {
        self.shown.get("problem").is_some()
    }

    /// Returns the channel of what is new.
    pub(crate) fn news(&self) -> Receiver<Value> {
        self.news.clone()
    }

    /// Records what is new, or that nothing more will be.
    pub(crate) fn hear(&mut self, news: Result<Value, RecvError>) {
        match news {
            Ok(shown) => self.shown = shown,
            Err(RecvError) => self.news = never(),
        }
    }

    /// Returns what pages show: how far the review is (`done`, `of`), the review, or a `problem`.
    pub(crate) fn as_json(&self) -> &Value {
        &self.shown
    }
}

fn with_file(review: &Review, kept: Option<String>) -> Value {
    let mut shown = serde_json::to_value(review).unwrap_or_default();
    shown["file"] = json!(kept);
    shown
}

fn made(
    reviewer: &Reviewer,
    replay: &[u8],
    seats: Vec<String>,
    interrupt: &Interrupt,
    sender: &Sender<Value>,
) -> Result<Review, Error> {
    let place =
        tempfile::Builder::new().prefix("botyard-review-").tempdir().map_err(Error::host)?;
    let file = place.path().join("game.ndjson");
    fs::write(&file, replay).map_err(Error::host)?;
    let config = AnalysisConfig {
        seats,
        containment: reviewer.containment.clone(),
        ..AnalysisConfig::by_nodes(&file, reviewer_bot())
    };
    let mut progress = Progress { sender, done: 0, of: 0 };
    Ok(review(&config, &reviewer.programs, interrupt, &mut progress)?.0)
}

struct Progress<'a> {
    sender: &'a Sender<Value>,
    done: usize,
    of: usize,
}

impl Progress<'_> {
    fn send(&self) {
        // The person may have left.
        let _ = self.sender.send(json!({ "done": self.done, "of": self.of }));
    }
}

impl Observer for Progress<'_> {
    fn warn(&mut self, _: &[Message]) {}

    fn started(&mut self, decisions: usize, stored: usize) {
        (self.done, self.of) = (stored, decisions);
        self.send();
    }

    fn decided(&mut self, _: &AnalyzedDecision) {
        self.done += 1;
        self.send();
    }
}
