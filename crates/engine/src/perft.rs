//! Perft for any game: counts the sequences of N plies from a position. It finds errors in a move
//! generator and measures its speed. A game offers it as
//! [`Notation::perft`](crate::Notation::perft); [`crate::registry::perft`] sets it up by name.

use serde::Serialize;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// [`count_in_parts`] reports progress, and can be stopped, between parts of this depth.
pub const PART_DEPTH: u32 = 8;

/// What is counted as one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// Every path is a separate move: the published convention (OEIS A133046 for draughts).
    Paths,
    /// Moves with the same effect are one: captures with the same start, end and set of captured
    /// pieces.
    Effects,
}

/// A position from which sequences are counted.
pub trait Perft {
    /// Returns the position in the game's notation.
    fn position(&self) -> String;

    /// Returns the number of sequences of `depth` plies; 1 for a depth of 0.
    fn count(&self, depth: u32) -> u64;

    /// Lists the legal moves as text, each with the position after it; merged as [`Counting`] says.
    fn moves(&self) -> Vec<(String, Box<dyn Perft>)>;
}

/// Computes [`Perft::count`] in parts. After each part, calls `on_part` with the part's share of
/// the whole, 0 to 1; it returns whether to continue. Returns `None` if it stopped.
pub fn count_in_parts(
    from: &dyn Perft,
    depth: u32,
    on_part: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Option<u64> {
    fn count(
        from: &dyn Perft,
        depth: u32,
        share: f64,
        on_part: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Option<u64> {
        if depth <= PART_DEPTH {
            let nodes = from.count(depth);
            return on_part(share).is_continue().then_some(nodes);
        }
        let moves = from.moves();
        let share = share / moves.len() as f64;
        moves.into_iter().map(|(_, after)| count(&*after, depth - 1, share, on_part)).sum()
    }
    count(from, depth, 1.0, on_part)
}

/// A step of [`count_depths`] or [`divide`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step<'a> {
    /// The count of this depth begins.
    Begun(u32),
    /// This share of the count is finished, 0 to 1.
    Progress(f64),
    /// The nodes after a move.
    Move(&'a str, u64),
    /// All nodes at a depth.
    Counted(u32, u64),
}

/// An event of a count, as `botyard perft --json` prints it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum PerftEvent<'a> {
    /// All nodes at a depth.
    Depth {
        /// The depth, in plies.
        depth: u32,
        /// The number of nodes.
        nodes: u64,
        /// How long the count took.
        seconds: f64,
        /// The speed.
        nodes_per_second: f64,
    },
    /// The nodes after a move.
    Move {
        /// The move.
        r#move: &'a str,
        /// The number of nodes.
        nodes: u64,
    },
    /// The count was stopped.
    Interrupted {
        /// The last depth that was counted; 0 if there is none.
        finished_depth: u32,
    },
}

/// The clock of a count: it makes events of steps.
#[derive(Clone, Copy, Debug)]
pub struct PerftClock {
    begun: Instant,
    finished_depth: u32,
}

impl Default for PerftClock {
    fn default() -> PerftClock {
        PerftClock { begun: Instant::now(), finished_depth: 0 }
    }
}

impl PerftClock {
    /// Returns the event of a step; `None` if it has no number.
    pub fn event<'a>(&mut self, step: Step<'a>) -> Option<PerftEvent<'a>> {
        match step {
            Step::Begun(_) => self.begun = Instant::now(),
            Step::Counted(depth, _) => self.finished_depth = depth,
            Step::Progress(_) | Step::Move(..) => {}
        }
        PerftEvent::of(step, self.begun.elapsed())
    }

    /// Returns the event after the count was stopped.
    pub fn interrupted(&self) -> PerftEvent<'static> {
        PerftEvent::Interrupted { finished_depth: self.finished_depth }
    }
}

impl<'a> PerftEvent<'a> {
    /// Returns the event of a step, `elapsed` after its count began; `None` if it has no number.
    pub fn of(step: Step<'a>, elapsed: Duration) -> Option<PerftEvent<'a>> {
        match step {
            Step::Begun(_) | Step::Progress(_) => None,
            Step::Move(r#move, nodes) => Some(PerftEvent::Move { r#move, nodes }),
            Step::Counted(depth, nodes) => {
                let seconds = elapsed.as_secs_f64();
                // The clock may not have advanced while seven moves were counted.
                let nodes_per_second = nodes as f64 / seconds.max(1e-9);
                Some(PerftEvent::Depth { depth, nodes, seconds, nodes_per_second })
            }
        }
    }
}

/// The counts as a table of text.
#[derive(Clone, Copy, Debug)]
pub struct PerftTable {
    /// The depth to count to, in plies.
    pub depth: u32,
    /// Whether the nodes after each move are counted, as by [`divide`].
    pub divide: bool,
}

impl PerftTable {
    const HEADING: &str = "depth            nodes    seconds   Mnodes/s\n";

    /// Returns the lines before the first event.
    pub fn heading(&self) -> &'static str {
        if self.divide { "" } else { PerftTable::HEADING }
    }

    /// Returns the line of an event.
    pub fn line(&self, event: PerftEvent<'_>) -> String {
        match event {
            PerftEvent::Move { r#move: mv, nodes } => format!("{mv:<16} {nodes:>16}\n"),
            PerftEvent::Depth { depth, nodes, seconds, nodes_per_second } => {
                let rate = nodes_per_second / 1e6;
                let line = format!("{depth:>5} {nodes:>16} {seconds:>10.4} {rate:>10.1}\n");
                if self.divide { format!("\n{}{line}", PerftTable::HEADING) } else { line }
            }
            PerftEvent::Interrupted { finished_depth } => {
                let done = match (self.divide, finished_depth) {
                    (true, _) => "the moves above are complete, the others were not counted".into(),
                    (false, 0) => "no depth was finished".to_string(),
                    (false, depth) => format!("depth {depth} of {} was finished", self.depth),
                };
                format!("interrupted: {done}\n")
            }
        }
    }
}

/// Receives every [`Step`], and returns whether to continue.
pub type OnStep<'a, B> = dyn FnMut(Step<'_>) -> ControlFlow<B> + 'a;

/// Counts every depth up to `depth`, one after the other.
pub fn count_depths<B>(
    from: &dyn Perft,
    depth: u32,
    on_step: &mut OnStep<'_, B>,
) -> ControlFlow<B> {
    for depth in 1..=depth {
        on_step(Step::Begun(depth))?;
        let nodes = nodes(from, depth, 1.0, &mut 0.0, on_step)?;
        on_step(Step::Counted(depth, nodes))?;
    }
    ControlFlow::Continue(())
}

/// Counts the nodes at `depth` after each move.
pub fn divide<B>(from: &dyn Perft, depth: u32, on_step: &mut OnStep<'_, B>) -> ControlFlow<B> {
    on_step(Step::Begun(depth))?;
    let moves = from.moves();
    let share = 1.0 / moves.len() as f64;
    let (mut total, mut done) = (0, 0.0);
    for (mv, after) in moves {
        let nodes = nodes(&*after, depth - 1, share, &mut done, on_step)?;
        on_step(Step::Move(&mv, nodes))?;
        total += nodes;
    }
    on_step(Step::Counted(depth, total))
}

/// Counts in parts. `share` is this part of the whole, `done` the part counted so far.
fn nodes<B>(
    from: &dyn Perft,
    depth: u32,
    share: f64,
    done: &mut f64,
    on_step: &mut OnStep<'_, B>,
) -> ControlFlow<B, u64> {
    let mut stopped = None;
    let counted = count_in_parts(from, depth, &mut |part| {
        *done += share * part;
        match on_step(Step::Progress(*done)) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(reason) => {
                stopped = Some(reason);
                ControlFlow::Break(())
            }
        }
    });
    match stopped {
        Some(reason) => ControlFlow::Break(reason),
        // Only a stop leaves a count unfinished.
        None => ControlFlow::Continue(counted.unwrap_or_default()),
    }
}
