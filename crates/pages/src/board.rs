//! The table of bots: a row for each, filters over them, and the crosstable. The page of a tournament
//! and the standings of a site share it, with its script.

use crate::chart::rating_line;
use crate::pieces::{cell, groups, plain, row_name, won_drawn_lost};
use botyard_league::Standings;
use botyard_league::standings::words::{
    NOTHING, faults, letter, own_points, percent, percents, places, range, rank, rating,
};
use botyard_league::standings::{BotStanding, ScoreSummary};
use botyard_protocol::printable;
use maud::{Markup, html};

/// The script of the filters and the order. It needs an element with the ID `filters`, the table in
/// one with the ID `bots`, and one for the number of rows with the ID `count`.
pub const SCRIPT: &str = include_str!("../assets/board.js");

/// The maximum number of names beside a group.
const NAMED: usize = 4;

/// The maximum length of a name that is searched, in characters.
const SEARCHED: usize = 1000;

/// A row of the table.
pub struct BoardRow<'a> {
    /// The results of the bot.
    pub bot: &'a BotStanding,
    /// The cell that names the bot.
    pub named: Markup,
    /// What a search finds it by. Untrusted.
    pub searched: &'a str,
    /// The range of all ratings, for the drawing.
    pub scale: (f64, f64),
    /// Whether the table has the game's own points.
    pub has_points: bool,
    /// The course of its rating, if the table has it.
    pub trend: Option<Markup>,
    /// The class of the row, and the key by which a page replaces it, if it does.
    pub live: Option<(&'static str, &'a str)>,
}

/// Returns the header of the table.
pub fn header(has_points: bool, has_trend: bool) -> Vec<&'static str> {
    let mut header = vec!["rank", "bot", "places", "group", "games", "won / drawn / lost"];
    if has_points {
        header.push("points");
    }
    header.extend(["share", "rating"]);
    if has_trend {
        header.push("trend");
    }
    header.push("faults");
    header
}

impl BoardRow<'_> {
    /// Returns the row, with what the script sorts and filters by.
    pub fn markup(&self) -> Markup {
        let bot = self.bot;
        let (class, key) = self.live.unwrap_or_default();
        let id = self.live.is_some().then(|| format!("row-{key}"));
        html! {
            tr role="row" id=[id] class=[(!class.is_empty()).then_some(class)]
                data-row=[(!key.is_empty()).then_some(key)]
                data-name=(printable(self.searched, SEARCHED).to_lowercase())
                data-groups=(bot.groups.iter().map(usize::to_string).collect::<Vec<_>>().join(" "))
                data-separated=(u8::from(bot.is_separated()))
                data-rank=[bot.rank]
                data-rating=[bot.rating.map(|rating| rating.value)]
                data-share=[bot.score.share]
                data-games=(bot.score.games)
                data-faults=(bot.fault_count()) {
                (plain("rank", rank(bot.rank)))
                (row_name(&html! {
                    (self.named)
                    button type="button" class="more" aria-expanded="false"
                        aria-label=(format!("Details of {}", printable(self.searched, 60))) { "\u{22ef}" }
                }))
                (plain("places", places(bot)))
                (cell("group", &groups(bot)))
                (plain("games", bot.score.games))
                (plain("won / drawn / lost", won_drawn_lost(&bot.score)))
                @if self.has_points { (plain("points", own_points(bot.score.points))) }
                (cell("share", &html! {
                    (percent(bot.score.share))
                    @if let Some(interval) = bot.block_interval.or(bot.score.interval) {
                        " " span class="interval" { (percents(Some(interval))) }
                    }
                }))
                (cell("rating", &html! {
                    (rating(bot.rating))
                    @if bot.rating.is_some() { " " span class="interval" { (range(bot.rating)) } }
                    (rating_line(bot, self.scale))
                }))
                @if let Some(trend) = &self.trend { (cell("trend", trend)) }
                (plain("faults", faults(bot)))
            }
        }
    }
}

/// Returns the filters and the order, and the place for the number of rows.
pub fn filters(bots: &[BotStanding], named: &dyn Fn(&BotStanding) -> String) -> Markup {
    let most = bots.iter().flat_map(|bot| bot.groups.iter().copied()).max().unwrap_or(0);
    html! {
        // Without the script there is nothing to filter with.
        div class="filters" id="filters" role="search" hidden {
            label {
                "Name " kbd aria-hidden="true" { "/" }
                input type="search" id="name" autocomplete="off" spellcheck="false" aria-keyshortcuts="/";
            }
            label { "Not separated " select id="group" {
                option value="" { "all" }
                @for group in 1..=most {
                    option value=(group) { (letter(group)) ": " (members(bots, group, named)) }
                }
            } }
            label { "Order " select id="order" {
                @for (key, words) in [
                    ("rank", "rank"),
                    ("rating", "rating"),
                    ("share", "share"),
                    ("games", "games"),
                    ("faults", "faults"),
                    ("name", "name"),
                ] { option value=(key) { (words) } }
            } }
            label class="check" {
                input type="checkbox" id="separated"; " Only bots separated from all others"
            }
        }
        p id="count" role="status" {}
    }
}

/// Returns the names of the bots of a group, the first ones if there are many.
fn members(bots: &[BotStanding], group: usize, named: &dyn Fn(&BotStanding) -> String) -> String {
    let members = || bots.iter().filter(|bot| bot.groups.contains(&group));
    let names: Vec<String> = members().take(NAMED).map(|bot| printable(&named(bot), 20)).collect();
    match members().count() - names.len() {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

/// Returns the results of every bot against every other: won, drawn and lost, with the share as
/// words in the title. The columns have the numbers of the rows.
pub fn crosstable(standings: &Standings, named: &dyn Fn(&BotStanding) -> Markup) -> Markup {
    let cross = |score: &ScoreSummary| {
        let class = match score.share {
            Some(share) if share > 0.5 => "ahead",
            Some(share) if share < 0.5 => "behind",
            _ => "even",
        };
        let text = match score.games {
            0 => NOTHING.to_string(),
            _ => format!("{}\u{2013}{}\u{2013}{}", score.wins, score.draws, score.losses),
        };
        html! { td class=(class) title=(percent(score.share)) { (text) } }
    };
    html! {
        div class="wide" tabindex="0" role="region" aria-label="Results between bots" {
            table class="cross" {
                caption { "Won\u{2013}drawn\u{2013}lost of each row against the bot of each column" }
                thead { tr {
                    th scope="col" { "bot" }
                    @for number in 1..=standings.bots.len() { th scope="col" { (number) } }
                } }
                tbody {
                    @for (number, (bot, scores)) in (1..).zip(standings.bots.iter().zip(&standings.head_to_head)) {
                        tr {
                            th scope="row" { (number) " " (named(bot)) }
                            @for (other, score) in (1..).zip(scores) {
                                @if other == number { td class="self" { "\u{b7}" } } @else { (cross(score)) }
                            }
                        }
                    }
                }
            }
        }
    }
}
