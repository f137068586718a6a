//! A tournament as its store tells of it: enough to say what it has come to, without its bots, its
//! openings or anything else that lay beside its file and may be gone by now.

use super::setup::resolve_rule_files;
use crate::{Error, tables};
use botyard_engine::registry;
use botyard_league::scale::Scale;
use botyard_league::schedule::{Format, TournamentSchedule};
use botyard_league::store::Definition;
use botyard_league::tournament_file::TournamentFile;
use botyard_league::{GameKind, SeatKind};
use std::path::Path;

/// What standings are made of besides games.
#[derive(Debug)]
pub struct Outline {
    /// The names of the seats.
    pub seats: Vec<String>,
    /// What statistics must know of the game.
    pub kind: GameKind,
    /// How the game awards points and places.
    pub scoring: &'static str,
    /// Of a Swiss tournament and a knockout, which have a table of their own: who meets whom in the
    /// others is in their games.
    pub schedule: Option<TournamentSchedule>,
    /// The ids of its games, whatever its format; the pairings are not those of the tournament.
    pub ids: TournamentSchedule,
}

impl Outline {
    /// That of the tournament of a store.
    ///
    /// # Errors
    ///
    /// A file that this version cannot read any more, and rules in a file of their own that is gone.
    pub fn of(definition: &Definition) -> Result<Outline, Error> {
        let file = TournamentFile::read("tournament.toml", &definition.name, &definition.file);
        let mut file = file.map_err(Error::usage)?;
        let last = definition.kept.as_ref().and_then(|kept| kept.stages.last());
        match &definition.kept {
            Some(kept) => file.rule.clone_from(&kept.rules),
            None => resolve_rule_files(&mut file, Path::new(&definition.directory)),
        }
        if let (Some(stage), Format::Swiss { rounds }) = (last, &mut file.format.value) {
            *rounds = stage.rounds.unwrap_or(*rounds);
        }
        let game = &file.game.value;
        let info = registry::info(game).map_err(Error::usage)?;
        let preset = file.rules.as_ref().map(|rules| rules.value.as_str());
        let (tables, _) = tables(game, preset, &file.rule, None)?;
        let table = tables();
        let seats = table.seats().to_vec();
        let format = &file.format.value;
        let size = (definition.entrants.len(), seats.len());
        let schedule = |format: &Format, blocks: u32| {
            TournamentSchedule::new(game, definition.draws, size, format, blocks)
                .map_err(Error::usage)
        };
        // The smallest schedule that any number of bots can play: ids do not depend on the format.
        let ids = schedule(&Format::RoundRobin { tables: Some(1) }, 1)?;
        let schedule = match format.depends_on_results() {
            true => Some(schedule(format, last.map_or(file.blocks, |stage| stage.blocks))?),
            false => None,
        };
        let seat_kind = match seats.len() {
            2 if info.seats_alike => SeatKind::Symmetric,
            2 => SeatKind::Roles,
            _ => SeatKind::Ranked,
        };
        let kind = GameKind { seats: seat_kind, scale: Scale::new(table.scores()) };
        Ok(Outline { seats, kind, scoring: info.scoring, schedule, ids })
    }
}
