//! Rejudging: games of a tournament are played again as a set, a generation. Its effect is known
//! before it is applied, and the old results are kept in any case.

use crate::directory::Directory;
use crate::results::Results;
use crate::setup::Setup;
use botyard_engine::rules::did_you_mean;
use botyard_league::plain_table::table_of_numbers;
use botyard_league::schedule::TournamentSchedule;
use botyard_league::store::{Generation, GenerationState, Store, StoredGame};
use botyard_league::{Standings, Verdict};
use botyard_runner::Error;
use botyard_runner::message;
use botyard_runner::settings::{APPLY, CHOSEN_BOTS, CHOSEN_FAULTS, CHOSEN_GAMES, DROP};
use botyard_runner::words::counted;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;

/// How many games with another result a text lists.
const LISTED: usize = 20;

/// A selection of games to rejudge.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Selects all games of the bots with these names.
    pub bots: Vec<String>,
    /// Selects the games with these ids.
    pub games: Vec<String>,
    /// Selects all games with a fault.
    pub faults: bool,
}

impl Choice {
    fn is_none(&self) -> bool {
        self.bots.is_empty() && self.games.is_empty() && !self.faults
    }
}

/// Returns the generation to play: the pending one if nothing is selected, else a new one of the
/// selected games.
///
/// # Errors
///
/// Single games of the tournament cannot be rejudged, the selection has no games, a generation is
/// pending already, or the store cannot be written.
pub(crate) fn generation(
    choice: &Choice,
    reason: &str,
    setup: &Setup,
    store: &mut dyn Store,
    schedule: &TournamentSchedule,
) -> Result<Generation, Error> {
    if setup.file.format.value.depends_on_results() {
        return Err(Error::usage(format!(
            "in a {}, later pairings depend on earlier results, so single games cannot be rejudged: run a \
             new tournament",
            setup.file.format.value.name()
        )));
    }
    match pending(store)? {
        Some(generation) if choice.is_none() => Ok(generation),
        Some(generation) => {
            let games = counted(generation.games.len() as u64, "game");
            Err(Error::usage(message![
                format!("a rejudge of {games} is pending: to resume it, run the command without "),
                "selecting games; to end it, add ",
                APPLY,
                " or ",
                DROP
            ]))
        }
        None => {
            let games = chosen(choice, store, schedule)?;
            let number = store.begin_rejudge(reason, &games)?;
            let detail = format!("generation {number}: {} games: {reason}", games.len());
            store.note("rejudging", &detail)?;
            pending(store)?
                .ok_or_else(|| Error::host("the games to rejudge are missing from the store"))
        }
    }
}

/// Returns the generation that is neither applied nor dropped, if there is one.
fn pending(store: &dyn Store) -> Result<Option<Generation>, Error> {
    let all = store.generations()?;
    Ok(all.into_iter().find(|generation| generation.state == GenerationState::Pending))
}

/// The end of a rejudge.
pub enum Settled {
    /// The new results cannot be applied yet: this many games have no result.
    Missing(u64),
    /// The results of the tournament, with the new ones applied or dropped.
    Done(Box<Results>),
}

/// Applies or drops the results of the pending generation, and saves the results of the tournament.
///
/// # Errors
///
/// The directory contains no tournament, the tournament is being played, no generation is pending,
/// or the host fails.
pub fn finish_rejudge(path: &Path, apply: bool) -> Result<Settled, Error> {
    let directory = Directory::open(path)?;
    let mut store = directory.store()?;
    if apply && let missing @ 1.. = pending_games(&store)? {
        return Ok(Settled::Missing(missing));
    }
    let number = store.finish_rejudge(apply)?;
    let what = if apply { "new results applied" } else { "new results dropped" };
    store.note(what, &format!("generation {number}"))?;
    Ok(Settled::Done(Box::new(Results::saved(&store, &directory)?)))
}

/// Returns the number of games in the pending generation without a result. It must be 0 before the
/// generation is applied: a block with both old and new games would be meaningless.
///
/// # Errors
///
/// The store cannot be read.
fn pending_games(store: &dyn Store) -> Result<u64, Error> {
    let Some(generation) = pending(store)? else { return Ok(0) };
    let mut missing = generation.games.len() as u64;
    let mut count = |game: StoredGame| missing = missing.saturating_sub(game.is_scored().into());
    store.games(generation.number, &mut count)?;
    Ok(missing)
}

/// Returns the selected games, in whole blocks: the games of a block share a start and are compared
/// with each other.
fn chosen(
    choice: &Choice,
    store: &dyn Store,
    schedule: &TournamentSchedule,
) -> Result<Vec<(u32, u32)>, Error> {
    if choice.is_none() {
        return Err(Error::usage(message![
            "no games selected: add ",
            CHOSEN_BOTS.with("NAME"),
            ", ",
            CHOSEN_GAMES.with("ID"),
            " or ",
            CHOSEN_FAULTS
        ]));
    }
    let entrants = &store.definition().entrants;
    let mut bots = Vec::new();
    for name in &choice.bots {
        let known: Vec<String> = entrants.iter().map(|entrant| entrant.name.clone()).collect();
        let found = known.iter().position(|known| known == name);
        bots.push(found.ok_or_else(|| {
            let near = did_you_mean(name, &known);
            Error::usage(format!(
                "no bot is called {name:?}{near}; the bots are {}",
                known.join(", ")
            ))
        })?);
    }
    let mut games = store.current_games(None)?;
    // Versions that were replaced do not play again.
    games.retain(|game| schedule.plays(&game.game.seats));
    let id = |game: &StoredGame| schedule.id(game.key);
    if let Some(unknown) =
        choice.games.iter().find(|wanted| !games.iter().any(|game| id(game) == **wanted))
    {
        return Err(Error::usage(format!("no game of the tournament has the ID {unknown}")));
    }
    let is_chosen = |game: &&StoredGame| {
        game.game.seats.iter().any(|bot| bots.contains(bot))
            || (choice.faults && !game.game.faults.is_empty())
            || (!choice.games.is_empty() && choice.games.contains(&id(game)))
    };
    let blocks: BTreeSet<u32> = games.iter().filter(is_chosen).map(|game| game.key.block).collect();
    if blocks.is_empty() {
        return Err(Error::usage("no game matches the selection; nothing to rejudge"));
    }
    let rotations = |block| (0..schedule.block_length()).map(move |rotation| (block, rotation));
    Ok(blocks.into_iter().flat_map(rotations).collect())
}

/// The effect of applying a generation.
pub struct Difference {
    /// The current standings.
    pub before: Standings,
    /// The standings with the generation applied.
    pub after: Standings,
    /// The games whose results change.
    pub changed: Vec<ChangedGame>,
    /// The number of rejudged games.
    pub judged: usize,
}

/// A game whose result changes by a generation.
pub struct ChangedGame {
    /// The ids of the old game and the new one.
    pub ids: [String; 2],
    /// The points of each. `None`: the game was void.
    pub points: [Option<Vec<f64>>; 2],
}

impl Difference {
    /// Returns the effect of applying this generation.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn of(
        store: &dyn Store,
        schedule: &TournamentSchedule,
        generation: u32,
    ) -> Result<Difference, Error> {
        let before = Results::of(store)?.standings;
        let after = Results::with(store, Some(generation))?.standings;
        let old = store.current_games(None)?;
        let new = store.current_games(Some(generation))?;
        let (mut changed, mut judged) = (Vec::new(), 0);
        for (old, new) in old.iter().zip(&new) {
            judged += usize::from(new.key.generation == generation);
            let points = [points(old), points(new)];
            if points[0] != points[1] {
                changed.push(ChangedGame {
                    ids: [old.key, new.key].map(|key| schedule.id(key)),
                    points: points.map(|points| points.map(<[f64]>::to_vec)),
                });
            }
        }
        Ok(Difference { before, after, changed, judged })
    }

    /// Returns the ranks and shares before and after, and the games with another result, as text.
    pub fn to_text(&self) -> String {
        let mut table = table_of_numbers(&["bot", "rank", "now", "share", "now"]);
        let rank = |rank: Option<usize>| rank.map_or("-".into(), |rank| rank.to_string());
        let share =
            |share: Option<f64>| share.map_or("-".into(), |share| format!("{:.1}%", share * 100.0));
        for old in &self.before.bots {
            let Some(new) = self.after.bots.iter().find(|new| new.name == old.name) else {
                continue;
            };
            table.add_row([
                old.name.clone(),
                rank(old.rank),
                rank(new.rank),
                share(old.score.share),
                share(new.score.share),
            ]);
        }
        let judged = counted(self.judged as u64, "game");
        let mut text =
            format!("{} of {judged} rejudged with a different result\n", self.changed.len());
        for game in self.changed.iter().take(LISTED) {
            let ([old, new], [before, after]) = (&game.ids, &game.points);
            text.push_str(&format!("  {old}: {} now {new}: {}\n", json!(before), json!(after)));
        }
        if self.changed.len() > LISTED {
            text.push_str(&format!("  and {} more\n", self.changed.len() - LISTED));
        }
        text.push_str(&format!("\n{table}\n"));
        text
    }
}

fn points(game: &StoredGame) -> Option<&[f64]> {
    match &game.game.verdict {
        Verdict::Scored { points, .. } => Some(points),
        Verdict::Void => None,
    }
}
