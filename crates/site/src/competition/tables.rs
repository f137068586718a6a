//! Games that people play in their browsers against bots of the class, with the session of `botyard play`. A bot
//! plays as in the ladder: from its bundle, in the sandbox of the event, under its limits and clock; the person has
//! no clock. Nothing of a game is stored.

use crate::competition::game::{self, State};
use crate::competition::ladder::{self, LadderEntrant};
use crate::competition::{Competition, practice};
use crate::error::SiteError;
use botyard_browser::{Games, LEVEL, LEVELS, Offers, Table, level_bot};
use botyard_connections::{Pool, Share};
use botyard_league::schedule::Schedule;
use botyard_referee::BotCommand;
use botyard_runner::bots::spec::{self, tell_apart};
use botyard_runner::play::PlayPlan;
use botyard_runner::{Error, Plan, Replays, secret_draws};
use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The most games that people play at once.
pub(crate) const MOST: usize = 4;

/// The most of them of the members of one team.
const OF_TEAM: usize = 2;

/// How long a game waits for its person.
pub(crate) const IDLE: Duration = Duration::from_secs(10 * 60);

/// The most starts of bots for a person within [`WITHIN`]: games, and decisions that are taken back.
const STARTS: usize = 40;

/// The time in which [`STARTS`] counts.
const WITHIN: Duration = Duration::from_secs(10 * 60);

/// The games that people play.
#[derive(Debug)]
pub(crate) struct Tables {
    taken: Mutex<Taken>,
    /// The games whose bots run, by team.
    running: Pool<i64>,
}

impl Default for Tables {
    fn default() -> Tables {
        Tables { taken: Mutex::default(), running: Pool::with_most(MOST, OF_TEAM) }
    }
}

#[derive(Debug, Default)]
struct Taken {
    /// The table of each person.
    tables: HashMap<i64, Arc<Seated>>,
    /// When bots were started for each person, the oldest first.
    starts: HashMap<i64, VecDeque<Instant>>,
    /// Whether no game begins any more.
    is_closed: bool,
}

/// A table with its person.
#[derive(Debug)]
pub(crate) struct Seated {
    /// The team for which the person plays.
    team: i64,
    /// What the person calls the opponent.
    pub against: String,
    /// The games.
    pub table: Table,
}

impl Tables {
    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the table of a person who plays for a team.
    pub(crate) fn of(&self, person: i64, team: i64) -> Option<Arc<Seated>> {
        let mut taken = self.taken();
        let found = taken.tables.get(&person)?;
        if found.team == team && !found.table.has_ended() {
            return Some(Arc::clone(found));
        }
        let ended = taken.tables.remove(&person);
        drop(taken);
        // Its games end without the lock.
        drop(ended);
        None
    }

    /// Ends the games of a person.
    pub(crate) fn end(&self, person: i64) {
        let ended = self.taken().tables.remove(&person);
        if let Some(ended) = ended {
            ended.table.end();
        }
    }

    /// Ends all games, and begins no others.
    pub(crate) fn close(&self) {
        let tables = {
            let mut taken = self.taken();
            taken.is_closed = true;
            std::mem::take(&mut taken.tables)
        };
        for seated in tables.into_values() {
            seated.table.end();
        }
    }

    /// Counts a start of bots for a person.
    ///
    /// # Errors
    ///
    /// There were too many, in words.
    fn count(&self, person: i64, now: Instant) -> Result<(), String> {
        let mut taken = self.taken();
        taken.starts.retain(|_, starts| {
            starts.retain(|&start| now.saturating_duration_since(start) < WITHIN);
            !starts.is_empty()
        });
        let starts = taken.starts.entry(person).or_default();
        match starts.front() {
            Some(&oldest) if starts.len() >= STARTS => {
                let wait = WITHIN.saturating_sub(now.saturating_duration_since(oldest));
                let seconds = wait.as_secs() + 1;
                Err(format!("You began {STARTS} games in a short time. Try again in {seconds} s."))
            }
            _ => {
                starts.push_back(now);
                Ok(())
            }
        }
    }

    /// Lets a member of a team take a seat against an opponent.
    ///
    /// # Errors
    ///
    /// The person plays already, there is no such opponent or seat, or there are too many games.
    pub(crate) fn open(
        competition: &Arc<Competition>,
        (team, person): (i64, i64),
        chosen: Chosen,
        seat: &str,
    ) -> Result<(), SiteError> {
        const PLAYS: &str = "You play a game already: continue or end it first.";
        let tables = &competition.tables;
        if tables.of(person, team).is_some() {
            return Err(SiteError::wrong(PLAYS));
        }
        if !matches!(competition.game_state()?, None | Some(State::Open)) {
            return Err(SiteError::wrong("The event is not open: its page says why."));
        }
        let (opponent, against) = Opponent::of(competition, team, chosen)?;
        let is_own = opponent == Opponent::Team(team);
        // Other bots may say what their teams alone may know.
        let is_alone = is_own && competition.event.setup.seats.len() <= 2;
        let games = PracticeGames {
            competition: Arc::clone(competition),
            team,
            person,
            opponent,
            is_alone,
            permit: None,
        };
        let offers = Offers {
            undo: true,
            // They would be computed in this process.
            hints: false,
            remarks: is_alone,
            evidence: is_alone,
            whole_replay: false,
            idle: Some(IDLE),
        };
        let table = Table::open(Box::new(games), vec![seat.to_string()], offers);
        let table = table.map_err(SiteError::Wrong)?;
        let seated = Arc::new(Seated { team, against, table });
        let mut taken = tables.taken();
        taken.tables.retain(|_, seated| !seated.table.has_ended());
        let refused = match () {
            () if taken.is_closed => "The site ends.",
            // Another request was faster.
            () if taken.tables.contains_key(&person) => PLAYS,
            () => {
                taken.tables.insert(person, seated);
                return Ok(());
            }
        };
        drop(taken);
        seated.table.end();
        Err(SiteError::wrong(refused))
    }
}

/// Why there is no such opponent.
const GONE: &str = "This bot does not play, or its team does not allow practice.";

/// Whom a person has chosen as the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chosen {
    /// An opponent of the ladder, by its entrant there.
    Entrant(i64),
    /// A level of the built-in bot `level`.
    Level(u8),
}

/// The opponent in the games of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Opponent {
    /// The active version of a team.
    Team(i64),
    /// A reference, by its name.
    Reference(String),
    /// A level of the built-in bot `level`.
    Level(u8),
}

/// Returns the levels of the game of an event; none if there is no such bot for it.
pub(crate) fn levels(competition: &Competition) -> impl Iterator<Item = u8> + use<> {
    let bot = competition.class.programs.built_in(LEVEL);
    let has_any = bot.is_some_and(|bot| bot.plays(competition.event.game()));
    LEVELS.filter(move |_| has_any)
}

impl Opponent {
    /// Returns an opponent and what the person calls it.
    ///
    /// # Errors
    ///
    /// There is no such opponent for a member of this team.
    fn of(
        competition: &Competition,
        team: i64,
        chosen: Chosen,
    ) -> Result<(Opponent, String), SiteError> {
        let id = match chosen {
            Chosen::Entrant(id) => id,
            Chosen::Level(level) if levels(competition).any(|known| known == level) => {
                return Ok((Opponent::Level(level), format!("level {level}")));
            }
            Chosen::Level(_) => return Err(SiteError::wrong(GONE)),
        };
        let found = competition.class.database.transaction(|transaction| {
            let all = practice::for_people(transaction, &competition.event, team)?;
            Ok::<_, rusqlite::Error>(all.into_iter().find(|entrant| entrant.id == id))
        })?;
        let LadderEntrant { team, name, alias, .. } =
            found.ok_or_else(|| SiteError::wrong(GONE))?;
        Ok((team.map_or(Opponent::Reference(name), Opponent::Team), alias))
    }

    fn is(&self, entrant: &LadderEntrant) -> bool {
        match self {
            Opponent::Team(team) => entrant.team == Some(*team),
            Opponent::Reference(name) => entrant.team.is_none() && entrant.name == *name,
            Opponent::Level(_) => false,
        }
    }
}

/// The games of a person against one opponent.
struct PracticeGames {
    competition: Arc<Competition>,
    team: i64,
    person: i64,
    opponent: Opponent,
    /// Whether all bots are of the person's team.
    is_alone: bool,
    /// Present while bots run.
    permit: Option<Share<i64>>,
}

impl PracticeGames {
    /// Counts a start of bots.
    fn count(&self) -> Result<(), String> {
        self.competition.tables.count(self.person, Instant::now())
    }

    /// Reports a failure of the host to the staff. Returns what the person reads.
    fn host_failed(&self, error: &Error) -> String {
        self.competition.class.report(error);
        "The site could not run the game. The staff can see why.".to_string()
    }

    /// Returns the bots that play: the opponent, and references for seats beyond two.
    fn line_up(&self) -> Result<Vec<BotCommand>, String> {
        let event = &self.competition.event;
        let all = self
            .competition
            .class
            .database
            .transaction(|transaction| practice::for_people(transaction, event, self.team));
        let all = all.map_err(|error| self.host_failed(&Error::host(error)))?;
        let opponent = match self.opponent {
            Opponent::Level(level) => self.level(level),
            _ => self.command(all.iter().find(|entrant| self.opponent.is(entrant)).ok_or(GONE)?),
        };
        let is_other =
            |entrant: &&LadderEntrant| entrant.team.is_none() && !self.opponent.is(entrant);
        let others = all.iter().filter(is_other).map(|entrant| self.command(entrant));
        let wanted = event.setup.seats.len().saturating_sub(1);
        let line_up = [opponent].into_iter().chain(others).take(wanted);
        let mut line_up: Vec<BotCommand> =
            line_up.collect::<Result<_, Error>>().map_err(|error| self.in_words(&error))?;
        tell_apart(&mut line_up);
        match line_up.len() == wanted {
            true => Ok(line_up),
            false => Err(format!(
                "The game has {} seats, and the event has too few references for them.",
                wanted + 1
            )),
        }
    }

    fn command(&self, entrant: &LadderEntrant) -> Result<BotCommand, Error> {
        ladder::command(&self.competition, entrant)
    }

    fn level(&self, level: u8) -> Result<BotCommand, Error> {
        let (event, class) = (&self.competition.event, &self.competition.class);
        spec::command(&level_bot(level), event.game(), &class.programs, Path::new(""))
            .map_err(Error::usage)
    }

    fn planned(&self, seat: &str, commands: Vec<BotCommand>) -> Result<PlayPlan, Error> {
        let (competition, class) = (&self.competition, &self.competition.class);
        let setup = &competition.event.setup;
        // The secret of the ladder draws the games of the ladder alone.
        let draws = secret_draws()?;
        let event = competition.event.with_draws(competition.event.id, draws);
        // No bot may read this directory. No replay is written.
        let replays = Replays::Tournament(class.directory.path().to_path_buf());
        let plan = event.setup.plan(commands, 1, replays, Some(1), &class.programs)?;
        let openings = setup.openings.clone();
        // The tag is random.
        let number = draws.tag % (openings.len() as u64).max(1) + 1;
        let schedule = Schedule { openings, fixed_seats: true, ..plan.schedule.clone() };
        let game = schedule.game(u32::try_from(number).unwrap_or(1));
        PlayPlan::of_plan(Plan { schedule, ..plan }, game, seat, &class.programs)
    }
}

impl Games for PracticeGames {
    fn plan(&mut self, seats: Vec<String>, _: Option<u8>) -> Result<Box<PlayPlan>, String> {
        let [seat] = &seats[..] else { return Err("Choose one seat.".to_string()) };
        if !self.competition.event.setup.seats.contains(seat) {
            return Err("Choose a seat.".to_string());
        }
        let permit = match &self.permit {
            Some(_) => None,
            None => Some(self.competition.tables.running.take(&self.team, 1).ok_or_else(|| {
                format!(
                    "People play {MOST} games at this moment, or {OF_TEAM} of your team, and no more fit. Try again \
                     later."
                )
            })?),
        };
        let line_up = self.line_up()?;
        self.count()?;
        let plan = self.planned(seat, line_up).map_err(|error| self.in_words(&error))?;
        if permit.is_some() {
            self.permit = permit;
        }
        Ok(Box::new(plan))
    }

    fn start_again(&mut self) -> Result<(), String> {
        self.count()
    }

    fn ended(&mut self) {
        self.permit = None;
    }

    fn in_words(&self, error: &Error) -> String {
        match error {
            Error::Interrupted => "The game was interrupted.".to_string(),
            Error::Usage(message) if self.is_alone => {
                let place = self.competition.class.directory.path().display().to_string();
                message.text(self.competition.class.programs.name).replace(&place, "")
            }
            Error::Usage(_) => "The bot could not be started. Its team can see why.".to_string(),
            Error::Rules(failure) => {
                if let Err(error) = game::pause(&self.competition, failure) {
                    self.competition.class.report(&error);
                }
                "The program with the rules of the game failed, which is no bot's fault. The staff can see why."
                    .to_string()
            }
            error => self.host_failed(error),
        }
    }

    fn void_in_words(&self, _: &str) -> String {
        "the host could not run it as it has to".to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_games_run_at_once_and_each_team_and_person_has_a_share() {
        let tables = Tables::default();
        let begin = |team: i64| tables.running.take(&team, 1);
        let mut running: Vec<Share<i64>> =
            [1, 1, 1, 2, 2, 3].into_iter().filter_map(begin).collect();
        assert_eq!(running.len(), MOST, "two of the first team, and one of the others");
        running.pop();
        assert!(begin(1).is_none() && begin(3).is_some(), "a game has ended");

        let now = Instant::now();
        assert!((0..STARTS).all(|_| tables.count(1, now).is_ok()));
        let refused = tables.count(1, now + Duration::from_secs(9)).expect_err("one too many");
        assert!(refused.contains("Try again in 592 s"), "{refused}");
        assert_eq!(tables.count(2, now), Ok(()), "the limit is a person's");
        assert_eq!(tables.count(1, now + WITHIN), Ok(()));
    }
}
