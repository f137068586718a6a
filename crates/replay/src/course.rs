//! The course of a game: the adjudication that stands between the rules and the bots. It says what is
//! due, plays and draws it at the table, rules on every failure of a bot, and knows how the game ended.
//!
//! The referee drives a [`Course`] by what bots do, [`Playback`](crate::Playback) by what a replay says they
//! did. Both get the same rulings, so a record that the referee could not have written is refused.
//! There are no processes, clocks or files here: a timeout comes in as a [`FaultKind`].

use botyard_engine::{ActionError, Happening, MAX_SEATS, Seat, Seed, Stream, Table, Turn, random};
use botyard_protocol::{EndOutcome, FaultKind, OnFault, OutcomeKind};
use std::fmt;
use std::ops::DerefMut;

/// How often a bot is asked again for the same decision, where failures are retried.
pub const RETRIES: u32 = 10;

/// The failure of a bot in one game by which it forfeits, where failures are substituted. Those before
/// it are forgiven.
pub const STRIKES: u32 = 3;

/// The reason of a game that is void because the host did not let a bot run for long enough.
pub const STALLED: &str = "host_overloaded";

/// The reason of a game that is void because the host could not run a bot: its files are gone, or it could
/// not be started.
pub const HOST_FAILED: &str = "host_failed";

/// The reason of a game that is over without an outcome: its rules break their contract.
const NO_OUTCOME: &str = "no_outcome";

/// What a game waits for.
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

/// When a bot failed, as far as the ruling depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Before the first decision: it could not be started, or was not ready in time.
    Setup,
    /// Before it had the question: it wrote a line that nobody had asked for, or did not take the
    /// question. Such a failure is not retried.
    Asking,
    /// After it had the question.
    Answering,
    /// When its program had been ended by the referee: for using the cores outside its turn, or because
    /// the host looked too busy for the second time at its decision and the evidence is against the
    /// bot. Its timeout is not forgiven.
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

/// What follows from a failure.
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
    /// Whether the bot is out of the game by this.
    pub fn is_fatal(self) -> bool {
        self == Ruling::Forfeit
    }
}

/// A step that the course of a game does not allow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CourseError {
    /// Something else must happen first, or nothing may happen any more.
    #[error("expected {due}, got {step}")]
    NotDue {
        /// What must happen.
        due: Due,
        /// What was tried.
        step: &'static str,
    },
    /// The rules refuse an action, an opening or a chance outcome.
    #[error(transparent)]
    Refused(#[from] ActionError),
    /// A draw from the seed in a game that has none.
    #[error("expected a seed to draw {0} from, but the game has none")]
    NoSeed(&'static str),
    /// A failure of a seat that had forfeited before.
    #[error("seat {} had forfeited before", .0.index() + 1)]
    Forfeited(Seat),
    /// A failure of a kind that there is not in this phase.
    #[error("a bot cannot fail by {} {phase}", .kind.as_str())]
    Impossible {
        /// The kind.
        kind: FaultKind,
        /// The phase.
        phase: Phase,
    },
}

/// What everything drawn in a game comes from.
struct Draws {
    seed: Seed,
    chance: Stream,
    substitutes: Stream,
}

/// How far a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Unopened,
    /// Bots are told of the game; nothing has happened in it.
    Setup,
    /// It goes on from the record of an earlier game: no bot has been asked.
    Record,
    Playing,
}

/// What decided a game before the rules did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Forfeit(FaultKind),
    Stalled,
    HostFailed,
}

/// The adjudication of one game at a table, from its opening to its outcome.
///
/// Ask what is [`due`](Course::due) and say what happened; a step that is not due is refused and
/// changes nothing. `T` is a `Box<dyn Table>` or a `&mut dyn Table`, at which no game was opened.
///
/// ```
/// use botyard_engine::{Happening, registry};
/// use botyard_protocol::{FaultKind, OnFault};
/// use botyard_replay::{Course, Due, Phase, Ruling};
///
/// let table = registry::tables("draughts", None, &[])?();
/// let mut course = Course::new(table, OnFault::Forfeit, &["one", "other"], Some(7.into()));
/// let mut happening = Happening::default();
/// course.open(None)?;
/// let Due::Decision(seat) = course.due() else { panic!("a bot moves first") };
/// let first = course.legal()[0].to_string();
/// course.play(&first, &mut happening)?;
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
    /// For each seat the first seat of the same bot: what stands for the bot here.
    bots: [u8; MAX_SEATS],
    stage: Stage,
    turn: u32,
    /// Failures at the decision in progress after which the bot was asked again.
    retries: u32,
    /// The failure at the decision in progress was forgiven: the referee plays for the seat.
    substituting: bool,
    /// Per bot, at its first seat.
    strikes: [u32; MAX_SEATS],
    forfeited: [bool; MAX_SEATS],
    verdict: Option<Verdict>,
}

impl<'t, T: DerefMut<Target = dyn Table + 't>> Course<T> {
    /// A game before its opening. `holders` says for each seat, in seat order, who holds it: seats
    /// of equal holders are one bot's. Without a seed nothing can be drawn, only recorded.
    ///
    /// # Panics
    ///
    /// If there are not as many holders as seats.
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
        }
    }

    /// The game as it stands. Before it was opened, only what needs no game in progress may be asked
    /// of it.
    pub fn table(&self) -> &(dyn Table + 't) {
        &*self.table
    }

    /// The legal actions of the seat whose turn it is: [`Table::legal`].
    pub fn legal(&mut self) -> Vec<serde_json::Value> {
        self.table.legal()
    }

    /// Appends the legal actions of the seat whose turn it is: [`Table::write_legal`].
    pub fn write_legal(&mut self, into: &mut Vec<u8>) {
        self.table.write_legal(into);
    }

    /// What must happen next.
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

    /// The number of the last decision; 0 before the first.
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// Whether there is a seed to draw from.
    pub fn has_seed(&self) -> bool {
        self.draws.is_some()
    }

    /// Whether a failure, of a bot or of the host, has decided the game before the rules did.
    pub fn is_decided(&self) -> bool {
        self.verdict.is_some()
    }

    /// Whether this seat's bot is out of the game.
    pub fn has_forfeited(&self, seat: Seat) -> bool {
        self.forfeited[seat.index()]
    }

    /// Begins the game: by this opening, or by one drawn from the seed.
    ///
    /// # Errors
    ///
    /// A game that has begun, an opening that the rules refuse, a draw without a seed.
    pub fn open(&mut self, opening: Option<&str>) -> Result<Happening, CourseError> {
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
    /// Where nothing is to be drawn, or there is no seed.
    pub fn draw(&mut self, happening: &mut Happening) -> Result<(), CourseError> {
        self.expect_draw()?;
        let draws = self.draws.as_mut().ok_or(CourseError::NoSeed("a chance outcome"))?;
        self.table.draw(&mut draws.chance, happening);
        self.leave_setup();
        Ok(())
    }

    /// Goes on by a chance outcome that was recorded, in a game without a seed.
    ///
    /// # Errors
    ///
    /// Where nothing is to be drawn, or by the rules not this.
    pub fn draw_recorded(
        &mut self,
        outcome: &str,
        happening: &mut Happening,
    ) -> Result<(), CourseError> {
        self.expect_draw()?;
        self.table.play_chance(outcome, happening)?;
        self.leave_setup();
        Ok(())
    }

    /// Plays an action that the bot to decide has chosen. It is asked from now on: there are no
    /// decisions from a record after this.
    ///
    /// # Errors
    ///
    /// Where no bot is to decide, and actions that the rules refuse.
    pub fn play(&mut self, action: &str, happening: &mut Happening) -> Result<(), CourseError> {
        self.expect_decision("a decision")?;
        self.table.play(action, happening)?;
        self.decided();
        self.stage = Stage::Playing;
        Ok(())
    }

    /// Plays an action from the record of an earlier game, with which this one begins.
    ///
    /// # Errors
    ///
    /// Where no bot is to decide, after a bot was asked, and actions that the rules refuse.
    pub fn play_recorded(
        &mut self,
        action: &str,
        happening: &mut Happening,
    ) -> Result<(), CourseError> {
        let step = "a decision from the record of an earlier game";
        self.expect_decision(step)?;
        if self.stage == Stage::Playing {
            return Err(self.not_due(step));
        }
        self.table.play(action, happening)?;
        self.decided();
        Ok(())
    }

    /// Plays what the referee plays for a seat: the pass of one that has forfeited, or a substitute
    /// drawn from the seed.
    ///
    /// # Errors
    ///
    /// Where a bot is to decide or nobody, a draw without a seed, and a game whose own pass is
    /// illegal.
    pub fn play_for(&mut self, happening: &mut Happening) -> Result<(), CourseError> {
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
        self.table.play(&action, happening)?;
        self.decided();
        Ok(())
    }

    /// What would follow if the bot of this seat failed now.
    ///
    /// # Errors
    ///
    /// A failure that cannot be: of a bot that is out of the game or was not asked, or of a kind
    /// that there is not in this phase.
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
            // It was asked before it was asked again.
            (Phase::Asking, kind) => self.retries == 0 && kind != FaultKind::IllegalAction,
            (Phase::Ended, kind) => kind == FaultKind::Timeout || !can_go_on(kind),
        };
        if !is_possible {
            return Err(CourseError::Impossible { kind, phase });
        }
        Ok(match (self.on_fault, phase) {
            _ if !can_go_on(kind) => Ruling::Forfeit,
            (_, Phase::Setup | Phase::Ended) => Ruling::Forfeit,
            // The clock runs on through retries, and at a timeout it is at its end.
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

    /// The bot of this seat has failed, and what [`Course::ruling`] says follows: the bot is asked
    /// again, a substitute is due, or the bot forfeits this seat first and then its others.
    ///
    /// # Errors
    ///
    /// As [`Course::ruling`].
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

    /// The host did not let a bot run for long enough, at its set-up or at the decision that is due:
    /// the game is void. Failures in the set-up of other bots may follow, and change nothing about
    /// that.
    ///
    /// # Errors
    ///
    /// Where no bot is expected to do anything.
    pub fn stall(&mut self) -> Result<(), CourseError> {
        self.end_void(Verdict::Stalled, "a host that stalls a bot")
    }

    /// The host could not run a bot: the game is void.
    ///
    /// # Errors
    ///
    /// Where no bot is to do anything.
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

    /// How the game ended; `None` while it goes on.
    pub fn outcome(&self) -> Option<EndOutcome> {
        if self.due() != Due::Nothing {
            return None;
        }
        let (kind, forfeit) = match self.verdict {
            Some(Verdict::Stalled) => return Some(void(STALLED)),
            Some(Verdict::HostFailed) => return Some(void(HOST_FAILED)),
            Some(Verdict::Forfeit(kind)) => (OutcomeKind::BotFault, Some(kind)),
            None => (OutcomeKind::Completed, None),
        };
        let Some(outcome) = self.table.outcome() else { return Some(void(NO_OUTCOME)) };
        let reason = match forfeit {
            Some(kind) => forfeit_reason(kind),
            None => outcome.reason.to_string(),
        };
        let (scores, ranks) = if self.forfeited[..self.seats].iter().all(|&lost| lost) {
            // Failing last is no win: if nobody is left, nobody wins.
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

    fn expect_decision(&self, step: &'static str) -> Result<(), CourseError> {
        match self.due() {
            Due::Decision(_) => Ok(()),
            _ => Err(self.not_due(step)),
        }
    }

    fn not_due(&self, step: &'static str) -> CourseError {
        CourseError::NotDue { due: self.due(), step }
    }

    /// A decision was played, by anyone.
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

/// The reason of a game that a fault of this kind decided: `forfeit_timeout`, ...
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

/// Whether a bot can go on after this: its program is alive and its lines can be told apart.
fn can_go_on(kind: FaultKind) -> bool {
    matches!(kind, FaultKind::Timeout | FaultKind::IllegalAction | FaultKind::Protocol)
}
