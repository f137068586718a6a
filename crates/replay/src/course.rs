//! The course of a game: its adjudication, between the rules and the bots. It determines what is
//! due, plays and draws it at the table, rules on every fault of a bot, and determines the outcome.
//!
//! The referee drives a [`Course`] by what bots do, [`Playback`](crate::Playback) by what a replay
//! says they did. Both get the same rulings, so a record that the referee could not have written is
//! refused. There are no processes, clocks or files here: a timeout is passed in as a
//! [`FaultKind`].

use crate::adjudicator::{AdjudicatedEnd, Adjudicator, Streaks};
use botyard_engine::{
    ActionError, EndgameResult, GameEvent, MAX_SEATS, Seat, Seed, Stream, Table, Turn, random,
};
use botyard_protocol::{Adjudicated, EndOutcome, FaultKind, OnFault, OutcomeKind};
use std::fmt;
use std::ops::DerefMut;

/// How often a bot is asked again for the same decision, if faults are retried.
pub const RETRIES: u32 = 10;

/// The number of the fault by which a bot forfeits a game, if faults are substituted. A substitute
/// is played for each fault before it.
pub const STRIKES: u32 = 3;

/// The reason of a game that is void because the host did not let a bot run for long enough.
pub const STALLED: &str = "host_overloaded";

/// The reason of a game that is void because the host could not run a bot: its files are missing,
/// or it could not be started.
pub const HOST_FAILED: &str = "host_failed";

/// The reason of a game that is over without an outcome, which is an error in the game's
/// implementation.
const NO_OUTCOME: &str = "no_outcome";

/// What must happen next in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// The opening: [`Course::open`].
    Opening,
    /// A chance outcome: [`Course::draw`].
    Draw,
    /// A decision of the bot of this seat: [`Course::play`].
    Decision(Seat),
    /// A random legal action in place of the failed answer of this seat: [`Course::play_for`].
    Substitute(Seat),
    /// The pass of this seat, which has forfeited: [`Course::play_for`].
    Pass(Seat),
    /// Nothing: the game is over.
    Nothing,
}

impl fmt::Display for Due {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seat = |seat: &Seat| seat.index() + 1;
        match self {
            Due::Opening => write!(formatter, "the opening"),
            Due::Draw => write!(formatter, "a draw"),
            Due::Decision(of) => write!(formatter, "a decision of seat {}", seat(of)),
            Due::Substitute(of) => write!(formatter, "a substitute for seat {}", seat(of)),
            Due::Pass(of) => write!(formatter, "the pass of seat {}", seat(of)),
            Due::Nothing => write!(formatter, "nothing, because the game is over"),
        }
    }
}

/// The phase of the exchange in which a bot failed, on which the ruling depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Before the first decision: it could not be started, or was not ready in time.
    Setup,
    /// Before it received the question: it wrote a line without a question, or did not read the
    /// question. Such a fault is not retried.
    Asking,
    /// After it received the question.
    Answering,
    /// After the referee ended its program: because it used the cores outside its turn, or because
    /// the host looked too busy at its decision for the second time and the evidence is against the
    /// bot. A timeout in this phase always forfeits.
    Ended,
}

impl fmt::Display for Phase {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Phase::Setup => "before the first decision",
            Phase::Asking => "before it was asked",
            Phase::Answering => "after it was asked",
            Phase::Ended => "after its program had ended",
        })
    }
}

/// The consequence of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// The bot is asked again for the same decision.
    Retry,
    /// A random legal action is played for it.
    Substitute,
    /// The bot forfeits all its seats.
    Forfeit,
}

impl Ruling {
    /// Returns whether the bot forfeits.
    pub fn is_fatal(self) -> bool {
        self == Ruling::Forfeit
    }
}

/// A step that the course of a game does not allow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CourseError {
    /// Another step is due, or the game is over.
    #[error("expected {due}, got {step}")]
    NotDue {
        /// The step that is due.
        due: Due,
        /// The step that was tried.
        step: &'static str,
    },
    /// The rules refuse an action, an opening or a chance outcome.
    #[error(transparent)]
    Refused(#[from] ActionError),
    /// A draw without a seed.
    #[error("expected a seed to draw {0} from, but the game has none")]
    NoSeed(&'static str),
    /// A fault of a seat that has already forfeited.
    #[error("seat {} had forfeited before", .0.index() + 1)]
    Forfeited(Seat),
    /// A fault of a kind that is impossible in this phase.
    #[error("a bot cannot fail by {} {phase}", .kind.as_str())]
    Impossible {
        /// The kind.
        kind: FaultKind,
        /// The phase.
        phase: Phase,
    },
}

/// The random streams of a game.
struct Draws {
    seed: Seed,
    chance: Stream,
    substitutes: Stream,
}

/// The stage of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Unopened,
    /// Bots are set up; nothing has happened in the game.
    Setup,
    /// The game continues the record of an earlier game: no bot has been asked.
    Record,
    Playing,
}

/// What decided a game before the rules did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Forfeit(FaultKind),
    Adjudicated(AdjudicatedEnd),
    Stalled,
    HostFailed,
}

/// The adjudication of one game at a table, from its opening to its outcome.
///
/// Call [`due`](Course::due) for the next step, then the method for that step. A step that is not
/// due is refused and changes nothing. `T` is a `Box<dyn Table>` or a `&mut dyn Table` on which no
/// game was opened.
///
/// ```
/// use botyard_engine::{GameEvent, registry};
/// use botyard_protocol::{FaultKind, OnFault};
/// use botyard_replay::{Course, Due, Phase, Ruling};
///
/// let table = registry::tables("draughts", None, &[])?();
/// let mut course = Course::new(table, OnFault::Forfeit, &["one", "other"], Some(7.into()));
/// let mut game_event = GameEvent::default();
/// course.open(None)?;
/// let Due::Decision(seat) = course.due() else { panic!("a bot moves first") };
/// let first = course.legal()[0].to_string();
/// course.play(&first, &mut game_event)?;
/// let Due::Decision(other) = course.due() else { panic!("the other bot answers") };
/// let ruling = course.fault(other, FaultKind::Timeout, Phase::Answering)?;
/// assert_eq!(ruling, Ruling::Forfeit);
/// let outcome = course.outcome().expect("one seat is left");
/// assert_eq!((outcome.reason.as_str(), outcome.ranks[seat.index()]), ("forfeit_timeout", 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Course<T> {
    table: T,
    on_fault: OnFault,
    draws: Option<Draws>,
    seats: usize,
    /// For each seat, the first seat of the same bot, which identifies the bot here.
    bots: [u8; MAX_SEATS],
    stage: Stage,
    turn: u32,
    /// Faults in the decision in progress after which the bot was asked again.
    retries: u32,
    /// Whether a fault in the decision in progress was substituted: the referee plays for the seat.
    substituting: bool,
    /// Per bot, at the index of its first seat.
    strikes: [u32; MAX_SEATS],
    forfeited: [bool; MAX_SEATS],
    verdict: Option<Verdict>,
    adjudicator: Adjudicator,
    streaks: Streaks,
}

impl<'t, T: DerefMut<Target = dyn Table + 't>> Course<T> {
    /// Returns a game before its opening. `holders` gives for each seat, in seat order, its holder:
    /// seats with equal holders belong to one bot. Without a seed nothing can be drawn, only
    /// recorded outcomes can be played.
    ///
    /// # Panics
    ///
    /// If the number of holders is not the number of seats.
    pub fn new<H: PartialEq>(
        table: T,
        on_fault: OnFault,
        holders: &[H],
        seed: Option<Seed>,
    ) -> Course<T> {
        let seats = table.seats().len();
        assert_eq!(holders.len(), seats, "every seat has a holder");
        let mut bots = [0; MAX_SEATS];
        for (bot, holder) in bots.iter_mut().zip(holders) {
            *bot = holders.iter().position(|other| other == holder).unwrap_or_default() as u8;
        }
        let draws = seed.map(|seed| Draws {
            seed,
            chance: seed.stream("chance"),
            substitutes: seed.stream("substitute"),
        });
        Course {
            table,
            on_fault,
            draws,
            seats,
            bots,
            stage: Stage::Unopened,
            turn: 0,
            retries: 0,
            substituting: false,
            strikes: [0; MAX_SEATS],
            forfeited: [false; MAX_SEATS],
            verdict: None,
            adjudicator: Adjudicator::default(),
            streaks: Streaks::default(),
        }
    }

    /// Adds rules by which the game ends when its result is clear.
    #[must_use]
    pub fn adjudicated_by(self, adjudicator: Adjudicator) -> Course<T> {
        Course { adjudicator, ..self }
    }

    /// Returns the table in its current state. Before the game was opened, only methods that need
    /// no game in progress may be called.
    pub fn table(&self) -> &(dyn Table + 't) {
        &*self.table
    }

    /// Returns the legal actions of the seat whose turn it is: [`Table::legal`].
    pub fn legal(&mut self) -> Vec<serde_json::Value> {
        self.table.legal()
    }

    /// Appends the legal actions of the seat whose turn it is: [`Table::write_legal`].
    pub fn write_legal(&mut self, into: &mut Vec<u8>) {
        self.table.write_legal(into);
    }

    /// Returns an action of the seat whose turn it is in the game's own JSON, without playing it:
    /// [`Table::canonical_action`].
    ///
    /// # Errors
    ///
    /// JSON that is not an action, and actions that are not legal now.
    pub fn canonical_action(&mut self, action: &str) -> Result<String, ActionError> {
        self.table.canonical_action(action)
    }

    /// Returns what must happen next.
    pub fn due(&self) -> Due {
        if self.stage == Stage::Unopened {
            return Due::Opening;
        }
        if self.verdict.is_some() {
            return Due::Nothing;
        }
        match self.table.turn() {
            Turn::Over => Due::Nothing,
            Turn::Chance => Due::Draw,
            Turn::Seat(seat) if self.forfeited[seat.index()] => Due::Pass(seat),
            Turn::Seat(seat) if self.substituting => Due::Substitute(seat),
            Turn::Seat(seat) => Due::Decision(seat),
        }
    }

    /// Returns the number of the last decision; 0 before the first.
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// Returns whether there is a seed to draw from.
    pub fn has_seed(&self) -> bool {
        self.draws.is_some()
    }

    /// Returns whether a failure of a bot or of the host, or an adjudication, has decided the game
    /// before the rules did.
    pub fn is_decided(&self) -> bool {
        self.verdict.is_some()
    }

    /// Returns whether this seat has forfeited.
    pub fn has_forfeited(&self, seat: Seat) -> bool {
        self.forfeited[seat.index()]
    }

    /// Opens the game: with this opening, or with one drawn from the seed.
    ///
    /// # Errors
    ///
    /// The game was opened before, the rules refuse the opening, or there is no seed to draw from.
    pub fn open(&mut self, opening: Option<&str>) -> Result<GameEvent, CourseError> {
        if self.stage != Stage::Unopened {
            return Err(self.not_due("another opening"));
        }
        let opened = match opening {
            Some(opening) => self.table.open_with(opening)?,
            None => {
                let draws = self.draws.as_ref().ok_or(CourseError::NoSeed("the opening"))?;
                self.table.open(&mut draws.seed.stream("opening"))
            }
        };
        self.stage = Stage::Setup;
        Ok(opened)
    }

    /// Draws a chance outcome from the seed.
    ///
    /// # Errors
    ///
    /// No chance outcome is due, or there is no seed.
    pub fn draw(&mut self, game_event: &mut GameEvent) -> Result<(), CourseError> {
        self.expect_draw()?;
        let draws = self.draws.as_mut().ok_or(CourseError::NoSeed("a chance outcome"))?;
        self.table.draw(&mut draws.chance, game_event);
        self.leave_setup();
        Ok(())
    }

    /// Plays a recorded chance outcome, in a game without a seed.
    ///
    /// # Errors
    ///
    /// No chance outcome is due, or the rules refuse this one.
    pub fn draw_recorded(
        &mut self,
        outcome: &str,
        game_event: &mut GameEvent,
    ) -> Result<(), CourseError> {
        self.expect_draw()?;
        self.table.play_chance(outcome, game_event)?;
        self.leave_setup();
        Ok(())
    }

    /// Plays an action that the seat's bot has chosen. Decisions from a record are not allowed
    /// after that.
    ///
    /// # Errors
    ///
    /// No decision of a bot is due, or the rules refuse the action.
    pub fn play(&mut self, action: &str, game_event: &mut GameEvent) -> Result<(), CourseError> {
        self.play_with_info(action, None, game_event)
    }

    /// The same, with the `info` that the bot reported: the score in it may adjudicate the game.
    ///
    /// # Errors
    ///
    /// As in [`Course::play`].
    pub fn play_with_info(
        &mut self,
        action: &str,
        info: Option<&str>,
        game_event: &mut GameEvent,
    ) -> Result<(), CourseError> {
        let seat = self.expect_decision("a decision")?;
        self.table.play(action, game_event)?;
        self.decided();
        self.stage = Stage::Playing;
        self.adjudicate(seat, info);
        Ok(())
    }

    /// Plays an action from the record of an earlier game that this game continues.
    ///
    /// # Errors
    ///
    /// No decision of a bot is due, a bot was asked before, or the rules refuse the action.
    pub fn play_recorded(
        &mut self,
        action: &str,
        game_event: &mut GameEvent,
    ) -> Result<(), CourseError> {
        let step = "a decision from the record of an earlier game";
        self.expect_decision(step)?;
        if self.stage == Stage::Playing {
            return Err(self.not_due(step));
        }
        self.table.play(action, game_event)?;
        self.decided();
        Ok(())
    }

    /// Plays the referee's action for a seat: the pass of a seat that has forfeited, or a
    /// substitute drawn from the seed.
    ///
    /// # Errors
    ///
    /// Neither a pass nor a substitute is due, there is no seed to draw from, or the game's own
    /// pass is illegal.
    pub fn play_for(&mut self, game_event: &mut GameEvent) -> Result<(), CourseError> {
        let action = match self.due() {
            Due::Pass(_) => self.table.pass(),
            Due::Substitute(_) => {
                let draws = self.draws.as_mut().ok_or(CourseError::NoSeed("a substitute"))?;
                let legal = self.table.legal();
                let chosen = random::choose(draws.substitutes.rng(), &legal);
                chosen.map_or_else(|| self.table.pass(), ToString::to_string)
            }
            _ => return Err(self.not_due("an action of the referee")),
        };
        let seat = self.table.turn();
        self.table.play(&action, game_event)?;
        self.decided();
        if let Turn::Seat(seat) = seat {
            self.adjudicate(seat, None);
        }
        Ok(())
    }

    /// Returns the ruling on a fault of this seat's bot, if it happened now.
    ///
    /// # Errors
    ///
    /// The fault is impossible: the bot has forfeited or was not asked, or the kind does not exist
    /// in this phase.
    pub fn ruling(&self, seat: Seat, kind: FaultKind, phase: Phase) -> Result<Ruling, CourseError> {
        if self.has_forfeited(seat) {
            return Err(CourseError::Forfeited(seat));
        }
        let is_due = match phase {
            Phase::Setup => self.stage == Stage::Setup,
            _ => self.due() == Due::Decision(seat),
        };
        if !is_due {
            return Err(self.not_due("a failure of a bot that was not asked"));
        }
        let is_possible = match (phase, kind) {
            (Phase::Setup, FaultKind::IllegalAction) => false,
            (Phase::Setup | Phase::Answering, _) => true,
            // A retry means that the bot had received the question.
            (Phase::Asking, kind) => self.retries == 0 && kind != FaultKind::IllegalAction,
            (Phase::Ended, kind) => kind == FaultKind::Timeout || !can_go_on(kind),
        };
        if !is_possible {
            return Err(CourseError::Impossible { kind, phase });
        }
        Ok(match (self.on_fault, phase) {
            _ if !can_go_on(kind) => Ruling::Forfeit,
            (_, Phase::Setup | Phase::Ended) => Ruling::Forfeit,
            // The clock runs through retries, so after a timeout there is no time for one.
            (OnFault::Retry, Phase::Answering)
                if kind != FaultKind::Timeout && self.retries < RETRIES =>
            {
                Ruling::Retry
            }
            (OnFault::Substitute, _) if self.strikes[self.bot(seat)] + 1 < STRIKES => {
                Ruling::Substitute
            }
            _ => Ruling::Forfeit,
        })
    }

    /// Applies a fault of this seat's bot with its [`ruling`](Course::ruling): the bot must be
    /// asked again, a substitute is due, or the bot forfeits, this seat first and then its others.
    ///
    /// # Errors
    ///
    /// As in [`Course::ruling`].
    pub fn fault(
        &mut self,
        seat: Seat,
        kind: FaultKind,
        phase: Phase,
    ) -> Result<Ruling, CourseError> {
        let ruling = self.ruling(seat, kind, phase)?;
        if phase != Phase::Setup {
            self.stage = Stage::Playing;
        }
        match ruling {
            Ruling::Retry => self.retries += 1,
            Ruling::Substitute => {
                self.strikes[self.bot(seat)] += 1;
                self.substituting = true;
            }
            Ruling::Forfeit => self.forfeit(seat, kind),
        }
        Ok(ruling)
    }

    /// Ends the game as void because the host did not let a bot run for long enough, at its set-up
    /// or at the decision that is due. Faults in the set-up of other bots may follow; the game
    /// remains void.
    ///
    /// # Errors
    ///
    /// Neither a set-up nor a decision of a bot is in progress.
    pub fn stall(&mut self) -> Result<(), CourseError> {
        self.end_void(Verdict::Stalled, "a host that stalls a bot")
    }

    /// Ends the game as void because the host could not run a bot.
    ///
    /// # Errors
    ///
    /// Neither a set-up nor a decision of a bot is in progress.
    pub fn host_failed(&mut self) -> Result<(), CourseError> {
        self.end_void(Verdict::HostFailed, "a host that cannot run a bot")
    }

    fn end_void(&mut self, verdict: Verdict, what: &'static str) -> Result<(), CourseError> {
        let is_due = self.stage == Stage::Setup || matches!(self.due(), Due::Decision(_));
        if !is_due {
            return Err(self.not_due(what));
        }
        self.verdict = Some(verdict);
        Ok(())
    }

    /// Ends the game as endgame tables did that are not there now, by its recorded result for the
    /// seat whose turn it is.
    ///
    /// # Errors
    ///
    /// The game is not adjudicated by tables, the tables are there, or no decision of a bot is due.
    pub fn end_by_recorded_tables(&mut self, result: EndgameResult) -> Result<(), CourseError> {
        let step = "an end by endgame tables";
        let end = AdjudicatedEnd::by_tables(&*self.table, result);
        match end.filter(|_| self.adjudicator.lacks_tables() && self.turn > 0) {
            Some(end) if self.due() != Due::Nothing => {
                self.verdict = Some(Verdict::Adjudicated(end));
                Ok(())
            }
            _ => Err(self.not_due(step)),
        }
    }

    /// Returns the rule that adjudicated the game, if one did.
    pub fn adjudicated(&self) -> Option<Adjudicated> {
        match self.verdict {
            Some(Verdict::Adjudicated(end)) => Some(end.rule),
            _ => None,
        }
    }

    /// Counts a decision of a seat for the rules of adjudication, and applies them.
    fn adjudicate(&mut self, seat: Seat, info: Option<&str>) {
        if self.adjudicator.is_off() || self.verdict.is_some() {
            return;
        }
        let played = (seat, self.turn);
        let end = self.streaks.count(&self.adjudicator, &*self.table, played, info);
        self.verdict = end.map(Verdict::Adjudicated);
    }

    /// Returns the outcome; `None` while the game is not over.
    pub fn outcome(&self) -> Option<EndOutcome> {
        if self.due() != Due::Nothing {
            return None;
        }
        let (kind, forfeit) = match self.verdict {
            Some(Verdict::Stalled) => return Some(void(STALLED)),
            Some(Verdict::HostFailed) => return Some(void(HOST_FAILED)),
            Some(Verdict::Adjudicated(end)) => {
                let (scores, ranks) = end.scores_and_ranks();
                let reason = end.rule.reason().to_string();
                return Some(EndOutcome { kind: OutcomeKind::Completed, scores, ranks, reason });
            }
            Some(Verdict::Forfeit(kind)) => (OutcomeKind::BotFault, Some(kind)),
            None => (OutcomeKind::Completed, None),
        };
        let Some(outcome) = self.table.outcome() else { return Some(void(NO_OUTCOME)) };
        let reason = match forfeit {
            Some(kind) => forfeit_reason(kind),
            None => outcome.reason.to_string(),
        };
        let (scores, ranks) = if self.forfeited[..self.seats].iter().all(|&lost| lost) {
            // Failing last is not a win: if every seat has forfeited, none wins.
            (vec![self.table.scores().least; self.seats], vec![1; self.seats])
        } else {
            (outcome.scores.to_vec(), outcome.ranks.to_vec())
        };
        Some(EndOutcome { kind, scores, ranks, reason })
    }

    fn forfeit(&mut self, seat: Seat, kind: FaultKind) {
        let bot = self.bots[seat.index()];
        let is_other = |other: &Seat| *other != seat && self.bots[other.index()] == bot;
        let others = Seat::all(self.seats).filter(is_other);
        for lost in std::iter::once(seat).chain(others) {
            self.forfeited[lost.index()] = true;
            if self.table.turn() != Turn::Over {
                self.table.forfeit(lost);
            }
        }
        if self.table.turn() == Turn::Over {
            self.verdict.get_or_insert(Verdict::Forfeit(kind));
        }
    }

    fn bot(&self, seat: Seat) -> usize {
        usize::from(self.bots[seat.index()])
    }

    fn expect_draw(&self) -> Result<(), CourseError> {
        if self.due() == Due::Draw { Ok(()) } else { Err(self.not_due("a draw")) }
    }

    fn expect_decision(&self, step: &'static str) -> Result<Seat, CourseError> {
        match self.due() {
            Due::Decision(seat) => Ok(seat),
            _ => Err(self.not_due(step)),
        }
    }

    fn not_due(&self, step: &'static str) -> CourseError {
        CourseError::NotDue { due: self.due(), step }
    }

    /// Advances to the next decision after one was played, whether by a bot or by the referee.
    fn decided(&mut self) {
        self.turn += 1;
        self.retries = 0;
        self.substituting = false;
        self.leave_setup();
    }

    fn leave_setup(&mut self) {
        if self.stage == Stage::Setup {
            self.stage = Stage::Record;
        }
    }
}

/// Returns the reason of a game that a fault of this kind decided: `forfeit_timeout`, ...
pub fn forfeit_reason(kind: FaultKind) -> String {
    format!("forfeit_{}", kind.as_str())
}

fn void(reason: &str) -> EndOutcome {
    EndOutcome {
        kind: OutcomeKind::Void,
        scores: Vec::new(),
        ranks: Vec::new(),
        reason: reason.to_string(),
    }
}

/// Returns whether a bot can continue after a fault of this kind: its program runs, and the
/// boundaries of its lines are known.
fn can_go_on(kind: FaultKind) -> bool {
    matches!(kind, FaultKind::Timeout | FaultKind::IllegalAction | FaultKind::Protocol)
}
