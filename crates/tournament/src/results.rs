//! The results of a tournament: standings from the games in its store, and the table of a Swiss
//! tournament or the bracket of a knockout.

use crate::conditions::{clocks_of, own_times};
use crate::directory::{Directory, store_file, tighten};
use crate::stored_tournament::StoredTournament;
use botyard_engine::Seed;
use botyard_league::scale::Scale;
use botyard_league::schedule::{KnockoutTable, SwissTable};
use botyard_league::score::Score;
use botyard_league::store::{Definition, SqliteStore, Store};
use botyard_league::tournament_file::TournamentFile;
use botyard_league::{Entrant, PlayedGame, RankedBy, Standings, Verdict};
use botyard_replay::compressed_path;
use botyard_runner::{Error, PendingGames};
use serde_json::{Value, json};
use std::path::Path;

/// The results of a tournament so far.
pub struct Results {
    /// The standings.
    pub standings: Standings,
    /// The table of a Swiss tournament.
    pub swiss: Option<SwissTable>,
    /// The bracket of a knockout.
    pub knockout: Option<KnockoutTable>,
    /// The versions of bots that were replaced, with their games, which no longer count for any
    /// bot.
    pub replaced: Vec<Replaced>,
    /// The definition of the tournament.
    pub definition: Definition,
    /// Whether the secret may be published.
    is_revealed: bool,
}

/// A version of a bot that was replaced.
#[derive(Clone, Debug)]
pub struct Replaced {
    /// The bot.
    pub entrant: Entrant,
    /// The name of the version that replaced it.
    pub by: String,
    /// Its score against all opponents.
    pub score: Score,
}

/// The note in a store whose secret may be published.
const REVEALED: &str = "secret revealed";

/// Makes all later results include the secret that the games were drawn from.
///
/// # Errors
///
/// A failure of the host.
pub fn reveal_secret(store: &mut dyn Store) -> Result<(), Error> {
    if is_revealed(store)? {
        return Ok(());
    }
    Ok(store.note(REVEALED, "every game has a result")?)
}

pub(super) fn is_revealed(store: &dyn Store) -> Result<bool, Error> {
    Ok(store.audit()?.iter().any(|entry| entry.what == REVEALED))
}

impl Results {
    /// Reads the results from a store.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn of(store: &dyn Store) -> Result<Results, Error> {
        Results::with(store, None)
    }

    /// Reads the results as if a generation had been applied.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn with(store: &dyn Store, generation: Option<u32>) -> Result<Results, Error> {
        Ok(Results::with_input(store, generation)?.0)
    }

    /// Reads the results, and returns what they were computed from as well.
    pub(super) fn with_input(
        store: &dyn Store,
        generation: Option<u32>,
    ) -> Result<(Results, Input), Error> {
        let definition = store.definition().clone();
        let tournament = StoredTournament::of(&definition)?;
        let (seats, kind, schedule) =
            (&tournament.seats, tournament.kind, tournament.schedule.as_ref());
        let mut pending =
            schedule.map(|schedule| PendingGames::new(schedule, true, 0).scaled(kind.scale));
        let mut games: Vec<PlayedGame> = Vec::new();
        let mut versions = Versions::of(&definition, kind.scale);
        for mut stored in store.current_games(generation)? {
            if let Some(pending) = &mut pending {
                pending.was_played(stored.key, stored.attempts, &stored.game);
            }
            if versions.counts(&mut stored.game) {
                games.push(stored.game);
            }
        }
        let points = pending.as_ref().map(PendingGames::points);
        let tables = schedule.zip(points);
        // Rejected bots have a row too: a grade book needs one for everyone.
        let rejected = definition.rejected.iter().map(|rejected| &rejected.entrant);
        let entrants: Vec<Entrant> =
            versions.current(&definition).chain(rejected).cloned().collect();
        let game = &definition.game;
        // The draws for intervals do not reveal the secret.
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
            None => Standings::new(game, seats, kind, &entrants, &games, seed),
            Some((ranked_by, places)) => {
                let places = (*ranked_by, &places[..]);
                Standings::with_places(game, seats, kind, &entrants, &games, seed, places)
            }
        };
        let file = &tournament.file;
        let times = if own_times(file).is_empty() { String::new() } else { clocks_of(file) };
        let scoring = tournament.scoring.clone();
        let mut standings = Standings { scoring, times, ..standings };
        let known = versions.known(&definition, &tournament.file);
        for bot in &mut standings.bots {
            if let Some((student_id, reason)) = known.get(bot.entrant) {
                bot.student_id = student_id.clone().unwrap_or_default();
                bot.gate_reason = (*reason).to_string();
            }
        }
        let replaced = versions.replaced(&definition);
        let is_revealed = is_revealed(store)?;
        drop(pending);
        let input = Input { tournament, games, entrants, active: versions.places };
        Ok((Results { standings, swiss, knockout, replaced, is_revealed, definition }, input))
    }

    /// Reads the results of the tournament in a directory, which may be being played.
    ///
    /// # Errors
    ///
    /// The directory contains no tournament, or the store cannot be read.
    pub fn read(directory: &Path) -> Result<Results, Error> {
        tighten(directory);
        let store = SqliteStore::open_to_read(&store_file(directory))?;
        Ok(Results::of(&store)?.linked_to(directory))
    }

    /// Reads the results from a store, and saves them in the tournament's directory.
    ///
    /// # Errors
    ///
    /// A failure of the host.
    pub(super) fn saved(store: &dyn Store, directory: &Directory) -> Result<Results, Error> {
        let results = Results::of(store)?.linked_to(directory.path());
        results.save(directory)?;
        Ok(results)
    }

    /// Returns the same with the actual names of replay files in the tournament's directory: the
    /// store does not record which are compressed.
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

    /// Returns all results as JSON.
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
        let replaced = |old: &Replaced| {
            json!({
                "bot": old.entrant,
                "replaced_by": old.by,
                "games": old.score.games(),
                "wins": old.score.wins,
                "draws": old.score.draws,
                "losses": old.score.losses,
                "share": old.score.share(),
            })
        };
        all["replaced"] = self.replaced.iter().map(replaced).collect();
        if let Some(commitment) = &self.definition.commitment {
            all["secret_sha256"] = json!(commitment);
            all["secret"] = json!(self.revealed());
        }
        all
    }

    /// Returns the name of a bot.
    pub fn name(&self, bot: usize) -> &str {
        self.definition.entrants.get(bot).map_or("?", |entrant| &entrant.name)
    }

    /// Returns the digits of the secret if it may be published.
    pub fn revealed(&self) -> Option<String> {
        self.definition.draws.secret_digits().filter(|_| self.is_revealed)
    }
}

/// What results are computed from.
pub(super) struct Input {
    /// The tournament of the tournament.
    pub tournament: StoredTournament,
    /// The games between active bots, with the indices of `entrants`.
    pub games: Vec<PlayedGame>,
    /// The active bots, and the rejected ones after them.
    pub entrants: Vec<Entrant>,
    /// For each bot of the definition its index in `entrants`, `None` if it was replaced.
    pub active: Vec<Option<usize>>,
}

/// The active versions of bots, and the scores of replaced ones.
struct Versions {
    /// The index of each bot among the active ones. `None`: the bot was replaced.
    places: Vec<Option<usize>>,
    scores: Vec<Score>,
    scale: Scale,
}

impl Versions {
    fn of(definition: &Definition, scale: Scale) -> Versions {
        let kept = definition.kept.as_ref().map_or(&[][..], |kept| &kept.bots);
        let mut next = 0;
        let places = (0..definition.entrants.len()).map(|bot| {
            let is_replaced = kept.get(bot).is_some_and(|bot| bot.replaced_by.is_some());
            let place = (!is_replaced).then_some(next);
            next += usize::from(!is_replaced);
            place
        });
        let places: Vec<Option<usize>> = places.collect();
        Versions { scores: vec![Score::default(); places.len()], places, scale }
    }

    /// Returns whether a game is between active bots, and sets their indices then. A game of a
    /// replaced version counts only for that version's score.
    fn counts(&mut self, game: &mut PlayedGame) -> bool {
        let place = |bot: &usize| self.places.get(*bot).copied().flatten();
        // A bot that does not take part makes the game unreadable, which must not be hidden.
        let known = |bot: &usize| place(bot).or((*bot >= self.places.len()).then_some(usize::MAX));
        if let Some(seats) = game.seats.iter().map(known).collect::<Option<Vec<usize>>>() {
            game.seats = seats;
            return true;
        }
        if let Verdict::Scored { points, places } = &game.verdict {
            for (seat, &bot) in game.seats.iter().enumerate() {
                let part = self.scale.part(points, places, seat);
                if place(&bot).is_none()
                    && let (Some(score), Some(part)) = (self.scores.get_mut(bot), part)
                {
                    score.add_part(part, 1);
                }
            }
        }
        false
    }

    fn current<'a>(&self, definition: &'a Definition) -> impl Iterator<Item = &'a Entrant> {
        let all = definition.entrants.iter().zip(self.places.clone());
        all.filter(|(_, place)| place.is_some()).map(|(entrant, _)| entrant)
    }

    /// Returns for each active bot, and then for each rejected one, what the tournament knows besides
    /// its games: the ID of its author in the file, and the reason of the gate.
    fn known<'a>(
        &self,
        definition: &'a Definition,
        file: &TournamentFile,
    ) -> Vec<(Option<String>, &'a str)> {
        let kept = definition.kept.as_ref().map_or(&[][..], |kept| &kept.bots);
        // All versions of a bot share its entry in the file.
        let entry = |bot: usize| {
            kept.get(bot).map_or(definition.entrants[bot].name.as_str(), |kept| kept.entry.as_str())
        };
        let student_id = |name: &str| {
            let entry = file.bots.iter().find(|entry| entry.name.as_deref() == Some(name));
            entry.and_then(|entry| entry.student_id.clone())
        };
        let is_active = |bot: &usize| self.places.get(*bot).copied().flatten().is_some();
        let active = (0..definition.entrants.len()).filter(is_active);
        let active = active.map(|bot| (student_id(entry(bot)), ""));
        let rejected = definition.rejected.iter();
        let rejected = rejected.map(|bot| (student_id(&bot.entrant.name), bot.reason.as_str()));
        active.chain(rejected).collect()
    }

    fn replaced(&self, definition: &Definition) -> Vec<Replaced> {
        let kept = definition.kept.as_ref().map_or(&[][..], |kept| &kept.bots);
        let all = definition.entrants.iter().zip(kept).zip(&self.scores);
        let replaced = all.filter_map(|((entrant, bot), score)| {
            let by = definition.entrants.get(bot.replaced_by?)?.name.clone();
            Some(Replaced { entrant: entrant.clone(), by, score: *score })
        });
        replaced.collect()
    }
}
