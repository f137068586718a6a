//! A tournament, read from its store alone. That is enough for the results, even if
//! the bots, openings and files named by the tournament file no longer exist.

use crate::setup::resolve_rule_files;
use botyard_engine::{Scores, Table, registry};
use botyard_league::scale::Scale;
use botyard_league::schedule::{Format, TournamentSchedule};
use botyard_league::store::Definition;
use botyard_league::tournament_file::TournamentFile;
use botyard_league::{GameKind, SeatKind};
use botyard_runner::{Error, tables};
use std::path::Path;

/// Returns the games of a stored tournament, and how their points count.
///
/// # Errors
///
/// This version cannot read the definition, or it has no stages because version 0.1.0 began it.
pub fn schedule_of(definition: &Definition) -> Result<(TournamentSchedule, Scale), Error> {
    let stored = StoredTournament::of(definition)?;
    let schedule = stored.full_schedule(definition)?.ok_or_else(|| {
        Error::usage(format!(
            "the tournament {} has no stages: version 0.1.0 of botyard began it",
            definition.name
        ))
    })?;
    Ok((schedule, stored.kind.scale))
}

/// Returns the properties of the game at a table that statistics need.
///
/// # Errors
///
/// This version does not have the game.
pub fn game_kind(table: &dyn Table) -> Result<GameKind, Error> {
    let info = registry::info(table.game()).map_err(Error::usage)?;
    Ok(kind_of(table.seats().len(), info.seats_alike, table.scores()))
}

fn kind_of(seats: usize, seats_alike: bool, scores: Scores) -> GameKind {
    let seats = match seats {
        2 if seats_alike => SeatKind::Symmetric,
        2 => SeatKind::Roles,
        _ => SeatKind::Ranked,
    };
    GameKind { seats, scale: Scale::new(scores) }
}

/// Returns the file of a stored tournament, with the game under its name in the registry.
///
/// # Errors
///
/// This version cannot read the file.
pub(crate) fn file_of(definition: &Definition) -> Result<TournamentFile, Error> {
    let file = TournamentFile::read("tournament.toml", &definition.name, &definition.file);
    let mut file = file.map_err(Error::usage)?;
    file.game.value.clone_from(&definition.game);
    Ok(file)
}

/// What follows from the rules of a tournament. If they are a program, it is stored, so that results can
/// be read without the program.
struct Facts {
    changes: Vec<(String, String)>,
    seats: Vec<String>,
    kind: GameKind,
    scoring: String,
}

impl Facts {
    fn of(definition: &Definition, file: &TournamentFile) -> Result<Facts, Error> {
        if let Some(game) = definition.kept.as_ref().and_then(|kept| kept.game.as_ref()) {
            return Ok(Facts {
                changes: file.rule.clone(),
                seats: game.seats.clone(),
                kind: kind_of(game.seats.len(), game.seats_alike, game.scores),
                scoring: game.scoring.clone(),
            });
        }
        let info = registry::info(&definition.game).map_err(Error::usage)?;
        let preset = file.rules.as_ref().map(|rules| rules.value.as_str());
        let (tables, changes) = tables(&definition.game, preset, &file.rule, None)?;
        let table = tables();
        let (seats, kind) = (table.seats().to_vec(), game_kind(&*table)?);
        Ok(Facts { changes, seats, kind, scoring: info.scoring.to_string() })
    }
}

/// A stored tournament: what standings need besides games.
#[derive(Debug)]
pub(crate) struct StoredTournament {
    /// The parsed file, with the content of the files of rules and the number of rounds so far.
    pub file: TournamentFile,
    /// The rules that differ from the preset.
    pub changes: Vec<(String, String)>,
    /// The names of the seats.
    pub seats: Vec<String>,
    /// The properties of the game that statistics need.
    pub kind: GameKind,
    /// How the game awards points and places.
    pub scoring: String,
    /// The schedule of a Swiss tournament or a knockout, which have their own tables. In other
    /// formats the games show who met whom.
    pub schedule: Option<TournamentSchedule>,
    /// A schedule for game ids in any format. Its pairings are not those of the tournament.
    pub ids: TournamentSchedule,
}

impl StoredTournament {
    /// Reads a tournament from its definition.
    ///
    /// # Errors
    ///
    /// This version cannot read the file, or a rule file is missing.
    pub(crate) fn of(definition: &Definition) -> Result<StoredTournament, Error> {
        let mut file = file_of(definition)?;
        let last = definition.kept.as_ref().and_then(|kept| kept.stages.last());
        match &definition.kept {
            Some(kept) => file.rule.clone_from(&kept.rules),
            None => resolve_rule_files(&mut file, Path::new(&definition.directory)),
        }
        if let (Some(stage), Format::Swiss { rounds }) = (last, &mut file.format.value) {
            *rounds = stage.rounds.unwrap_or(*rounds);
        }
        let game = &definition.game;
        let Facts { changes, seats, kind, scoring } = Facts::of(definition, &file)?;
        let format = &file.format.value;
        let size = (definition.entrants.len(), seats.len());
        let schedule = |format: &Format, blocks: u32| {
            TournamentSchedule::new(game, definition.draws, size, format, blocks)
                .map_err(Error::usage)
        };
        // The smallest schedule for any number of bots: ids do not depend on the format.
        let ids = schedule(&Format::RoundRobin { tables: Some(1) }, 1)?;
        let schedule = match format.depends_on_results() {
            true => Some(schedule(format, last.map_or(file.blocks, |stage| stage.blocks))?),
            false => None,
        };
        Ok(StoredTournament { file, changes, seats, kind, scoring, schedule, ids })
    }

    /// Returns the schedule of all games, with the stages of the tournament. `None` for a
    /// tournament of version 0.1.0, which recorded no stages.
    ///
    /// # Errors
    ///
    /// This version cannot read the file.
    pub(crate) fn full_schedule(
        &self,
        definition: &Definition,
    ) -> Result<Option<TournamentSchedule>, Error> {
        let Some(kept) = &definition.kept else { return Ok(None) };
        let file = file_of(definition)?;
        let (format, draws, seats) = (&file.format.value, definition.draws, self.seats.len());
        TournamentSchedule::staged(&definition.game, draws, seats, format, &kept.stages)
            .map(Some)
            .map_err(Error::usage)
    }
}
