//! A game followed step by step on a table of its own, so that each step is in the game's words for the position
//! in which it happened.

use crate::plan::Plan;
use botyard_engine::{Happening, Seat, Table, Turn};
use botyard_protocol::Fault;
use botyard_referee::Progress;

/// What a spectator sees.
#[derive(Debug)]
pub enum Sight<'a> {
    /// The position in words: at the start, at the end, and whenever the turn comes round to the first seat.
    Position(String),
    /// Something was drawn.
    Drawn {
        /// What, in words.
        words: String,
    },
    /// A seat has decided.
    Moved {
        /// The number of the decision, from 1.
        turn: u32,
        /// The name of the seat.
        seat: &'a str,
        /// Its action, in words.
        words: String,
        /// How long it took, in microseconds of wall-clock time; `None` where the referee played for it.
        wall_us: Option<u64>,
    },
    /// A bot's text for the log. Not made printable.
    Logged {
        /// The bot's name.
        player: &'a str,
        /// What it said.
        text: &'a str,
    },
    /// A bot has failed.
    Failed {
        /// How.
        fault: &'a Fault,
        /// Whether it has lost its seats by this.
        fatal: bool,
    },
}

/// Follows the games of a plan, one after the other.
pub struct Spectator<'a> {
    plan: &'a Plan,
    /// The game as it was before the next step.
    table: Box<dyn Table>,
    last_seat: Option<Seat>,
}

impl<'a> Spectator<'a> {
    /// A spectator of the games of this plan.
    pub fn new(plan: &'a Plan) -> Spectator<'a> {
        Spectator { plan, table: (plan.tables)(), last_seat: None }
    }

    /// Follows a step, and shows what there is to see of it.
    ///
    /// # Errors
    ///
    /// Those of `show`; the spectator is of no use after them.
    pub fn step<E>(
        &mut self,
        progress: &Progress<'_>,
        mut show: impl FnMut(Sight<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        // The table of the referee has accepted every step, so this one does.
        match *progress {
            Progress::Opened { opening, .. } => {
                // A void game is repeated.
                self.table = (self.plan.tables)();
                self.last_seat = None;
                let _ = self.table.open_with(&opening.full);
                show(Sight::Position(self.table.text()))
            }
            Progress::Drawn { drawn, .. } => {
                let words = self.table.chance_text(&drawn.full);
                let _ = self.table.play_chance(&drawn.full, &mut Happening::default());
                show(Sight::Drawn { words })
            }
            Progress::Moved { turn, seat, played, wall_us, .. } => {
                let words = self.table.action_text(&played.full);
                let name = self.plan.seats.get(seat.index()).map_or("", String::as_str);
                show(Sight::Moved { turn, seat: name, words, wall_us })?;
                let _ = self.table.play(&played.full, &mut Happening::default());
                self.last_seat = Some(seat);
                if self.begins_anew() { show(Sight::Position(self.table.text())) } else { Ok(()) }
            }
            Progress::Logged { player, text } => show(Sight::Logged { player, text }),
            Progress::Failed { fault, fatal } => {
                if let Some(seat) = self.plan.seats.iter().position(|seat| *seat == fault.seat)
                    && fatal
                    && self.table.turn() != Turn::Over
                {
                    self.table.forfeit(Seat::new(seat));
                }
                show(Sight::Failed { fault, fatal })
            }
            Progress::Ended { .. } => show(Sight::Position(self.table.text())),
        }
    }

    /// Whether the turn has come round to the first seat.
    fn begins_anew(&self) -> bool {
        let first = Seat::new(0);
        self.table.turn() == Turn::Seat(first) && self.last_seat != Some(first)
    }
}
