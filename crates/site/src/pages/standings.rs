//! The standings of the ladder, live: aliases for students and guests, names for the staff.

use crate::competition::ladder::{LadderEntrant, Standing};
use crate::people::{Person, Role};
use crate::site::Site;
use crate::web::{Asked, Feed, Message, Refusal, Reply, Step, notice, page, scripted_page};
use botyard_league::standings::BotStanding;
use botyard_league::standings::words::{NOTHING, remarks};
use botyard_pages::board::{self, BoardRow};
use botyard_pages::chart::{scale, trend_line};
use botyard_pages::pieces::{moment_text, name, table};
use botyard_protocol::printable;
use botyard_runner::words::counted;
use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The longest name of a group in an address, in characters.
const GROUP: usize = 100;

/// Returns the header of the table.
pub(super) fn header(standing: &Standing) -> Vec<&'static str> {
    board::header(false, !standing.trends.is_empty())
}

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = &asked.visitor()?.person;
    let boards = asked.competition().boards();
    let (standing, is_frozen) = boards.ladder_for(person.role);
    let group = group_of(asked);
    let sections: BTreeSet<&str> = (standing.entrants.iter())
        .map(|entrant| entrant.section.as_str())
        .filter(|section| !section.is_empty())
        .collect();
    let rows = rows(&standing, person, &group);
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs([("group", group.as_str()), ("has", &version(&rows))])
        .finish();
    let events = format!("/standings/events?{query}");
    let caption = "Each bot that plays now. Intervals: 95%";
    let main = html! {
        p { span id="time" role="status" { (time_in_words(&standing)) } }
        @if !boards.is_computed() { (notice("The site has just started: the standings are being computed.")) }
        @if is_frozen { (notice("The board is frozen: it shows the standings of that moment. Games are played on.")) }
        @else if boards.is_frozen() { (notice("Students see the board frozen, and you do not.")) }
        p class="screen" {
            @if boards.round.as_ref().is_some_and(|it| it.state.has_standings || person.role.is_staff()) {
                a href="/final" { "The final" } " \u{b7} "
            }
            @if let Some(own) = own_of(&standing, person) {
                a href=(format!("#row-{}", own.id)) { "Jump to my row" } " \u{b7} "
            }
            a href="/standings/crosstable" { "Crosstable" }
            @if person.role >= Role::Teacher && boards.round.as_ref().is_none_or(|it| it.state.has_standings) {
                " \u{b7} " a href="/event#freeze" { @if boards.is_frozen() { "Show the live board" } @else { "Freeze the board" } }
            }
        }
        p class="note" {
            "Bots with a common letter in \u{201c}group\u{201d} are not separated: the games do not show which of "
            "them is stronger. Games of replaced versions do not count."
        }
        @if sections.len() > 1 {
            form method="get" action="/standings" class="filters" {
                label { "Group of the course " select name="group" {
                    option value="" { "all" }
                    @for section in &sections {
                        option value=(section) selected[**section == group] { (printable(section, 60)) }
                    }
                } }
                button { "Show" }
            }
        }
        @if standing.entrants.iter().any(|entrant| entrant.team.is_some()) {
            (filters(&standing, person))
            div id="bots" data-events=(events) { (table(caption, &header(&standing), &joined(&rows))) }
        } @else {
            p { "No version has passed the gate yet. The first one begins the ladder." }
        }
        section id="reading" aria-labelledby="reading-title" {
            h2 id="reading-title" { "How to read the figures" }
            @for remark in remarks(&standing.standings) { p { (printable(&remark, 1000)) } }
        }
    };
    Ok(scripted_page(asked, "Standings", &main, Some("/assets/standings.js")))
}

/// Returns the entrant of the visitor's team, if it plays.
pub(super) fn own_of<'a>(standing: &'a Standing, person: &Person) -> Option<&'a LadderEntrant> {
    let is_own = |entrant: &&LadderEntrant| entrant.team.is_some() && entrant.team == person.team;
    standing.entrants.iter().find(is_own)
}

/// Returns the filters of the table, with the names that the visitor sees.
fn filters(standing: &Standing, person: &Person) -> Markup {
    let named = |bot: &BotStanding| {
        let entrant = standing.entrants.get(bot.entrant);
        entrant.map_or(NOTHING, |entrant| name_for(entrant, person)).to_string()
    };
    board::filters(&standing.standings.bots, &named)
}

/// Shows the results of every bot of the ladder against every other.
pub(super) fn crosstable(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = &asked.visitor()?.person;
    let (standing, is_frozen) = asked.competition().boards().ladder_for(person.role);
    let named = |bot: &BotStanding| {
        let entrant = standing.entrants.get(bot.entrant);
        name(entrant.map_or(NOTHING, |entrant| name_for(entrant, person)))
    };
    let main = html! {
        p { a href="/standings" { "Standings" } "; " (time_in_words(&standing)) }
        @if is_frozen { (notice("The board is frozen: it shows the results of that moment.")) }
        (board::crosstable(&standing.standings, &named))
    };
    Ok(page(asked, "Crosstable", &main))
}

/// Returns the group of the course that is asked for; empty for all.
fn group_of(asked: &Asked<'_>) -> String {
    asked.query.get("group").chars().take(GROUP).collect()
}

fn time_in_words(standing: &Standing) -> String {
    let games = counted(standing.standings.games, "game");
    format!("{games}, as of {}", moment_text(u64::try_from(standing.at).unwrap_or_default()))
}

/// Returns the name of a bot for a visitor.
pub(super) fn name_for<'a>(entrant: &'a LadderEntrant, person: &Person) -> &'a str {
    let is_own = entrant.team.is_some() && entrant.team == person.team;
    if person.role.is_staff() || is_own { &entrant.name } else { &entrant.alias }
}

/// A row, by which a page that has it can replace it.
struct Row {
    key: String,
    markup: String,
}

/// Returns the rows as everybody may see them.
pub(super) fn rows_for_all(standing: &Standing) -> Markup {
    let guest = Person { role: Role::Guest, ..Person::default() };
    rows_for(standing, &guest)
}

/// Returns the rows as a person may see them.
pub(super) fn rows_for(standing: &Standing, person: &Person) -> Markup {
    joined(&rows(standing, person, ""))
}

fn joined(rows: &[Row]) -> Markup {
    PreEscaped(rows.iter().map(|row| row.markup.as_str()).collect())
}

/// Returns a name of what these rows show.
fn version(rows: &[Row]) -> String {
    let mut hasher = DefaultHasher::new();
    rows.iter().for_each(|row| row.markup.hash(&mut hasher));
    format!("{:016x}", hasher.finish())
}

/// Returns the rows. That of the visitor's team is marked.
fn rows(standing: &Standing, person: &Person, group: &str) -> Vec<Row> {
    let bots = &standing.standings.bots;
    let scale = scale(bots);
    let is_own = |entrant: &LadderEntrant| {
        person.role == Role::Student && entrant.team.is_some() && entrant.team == person.team
    };
    let is_shown = |entrant: &LadderEntrant| {
        group.is_empty() || entrant.team.is_none() || entrant.section == group
    };
    let made = |(bot, entrant): (&BotStanding, &LadderEntrant)| {
        let (class, key) = (if is_own(entrant) { "own" } else { "" }, entrant.id.to_string());
        let markup = row(bot, entrant, standing, person, scale, (class, &key)).into_string();
        Row { key, markup }
    };
    let known = bots.iter().filter_map(|bot| Some((bot, standing.entrants.get(bot.entrant)?)));
    known.filter(|(_, entrant)| is_own(entrant) || is_shown(entrant)).map(made).collect()
}

fn row(
    bot: &BotStanding,
    entrant: &LadderEntrant,
    standing: &Standing,
    person: &Person,
    scale: (f64, f64),
    live: (&'static str, &str),
) -> Markup {
    let own = name_for(entrant, person);
    let named = html! {
        @match entrant.team {
            Some(team) if super::team::may_see(person, team) => {
                a href=(format!("/teams/{team}")) { (name(own)) }
            }
            _ => { (name(own)) }
        }
        @if entrant.team.is_some() { " " span class="team" { "v" (entrant.version) } }
        @else { " " span class="team" { "reference" } }
    };
    let trend = (!standing.trends.is_empty()).then(|| {
        match entrant.team.and_then(|team| standing.trends.get(&team)) {
            Some(days) => trend_line(days),
            None => html! { (NOTHING) },
        }
    });
    let live = Some(live);
    BoardRow { bot, named, searched: own, scale, has_points: false, trend, live }.markup()
}

/// Sends the rows that have changed whenever they were computed, and their order if that has.
pub(super) fn follow(asked: &Asked<'_>) -> Result<Feed, Refusal> {
    let (person, group) = (asked.visitor()?.person.clone(), group_of(asked));
    let id = asked.competition().id;
    let has = if asked.last_event.is_empty() { asked.query.get("has") } else { asked.last_event };
    let mut shown = Shown { version: has.to_string(), rows: Vec::new() };
    Ok(Box::new(move |site: &Site| {
        // Another event may have come into force.
        let Some(competition) = site.competitions.find(id) else { return Ok(Step::default()) };
        let (standing, _) = competition.boards().ladder_for(person.role);
        let rows = rows(&standing, &person, &group);
        let Some(mut data) = shown.replace(rows) else { return Ok(Step::default()) };
        data["time"] = json!(time_in_words(&standing));
        let id = shown.version.clone();
        let message = Message { kind: "standings", id, data: data.to_string() };
        Ok(Step { messages: vec![message], is_over: false })
    }))
}

/// What a page shows.
struct Shown {
    version: String,
    /// Empty if they are not known.
    rows: Vec<Row>,
}

impl Shown {
    /// Shows other rows. Returns what the page lacks; `None` if it has all.
    fn replace(&mut self, rows: Vec<Row>) -> Option<Value> {
        let version = version(&rows);
        let shown = std::mem::replace(&mut self.rows, rows);
        if std::mem::replace(&mut self.version, version) == self.version {
            return None;
        }
        let known: HashMap<&str, &str> =
            shown.iter().map(|row| (row.key.as_str(), row.markup.as_str())).collect();
        let is_new = |row: &&Row| known.get(row.key.as_str()) != Some(&row.markup.as_str());
        let changed: String =
            self.rows.iter().filter(is_new).map(|row| row.markup.as_str()).collect();
        let mut data = json!({ "rows": changed });
        let order = |rows: &[Row]| rows.iter().map(|row| row.key.clone()).collect::<Vec<String>>();
        let now = order(&self.rows);
        if order(&shown) != now {
            data["order"] = json!(now);
        }
        Some(data)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(of: &[(&str, &str)]) -> Vec<Row> {
        let row =
            |&(key, markup): &(&str, &str)| Row { key: key.into(), markup: markup.to_string() };
        of.iter().map(row).collect()
    }

    #[test]
    fn a_page_receives_what_it_lacks() {
        let first = rows(&[("1", "a"), ("2", "b")]);
        let mut shown = Shown { version: version(&first), rows: Vec::new() };
        assert_eq!(shown.replace(first), None, "the page was loaded with it");
        let changed = shown.replace(rows(&[("1", "a"), ("2", "c")]));
        assert_eq!(changed, Some(json!({ "rows": "c" })));
        let moved = shown.replace(rows(&[("2", "c"), ("1", "a")]));
        assert_eq!(moved, Some(json!({ "rows": "", "order": ["2", "1"] })));
        let replaced = shown.replace(rows(&[("2", "c"), ("3", "d")]));
        assert_eq!(replaced, Some(json!({ "rows": "d", "order": ["2", "3"] })));
        assert_eq!(shown.replace(rows(&[("2", "c"), ("3", "d")])), None);
        // A page that connects again may have any of them.
        let mut again = Shown { version: "other".into(), rows: Vec::new() };
        let all = again.replace(rows(&[("2", "c"), ("3", "d")]));
        assert_eq!(all, Some(json!({ "rows": "cd", "order": ["2", "3"] })));
    }
}
