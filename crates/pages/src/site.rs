//! What the pages show, gathered once for all of them.

use crate::games::ShownGame;
use crate::{bot, index};
use botyard_league::standings::{
    BotStanding, RatingPoint, SharePoint, rating_histories, share_histories,
};
use botyard_league::{Entrant, PlayedGame};
use botyard_tournament::Report;
use std::collections::BTreeSet;

/// The number of parts of a tournament after which ratings are computed, and the maximum numbers of
/// bots and of games with which that is done: each part costs as much as the standings.
const RATED_PARTS: usize = 12;
const MOST_RATED: (usize, usize) = (100, 20_000);

/// The pages of a tournament as texts.
pub struct Site {
    /// The tournament.
    pub(crate) report: Report,
    /// The games that are shown.
    pub(crate) shown: Vec<ShownGame>,
    /// The tiers in which bots were contained, as replays record them.
    pub(crate) tiers: BTreeSet<String>,
    /// The number of games with a fault that are not shown.
    pub(crate) left_out: usize,
    /// For each bot, the share of its points after each of its games.
    pub(crate) histories: Vec<Vec<SharePoint>>,
    /// For each bot, its rating after parts of the tournament; empty if there are too many games.
    pub(crate) ratings: Vec<Vec<RatingPoint>>,
    /// The page of each bot, relative to the index.
    pub(crate) files: Vec<String>,
}

impl Site {
    /// Prepares the pages of a tournament. `shown` are games that were read from their replays,
    /// `tiers` those of the sandbox that replays name, and `left_out` is the number of games with a
    /// fault that are not shown.
    pub fn new(
        report: Report,
        shown: Vec<ShownGame>,
        tiers: BTreeSet<String>,
        left_out: usize,
    ) -> Site {
        let histories = share_histories(report.entrants.len(), &report.games, report.kind.scale);
        let ratings = ratings(&report);
        let files = bot_files(&report.entrants);
        Site { report, shown, tiers, left_out, histories, ratings, files }
    }

    /// Returns the page with the standings.
    pub fn index(&self) -> String {
        index::page(self)
    }

    /// Returns the page of each bot with its name relative to the index.
    pub fn bots(&self) -> impl Iterator<Item = (String, String)> {
        let bots = &self.report.results.standings.bots;
        bots.iter().map(|bot| (self.files[bot.entrant].clone(), bot::page(self, bot)))
    }

    /// Returns the full name of a bot, which is untrusted.
    pub(crate) fn name(&self, entrant: usize) -> &str {
        self.report.entrants.get(entrant).map_or("?", |entrant| entrant.name.as_str())
    }

    /// Returns the games that are shown in which a bot took part.
    pub(crate) fn games_of(
        &self,
        bot: &BotStanding,
    ) -> impl Iterator<Item = (&ShownGame, &PlayedGame)> {
        let games = self.shown.iter().map(|shown| (shown, &self.report.games[shown.index]));
        let entrant = bot.entrant;
        games.filter(move |(_, game)| game.seats.contains(&entrant))
    }
}

/// Returns the rating of each bot after parts of the tournament, which ends in that of the standings.
fn ratings(report: &Report) -> Vec<Vec<RatingPoint>> {
    let (bots, games) = (report.entrants.len(), &report.games);
    if bots > MOST_RATED.0 || games.len() > MOST_RATED.1 {
        return vec![Vec::new(); bots];
    }
    let mut histories = rating_histories(report.kind, bots, games, RATED_PARTS);
    for bot in &report.results.standings.bots {
        // The interval of the standings comes from other resamples.
        if let (Some(last), Some(rating)) = (histories[bot.entrant].last_mut(), bot.rating) {
            last.rating = rating;
        }
    }
    histories
}

/// Returns the page of each bot, relative to the index: its number, and what of its name can be part
/// of the name of a file anywhere.
pub(crate) fn bot_files(entrants: &[Entrant]) -> Vec<String> {
    let file = |(number, entrant): (usize, &Entrant)| {
        let mut name = String::new();
        for character in entrant.name.chars().take(200) {
            match character.to_ascii_lowercase() {
                plain @ ('a'..='z' | '0'..='9') => name.push(plain),
                _ if name.ends_with('-') || name.is_empty() => {}
                _ => name.push('-'),
            }
            if name.len() == 40 {
                break;
            }
        }
        match name.trim_end_matches('-') {
            "" => format!("bots/{number}.html"),
            name => format!("bots/{number}-{name}.html"),
        }
    };
    (1..).zip(entrants).map(file).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_plain_and_distinct() {
        let names =
            ["anna", "Anna", "../../etc", "<script>", "\u{202e}x", "é", "", &"a b".repeat(99)];
        let entrants = names.map(|name| Entrant { name: name.into(), ..Entrant::default() });
        let files = bot_files(&entrants);
        let expected = [
            "bots/1-anna.html",
            "bots/2-anna.html",
            "bots/3-etc.html",
            "bots/4-script.html",
            "bots/5-x.html",
            "bots/6.html",
            "bots/7.html",
        ];
        assert_eq!(files[..7], expected);
        assert!(files[7].len() <= 60 && !files[7].contains(' '), "{}", files[7]);
    }
}
