//! The results of a tournament as text: the Swiss table or the bracket, the standings, and the
//! rejected bots.

use crate::announcement::drawn_from_secret;
use crate::directory::Directory;
use crate::results::Results;
use botyard_league::plain_table::table_of_numbers;
use botyard_league::schedule::{KnockoutTable, SwissTable};
use botyard_league::store::Definition;
use botyard_runner::Error;
use botyard_runner::words::counted;

/// The formats of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Tables for a terminal.
    Table,
    /// JSON, for a program.
    Json,
    /// CSV, for a spreadsheet.
    Csv,
    /// Markdown.
    Md,
    /// An HTML page.
    Html,
}

impl Results {
    /// Returns the results in this format.
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

    /// Saves the results in every format in the tournament's directory.
    ///
    /// # Errors
    ///
    /// A failure of the host.
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

    /// Returns the Swiss table or the knockout bracket, followed by an empty line.
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

    fn swiss_table(&self, swiss: &SwissTable) -> String {
        let header = ["place", "bot", "score", "Buchholz", "Sonneborn-Berger", "points", "byes"];
        let mut table = table_of_numbers(&header);
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
        table.to_string()
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
                                format!("drawn: {} advances as the better seed", self.name(winner))
                            }
                            Some(winner) => format!("{} advances", self.name(winner)),
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

    /// Returns the secret or its hash, so that anyone can check the draws. Empty if the tournament
    /// file has a seed.
    fn secret(&self) -> String {
        match (&self.definition.commitment, self.revealed()) {
            (None, _) => String::new(),
            (Some(hash), None) => {
                format!("\nthe games are {}\n", drawn_from_secret(hash))
            }
            (Some(hash), Some(secret)) => {
                format!(
                    "\nthe games were drawn from the secret\n{secret}\nwhose SHA-256 is\n{hash}\n"
                )
            }
        }
    }

    /// Returns the replaced versions, and the bots that the gate rejected with the reasons.
    fn rejected(&self) -> String {
        format!("{}{}", self.replaced_in_words(), rejected_in_words(&self.definition))
    }

    /// Returns a line for each replaced version of a bot.
    fn replaced_in_words(&self) -> String {
        let line = |old: &crate::results::Replaced| {
            let games = counted(old.score.games(), "game");
            let share = old.score.share();
            let share = share.map_or(String::new(), |share| format!(", {:.1}%", share * 100.0));
            format!(
                "\n{} was replaced by {}: {games}{share}, which no longer count\n",
                old.entrant.name, old.by
            )
        };
        self.replaced.iter().map(line).collect()
    }
}

/// Returns the bots that the gate rejected, with the reasons. Empty if there are none.
pub fn rejected_in_words(definition: &Definition) -> String {
    let mut text = String::new();
    for rejected in &definition.rejected {
        let reason = rejected.reason.trim_end().replace('\n', "\n  ");
        text.push_str(&format!("\n{} was rejected by the gate: {reason}\n", rejected.entrant.name));
    }
    text
}
