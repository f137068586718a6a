//! A spectator of games, with its own table. It describes each step in the game's words for the
//! position in which it happened.

use crate::plan::Plan;
use botyard_engine::{GameEvent, Seat, Table, Turn};
use botyard_protocol::Fault;
use botyard_referee::Progress;

/// An event for a spectator.
#[derive(Debug)]
pub enum Sight<'a> {
    /// The position as text: at the start, at the end, and whenever the first seat is to move
    /// again.
    Position(String),
    /// A chance event.
    Drawn {
        /// Its description.
        words: String,
    },
    /// A seat has decided.
    Moved {
        /// The number of the decision, from 1.
        turn: u32,
        /// The name of the seat.
        seat: &'a str,
        /// Its action, as text.
        words: String,
        /// The wall-clock time it took, in microseconds. `None`: the referee substituted the
        /// action.
        wall_us: Option<u64>,
        /// The part of it that is not charged, because the host took it, in microseconds.
        excused_us: u64,
        /// What its bot said about it, as JSON.
        info: Option<&'a str>,
    },
    /// A bot's log text. May contain control characters.
    Logged {
        /// The bot's name.
        player: &'a str,
        /// The text.
        text: &'a str,
    },
    /// A fault of a bot.
    Failed {
        /// The fault.
        fault: &'a Fault,
        /// Whether the bot forfeits its seats.
        fatal: bool,
    },
}

/// Follows the games of a plan, one after another.
pub struct Spectator<'a> {
    plan: &'a Plan,
    /// The game before the next step.
    table: Box<dyn Table>,
    last_seat: Option<Seat>,
}

impl<'a> Spectator<'a> {
    /// Makes a spectator of the games of this plan.
    pub fn new(plan: &'a Plan) -> Spectator<'a> {
        Spectator { plan, table: (plan.tables)(), last_seat: None }
    }

    /// Follows a step, and shows it.
    ///
    /// # Errors
    ///
    /// Those of `show`. The spectator cannot be used after an error.
    pub fn step<E>(
        &mut self,
        progress: &Progress<'_>,
        mut show: impl FnMut(Sight<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        // The referee's table has accepted the step, so this table does too.
        match *progress {
            Progress::Opened { opening, .. } => {
                // A void game starts again.
                self.table = (self.plan.tables)();
                self.last_seat = None;
                let _ = self.table.open_with(&opening.full);
                show(Sight::Position(self.table.text()))
            }
            Progress::Drawn { drawn, .. } => {
                let words = self.table.chance_text(&drawn.full);
                let _ = self.table.play_chance(&drawn.full, &mut GameEvent::default());
                show(Sight::Drawn { words })
            }
            Progress::Moved { turn, seat, played, wall_us, excused_us, info, .. } => {
                let words = self.table.action_text(&played.full);
                let name = self.plan.seats.get(seat.index()).map_or("", String::as_str);
                show(Sight::Moved { turn, seat: name, words, wall_us, excused_us, info })?;
                let _ = self.table.play(&played.full, &mut GameEvent::default());
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
            Progress::Waited { .. } => Ok(()),
            Progress::Ended { .. } => show(Sight::Position(self.table.text())),
        }
    }

    /// Returns whether the first seat is to move again.
    fn begins_anew(&self) -> bool {
        let first = Seat::new(0);
        self.table.turn() == Turn::Seat(first) && self.last_seat != Some(first)
    }
}
