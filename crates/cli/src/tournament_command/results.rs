//! What a tournament has come to: the games of its store, as standings, and the table or the bracket of
//! formats that have one.

use super::arguments::Form;
use super::directory::Directory;
use super::outline::Outline;
use super::supply::Supply;
use crate::error::Error;
use crate::match_command::empty_table;
use botyard_engine::Seed;
use botyard_league::schedule::{KnockoutTable, SwissTable};
use botyard_league::store::{Definition, Store};
use botyard_league::{Entrant, PlayedGame, RankedBy, Standings};
use serde_json::{Value, json};

/// The results of a tournament so far.
pub struct Results {
    /// What statistics say.
    pub standings: Standings,
    /// The table of a Swiss tournament.
    pub swiss: Option<SwissTable>,
    /// The bracket of a knockout.
    pub knockout: Option<KnockoutTable>,
    definition: Definition,
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
        let mut supply = schedule.as_ref().map(|schedule| Supply::new(schedule, true, 0));
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

    /// In the form that was asked for.
    pub fn to_text(&self, form: Form) -> String {
        match form {
            Form::Table => {
                let standings = self.standings.to_table();
                format!("{}{standings}{}{}", self.pairings(), self.rejected(), self.secret())
            }
            Form::Json => format!("{}\n", self.to_json()),
            Form::Csv => self.standings.to_csv(),
            Form::Md => {
                let pairings = match self.pairings() {
                    text if text.is_empty() => text,
                    text => format!("```text\n{text}```\n\n"),
                };
                let rejected = match format!("{}{}", self.rejected(), self.secret()) {
                    text if text.is_empty() => text,
                    text => format!("\n```text\n{}```\n", text.trim_start_matches('\n')),
                };
                format!("{pairings}{}{rejected}", self.standings.to_markdown())
            }
            Form::Html => {
                let below = format!("{}{}", self.rejected(), self.secret());
                self.standings.to_html(&self.pairings(), &below)
            }
        }
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

    /// Saves them in every form.
    ///
    /// # Errors
    ///
    /// What the host cannot do.
    pub fn save(&self, directory: &Directory) -> Result<(), Error> {
        for (name, form) in [
            ("standings.txt", Form::Table),
            ("standings.json", Form::Json),
            ("standings.csv", Form::Csv),
            ("standings.md", Form::Md),
            ("standings.html", Form::Html),
        ] {
            directory.save(name, &self.to_text(form))?;
        }
        Ok(())
    }

    fn name(&self, bot: usize) -> &str {
        self.definition.entrants.get(bot).map_or("?", |entrant| &entrant.name)
    }

    /// The table or the bracket, with an empty line after it.
    fn pairings(&self) -> String {
        let mut text = String::new();
        if let Some(table) = &self.swiss {
            text.push_str(&format!("{}\n\n", self.swiss_table(table)));
        }
        if let Some(table) = &self.knockout {
            text.push_str(&format!("{}\n", self.bracket(table)));
        }
        text
    }

    fn swiss_table(&self, swiss: &SwissTable) -> comfy_table::Table {
        let header = ["place", "bot", "score", "Buchholz", "Sonneborn-Berger", "points", "byes"];
        let mut table = empty_table(&header);
        for (place, row) in swiss.places().into_iter().zip(&swiss.rows) {
            table.add_row([
                format!("{place}"),
                self.name(row.bot).to_string(),
                format!("{} of {}", row.score, swiss.rounds),
                row.buchholz.to_string(),
                row.sonneborn_berger.to_string(),
                row.points.to_string(),
                row.byes.to_string(),
            ]);
        }
        table
    }

    fn bracket(&self, bracket: &KnockoutTable) -> String {
        let mut text = String::new();
        for (number, round) in (1..).zip(&bracket.rounds) {
            let last = bracket.rounds.len();
            let title = match last - number {
                0 => "final".to_string(),
                1 => "semi-finals".to_string(),
                _ => format!("round {number}"),
            };
            text.push_str(&format!("{title}\n"));
            for pairing in round {
                let entry = |bot: Option<usize>| bot.map_or("?", |bot| self.name(bot));
                let line = match (pairing.bots, pairing.winner) {
                    ([Some(_), Some(_)], winner) => {
                        let [one, other] = pairing.bots.map(entry);
                        let [first, second] = pairing.points;
                        let then = match winner {
                            Some(winner) if pairing.by_seed => {
                                format!(
                                    "level to the end: {} goes on as the better seed",
                                    self.name(winner)
                                )
                            }
                            Some(winner) => format!("{} goes on", self.name(winner)),
                            None => "not decided".to_string(),
                        };
                        format!("{one} {first} : {second} {other}; {then}")
                    }
                    (_, Some(winner)) => format!("{} has a bye", self.name(winner)),
                    (bots, None) => {
                        let [one, other] = bots.map(entry);
                        format!("{one} against {other}")
                    }
                };
                text.push_str(&format!("  {line}\n"));
            }
        }
        match bracket.winner() {
            Some(winner) => text.push_str(&format!("winner: {}\n", self.name(winner))),
            None => text.push_str("winner: not decided\n"),
        }
        text
    }

    /// The digits of the secret, once they may be told.
    fn revealed(&self) -> Option<String> {
        self.definition.draws.secret_digits().filter(|_| self.is_revealed)
    }

    /// What the games are drawn from, so that everybody can check it; empty where it is the seed of the
    /// tournament's file.
    fn secret(&self) -> String {
        match (&self.definition.commitment, self.revealed()) {
            (None, _) => String::new(),
            (Some(hash), None) => {
                format!("\nthe games are drawn from a secret whose SHA-256 is\n{hash}\n")
            }
            (Some(hash), Some(secret)) => {
                format!(
                    "\nthe games were drawn from the secret\n{secret}\nwhose SHA-256 is\n{hash}\n"
                )
            }
        }
    }

    /// Those who were not let in, and why.
    fn rejected(&self) -> String {
        rejected_in_words(&self.definition)
    }
}

/// Those who were not let in, and why; empty where all were.
pub fn rejected_in_words(definition: &Definition) -> String {
    let mut text = String::new();
    for rejected in &definition.rejected {
        let reason = rejected.reason.trim_end().replace('\n', "\n  ");
        text.push_str(&format!("\n{} was not let in: {reason}\n", rejected.entrant.name));
    }
    text
}
