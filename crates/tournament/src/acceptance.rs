//! What a tournament accepts as a game that another program played for it: a replay that verifies, of
//! the scheduled game between its bots under the tournament's conditions, from which the result
//! follows.

use crate::check::compare;
use crate::conditions::{adjudication, containment, limits, time, times_of_bots};
use crate::game_copy::GameCopy;
use crate::replays::{RecordedGame, read_through};
use crate::stored_tournament::{StoredTournament, schedule_of};
use botyard_engine::registry::TableMaker;
use botyard_league::replay_names::replay_name;
use botyard_league::scale::Scale;
use botyard_league::schedule::{Block, GameKey, ScheduledGame, TournamentSchedule};
use botyard_league::store::{Definition, StoredGame};
use botyard_league::tournament_file::TournamentFile;
use botyard_league::{Entrant, SeatUse, Verdict};
use botyard_protocol::{Adjudication, BotTime, Limits, TimeControl};
use botyard_replay::{Event, Header, OpeningSource, ReadError, ReplayReader, VerifyError};
use botyard_runner::{Error, LoadEndgames, Programs, tables_within};
use botyard_sandbox::Tier;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::io::BufRead;
use std::path::Path;

/// The reason why a result is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unacceptable {
    /// The tournament keeps replays, and there is none.
    #[error("the tournament keeps replays, and the result has none")]
    NoReplay,
    /// The replay does not verify.
    #[error("the replay does not verify: {0}")]
    Unsound(String),
    /// It is the replay of another game, of other bots, or of a game under other conditions.
    #[error("the replay has another {what}: expected {expected}, found {found}")]
    Other {
        /// What differs.
        what: &'static str,
        /// What the tournament has.
        expected: String,
        /// What the replay has.
        found: String,
    },
    /// The result does not follow from the replay.
    #[error("the result does not follow from the replay: {0}")]
    Forged(String),
}

impl Unacceptable {
    /// Returns the reason in one word, for logs and counts.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Unacceptable::NoReplay => "no_replay",
            Unacceptable::Unsound(_) => "unsound_replay",
            Unacceptable::Other { .. } => "other_replay",
            Unacceptable::Forged(_) => "forged_result",
        }
    }
}

/// The games of a tournament, and what each is checked against.
pub struct Acceptance {
    definition: Definition,
    schedule: TournamentSchedule,
    tables: TableMaker,
    scale: Scale,
    rules: Value,
    time: TimeControl,
    /// The times of each bot by its name, if it has its own.
    own_times: BTreeMap<String, BotTime>,
    limits: Limits,
    adjudication: Adjudication,
    legal: bool,
    /// Whether bots must be contained in tier B or better.
    strict: bool,
    keeps_replays: bool,
    endgames: LoadEndgames,
    /// The copy of the game, if its rules are a program.
    _copy: Option<GameCopy>,
}

impl fmt::Debug for Acceptance {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the secret of the definition.
        formatter.debug_struct("Acceptance").finish_non_exhaustive()
    }
}

impl Acceptance {
    /// Makes it of the definition of a tournament. `archive` returns the archive of the bundle with this
    /// digest of its files: if the game's rules are a program, replays are verified with it, in the
    /// sandbox of this host.
    ///
    /// # Errors
    ///
    /// Those of [`schedule_of`] and of `archive`; the program of the game fails.
    pub fn of(
        definition: Definition,
        programs: &Programs,
        archive: &dyn Fn(&str) -> Result<Vec<u8>, Error>,
    ) -> Result<Acceptance, Error> {
        let (schedule, scale) = schedule_of(&definition)?;
        let kept = definition.kept.as_ref();
        let game = kept.and_then(|kept| kept.game.as_ref());
        let copy = game.map(|game| GameCopy::unpack(&definition, game, programs, archive));
        let copy = copy.transpose()?;
        let openings = kept.map_or(Vec::new(), |kept| kept.openings.clone());
        let file = StoredTournament::of(&definition)?.file;
        let preset = file.rules.as_ref().map(|rules| rules.value.as_str());
        let containment = containment(&file, Path::new(&definition.directory));
        let game = (file.game.value.as_str(), &containment);
        let (tables, _) = tables_within(game, preset, &file.rule, None)?;
        Ok(Acceptance {
            schedule: schedule.with_openings(openings),
            rules: tables().rules(),
            scale,
            time: time(&file).control(),
            own_times: times_of_entrants(&definition, &file),
            limits: limits(&file),
            adjudication: adjudication(&file).rules(kept.and_then(|kept| kept.endgame_pieces)),
            legal: file.run.legal,
            strict: file.sandbox.mode.as_deref() == Some("strict"),
            keeps_replays: file.run.replays,
            endgames: programs.endgames,
            _copy: copy,
            tables,
            definition,
        })
    }

    /// Returns the definition of the tournament.
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Returns its games.
    pub fn schedule(&self) -> &TournamentSchedule {
        &self.schedule
    }

    /// Returns how the points of a game count.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// Returns whether a result must have a replay. A void game may have none: the host may have
    /// failed before the game began.
    pub(crate) fn needs_replay(&self, stored: &StoredGame) -> bool {
        stored.game.replay.is_some() || self.keeps_replays && stored.is_scored()
    }

    /// Checks the result of a game of a block of this tournament against its replay.
    ///
    /// # Errors
    ///
    /// The result is not accepted.
    pub fn check(
        &self,
        block: &Block,
        stored: &StoredGame,
        replay: Option<&[u8]>,
    ) -> Result<(), Unacceptable> {
        let Some(replay) = replay else {
            return match self.needs_replay(stored) {
                true => Err(Unacceptable::NoReplay),
                false => Ok(()),
            };
        };
        let open = || ReplayReader::of_bytes(replay);
        let unsound = |error: String| Unacceptable::Unsound(error);
        let key = stored.key;
        let game = self.schedule.game(block, key.rotation, key.generation);
        // First, because the rules would say less about a game of another tournament.
        let mut reader = open().map_err(|error| unsound(error.to_string()))?;
        self.check_header(&game, reader.header())?;
        self.check_opening(&game, &mut reader)?;
        let recorded = read_through(open, stored.attempts, self.endgames)
            .map_err(|error| unsound(error.to_string()))?;
        self.check_result(&game, stored, &recorded)
    }

    /// Checks the replay of an earlier attempt at a game, which was void or interrupted.
    ///
    /// # Errors
    ///
    /// It is not accepted.
    pub fn check_earlier(
        &self,
        block: &Block,
        key: GameKey,
        attempt: u32,
        replay: &[u8],
    ) -> Result<(), Unacceptable> {
        let open = || ReplayReader::of_bytes(replay);
        let unsound = |error: VerifyError| Unacceptable::Unsound(error.to_string());
        let game = self.schedule.game(block, key.rotation, key.generation);
        let mut reader = open().map_err(|error| unsound(error.into()))?;
        self.check_header(&game, reader.header())?;
        match self.check_opening(&game, &mut reader) {
            Err(Unacceptable::Unsound(_)) | Ok(()) => {}
            other => return other,
        }
        match read_through(open, attempt, self.endgames) {
            Err(VerifyError::Read(ReadError::Truncated { .. })) => Ok(()),
            Err(error) => Err(unsound(error)),
            Ok(recorded) => same("end", &Verdict::Void, &recorded.verdict),
        }
    }

    fn check_header(&self, game: &ScheduledGame, header: &Header) -> Result<(), Unacceptable> {
        same("game", &self.definition.game, &header.game)?;
        same("ID of the game", &game.id, &header.game_id)?;
        if header.seed != Some(game.seed) {
            // Not in words: the seed that was expected is secret.
            let (expected, found) = ("that of the block".to_string(), "another".to_string());
            return Err(Unacceptable::Other { what: "seed", expected, found });
        }
        same("set of rules", &self.rules, &header.rules)?;
        same("copy of a seat", &None, &header.view_of)?;
        same("origin", &None, &header.imported.as_ref().map(|imported| imported.source.clone()))?;
        let entrants = &self.definition.entrants;
        let name = |bot: &usize| entrants.get(*bot).map_or("", |entrant| entrant.name.as_str());
        let expected: Vec<&str> = game.seats.iter().map(name).collect();
        let found: Vec<&str> = header.seats.iter().map(|seat| seat.player.as_str()).collect();
        same("set of bots", &expected, &found)?;
        same("clock", &self.time, &header.time_control)?;
        for player in &header.players {
            let expected = self.own_times.get(&player.name).copied();
            same("clock of a bot", &expected, &player.time)?;
        }
        same("set of limits", &self.limits, &header.limits)?;
        same("rule of adjudication", &self.adjudication, &header.adjudication)?;
        same("list of legal actions", &self.legal, &header.legal)?;
        let is_untimed = header.players.iter().any(|player| player.untimed);
        same("bot without a clock", &false, &is_untimed)?;
        let tier: Option<Tier> = header.sandbox.parse().ok();
        if self.strict && tier.is_none_or(|tier| tier < Tier::B) {
            let (expected, found) = ("B or better".to_string(), header.sandbox.clone());
            return Err(Unacceptable::Other { what: "tier of the sandbox", expected, found });
        }
        Ok(())
    }

    /// Checks that a game with a given opening began with it.
    fn check_opening<R: BufRead>(
        &self,
        game: &ScheduledGame,
        reader: &mut ReplayReader<R>,
    ) -> Result<(), Unacceptable> {
        let source = match game.opening {
            Some(_) => OpeningSource::Given,
            None => OpeningSource::Drawn,
        };
        same("source of the opening", &source, &reader.header().opening)?;
        let Some(opening) = &game.opening else { return Ok(()) };
        let unsound = |error: String| Unacceptable::Unsound(error);
        let opened = (self.tables)().open_with(opening);
        let expected = opened.map_err(|error| unsound(error.to_string()))?.full;
        for line in reader {
            if let Event::Chance(chance) = line.map_err(|error| unsound(error.to_string()))?.event {
                return same("opening", &expected.as_str(), &chance.outcome.get());
            }
        }
        Err(unsound("it has no opening".to_string()))
    }

    fn check_result(
        &self,
        game: &ScheduledGame,
        stored: &StoredGame,
        recorded: &RecordedGame,
    ) -> Result<(), Unacceptable> {
        let forged = |what: String| Err(Unacceptable::Forged(what));
        if let [first, ..] = &compare(&stored.game, recorded)[..] {
            return forged(first.clone());
        }
        if stored.game.void_at != recorded.void_at {
            let (found, expected) = (stored.game.void_at, recorded.void_at);
            return forged(format!("it was void at seat {found:?}, in the replay at {expected:?}"));
        }
        if !SeatUse::agree(&stored.game.uses, &recorded.uses) {
            return forged("the times differ from those in the replay".to_string());
        }
        let plain = replay_name(&game.id, stored.attempts);
        let names = [Some(plain.clone()), Some(format!("{plain}.gz"))];
        match names.contains(&stored.game.replay) {
            true => Ok(()),
            false => forged(format!(
                "it names the replay {:?}; expected {plain:?} or the same with .gz",
                stored.game.replay
            )),
        }
    }
}

/// Returns the times of the entrants that have their own, by their names. All versions of a bot have
/// those of its entry in the file.
fn times_of_entrants(definition: &Definition, file: &TournamentFile) -> BTreeMap<String, BotTime> {
    let (times, kept) = (times_of_bots(file), definition.kept.as_ref());
    let time = |(index, entrant): (usize, &Entrant)| {
        let kept = kept.and_then(|kept| kept.bots.get(index));
        let entry = kept.map_or(&entrant.name, |kept| &kept.entry);
        Some((entrant.name.clone(), *times.get(entry)?))
    };
    definition.entrants.iter().enumerate().filter_map(time).collect()
}

fn same<T: PartialEq + fmt::Debug>(
    what: &'static str,
    expected: &T,
    found: &T,
) -> Result<(), Unacceptable> {
    match expected == found {
        true => Ok(()),
        false => Err(Unacceptable::Other {
            what,
            expected: shortened(&format!("{expected:?}")),
            found: shortened(&format!("{found:?}")),
        }),
    }
}

/// The most characters of a value in an error.
const SHOWN: usize = 200;

fn shortened(text: &str) -> String {
    botyard_protocol::printable(text, SHOWN)
}
