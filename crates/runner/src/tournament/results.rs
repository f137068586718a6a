//! What a tournament has come to: the games of its store, as standings, and the table or the bracket of
//! formats that have one.

use super::outline::Outline;
use super::supply::Supply;
use crate::Error;
use botyard_engine::Seed;
use botyard_league::schedule::{KnockoutTable, SwissTable};
use botyard_league::store::{Definition, Store};
use botyard_league::{Entrant, PlayedGame, RankedBy, Standings};
use botyard_replay::compressed_path;
use serde_json::{Value, json};
use std::path::Path;

/// The results of a tournament so far.
pub struct Results {
    /// What statistics say.
    pub standings: Standings,
    /// The table of a Swiss tournament.
    pub swiss: Option<SwissTable>,
    /// The bracket of a knockout.
    pub knockout: Option<KnockoutTable>,
    /// What the tournament is.
    pub definition: Definition,
    /// Whether the secret may be told.
    is_revealed: bool,
}

/// What is noted in a store when its secret may be told.
const REVEALED: &str = "secret revealed";

/// Has all results from now on tell the secret that the games were drawn from.
///
/// # Errors
///
/// What the host cannot do.
pub fn reveal_secret(store: &mut dyn Store) -> Result<(), Error> {
    if is_revealed(store)? {
        return Ok(());
    }
    Ok(store.note(REVEALED, "every game has a result")?)
}

fn is_revealed(store: &dyn Store) -> Result<bool, Error> {
    Ok(store.audit()?.iter().any(|entry| entry.what == REVEALED))
}

impl Results {
    /// The results in a store.
    ///
    /// # Errors
    ///
    /// A store that cannot be read.
    pub fn of(store: &dyn Store) -> Result<Results, Error> {
        Results::with(store, None)
    }

    /// The same as if a generation had been applied.
    ///
    /// # Errors
    ///
    /// A store that cannot be read.
    pub fn with(store: &dyn Store, generation: Option<u32>) -> Result<Results, Error> {
        let definition = store.definition().clone();
        let Outline { seats, kind, scoring, schedule, .. } = Outline::of(&definition)?;
        let mut supply =
            schedule.as_ref().map(|schedule| Supply::new(schedule, true, 0).scaled(kind.scale));
        let mut games: Vec<PlayedGame> = Vec::new();
        for stored in store.current_games(generation)? {
            if let Some(supply) = &mut supply {
                supply.was_played(stored.key, stored.attempts, &stored.game);
            }
            games.push(stored.game);
        }
        let points = supply.as_ref().map(Supply::points);
        let tables = schedule.as_ref().zip(points);
        // Those who were not let in have a row as well: a grade book wants everybody.
        let rejected = definition.rejected.iter().map(|rejected| &rejected.entrant);
        let entrants: &[Entrant] =
            &definition.entrants.iter().chain(rejected).cloned().collect::<Vec<_>>();
        let game = &definition.game;
        // What is drawn for intervals tells nothing of the secret.
        let seed = match definition.draws.seed {
            Seed::Number(number) => number,
            Seed::Key(_) => definition.draws.tag,
        };
        let swiss = tables.and_then(|(schedule, points)| schedule.swiss_table(points));
        let knockout = tables.and_then(|(schedule, points)| schedule.knockout_table(points));
        let bots = definition.entrants.len();
        let places = match (&swiss, &knockout) {
            (Some(swiss), _) => Some((RankedBy::Swiss, swiss.places_of_bots(bots))),
            (_, Some(knockout)) => Some((RankedBy::Knockout, knockout.places(bots))),
            (None, None) => None,
        };
        let standings = match &places {
            None => Standings::new(game, &seats, kind, entrants, &games, seed),
            Some((ranked_by, places)) => {
                let places = (*ranked_by, &places[..]);
                Standings::with_places(game, &seats, kind, entrants, &games, seed, places)
            }
        };
        let standings = Standings { scoring: scoring.into(), ..standings };
        Ok(Results { standings, swiss, knockout, is_revealed: is_revealed(store)?, definition })
    }

    /// The same with the names that the replays have in the tournament's directory: the store does not
    /// know which of them are compressed.
    #[must_use]
    pub fn linked_to(mut self, directory: &Path) -> Results {
        for link in &mut self.standings.replays {
            let plain = directory.join(&link.replay);
            if !plain.exists() && compressed_path(&plain).exists() {
                let name = compressed_path(Path::new(&link.replay));
                link.replay = name.to_string_lossy().into_owned();
            }
        }
        self
    }

    /// All of it, for a program.
    pub fn to_json(&self) -> Value {
        let mut all = self.standings.to_json();
        let name = |bot: usize| self.name(bot);
        if let Some(table) = &self.swiss {
            let row = |(row, place): (&botyard_league::schedule::SwissRow, usize)| {
                json!({
                    "place": place,
                    "bot": name(row.bot),
                    "score": row.score,
                    "buchholz": row.buchholz,
                    "sonneborn_berger": row.sonneborn_berger,
                    "points": row.points,
                    "byes": row.byes,
                })
            };
            let rows: Vec<Value> = table.rows.iter().zip(table.places()).map(row).collect();
            all["swiss"] = json!({"rounds": table.rounds, "table": rows});
        }
        if let Some(table) = &self.knockout {
            let pairing = |pairing: &botyard_league::schedule::KnockoutPairing| {
                json!({
                    "bots": pairing.bots.map(|bot| bot.map(name)),
                    "points": pairing.points,
                    "blocks": pairing.blocks,
                    "winner": pairing.winner.map(name),
                    "by_seed": pairing.by_seed,
                })
            };
            let rounds: Vec<Vec<Value>> =
                table.rounds.iter().map(|round| round.iter().map(pairing).collect()).collect();
            all["knockout"] = json!({"rounds": rounds, "winner": table.winner().map(name)});
        }
        all["rejected"] = json!(self.definition.rejected);
        if let Some(commitment) = &self.definition.commitment {
            all["secret_sha256"] = json!(commitment);
            all["secret"] = json!(self.revealed());
        }
        all
    }

    /// The name of one of the bots.
    pub fn name(&self, bot: usize) -> &str {
        self.definition.entrants.get(bot).map_or("?", |entrant| &entrant.name)
    }

    /// The digits of the secret, once they may be told.
    pub fn revealed(&self) -> Option<String> {
        self.definition.draws.secret_digits().filter(|_| self.is_revealed)
    }
}
