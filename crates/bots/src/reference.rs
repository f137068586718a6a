//! The reference page of all bots with all their options, as Markdown.

use crate::catalogue;
use botyard_agent::{Bot, DeclaredOption};
use botyard_protocol::OptionSpec;
use std::collections::BTreeSet;

/// Characters of a line.
const LINE: usize = 118;

/// Returns the page.
pub fn page() -> String {
    let bots = catalogue::bots();
    let shared = Shared::of(&bots);
    let mut page = "# Bots\n\n\
         The built-in bots and their options, as `botyard bots` lists them. Options follow the name and \
         a colon:\n`botyard match draughts alpha-beta:depth=6 greedy`. An option without a game is one \
         of every game of the bot.\n`botyard bots BOT` explains those for research too.\n"
        .to_string();
    for bot in &bots {
        add(&mut page, bot, &shared);
    }
    page.push_str("\n## Options of several bots\n\n");
    page.push_str("| option | game | values | meaning |\n| --- | --- | --- | --- |\n");
    page.extend(shared.0.iter().map(|option| line(&cells(option, None))));
    page
}

/// Adds the section of a bot.
fn add(page: &mut String, bot: &Bot, shared: &Shared) {
    let others = match (bot.has_other_games(), bot.needs_model()) {
        (true, false) => Some("games whose rules are programs"),
        (true, true) => Some("games whose rules are programs (with a model)"),
        (false, _) => None,
    };
    let games = bot.games().chain(others).collect::<Vec<_>>().join(", ");
    page.push_str(&format!("\n## `{}`\n\n{}.\n\nGames: {games}.\n", bot.name(), bot.about()));
    page.push_str(notes(bot.name()));
    let (research, mut options): (Vec<&DeclaredOption>, Vec<&DeclaredOption>) =
        bot.declared_options().iter().partition(|option| option.research);
    options.sort_by_key(|option| (option.game, &option.name));
    let (common, own): (Vec<_>, Vec<_>) = options.into_iter().partition(|one| shared.has(one));
    add_list(
        page,
        "[Shared options](#options-of-several-bots), with their defaults:",
        common.into_iter().map(with_default),
    );
    if !own.is_empty() {
        page.push_str("\n| option | game | values | default | meaning |\n");
        page.push_str("| --- | --- | --- | --- | --- |\n");
        let rows = own
            .into_iter()
            .map(|option| line(&cells(option, Some(option.spec.default_value().to_string()))));
        page.extend(rows);
    }
    let names: BTreeSet<&str> = research.iter().map(|option| option.name.as_str()).collect();
    add_list(page, "For research:", names.into_iter().map(|name| format!("`{name}`")));
}

/// Adds a line with a list; nothing if the list is empty.
fn add_list(page: &mut String, title: &str, items: impl Iterator<Item = String>) {
    let items: Vec<String> = items.collect();
    if !items.is_empty() {
        page.push_str(&format!("\n{}.\n", broken(&format!("{title} {}", items.join(", ")))));
    }
}

/// The options, but for those of research, that several bots have with the same values and meaning.
struct Shared(Vec<DeclaredOption>);

impl Shared {
    fn of(bots: &[Bot]) -> Shared {
        let all = bots.iter().flat_map(Bot::declared_options);
        let all: Vec<&DeclaredOption> = all.filter(|option| !option.research).collect();
        let mut shared: Vec<DeclaredOption> = Vec::new();
        for (at, option) in all.iter().enumerate() {
            let is_again = all[at + 1..].iter().any(|other| are_alike(option, other));
            if is_again && !shared.iter().any(|other| are_alike(option, other)) {
                shared.push((*option).clone());
            }
        }
        shared.sort_by_key(|option| (option.game, option.name.clone()));
        Shared(shared)
    }

    fn has(&self, option: &DeclaredOption) -> bool {
        self.0.iter().any(|other| are_alike(option, other))
    }
}

/// Whether two options differ in nothing but their defaults.
fn are_alike(one: &DeclaredOption, other: &DeclaredOption) -> bool {
    (&one.name, one.game, one.spec.expected(), one.spec.about())
        == (&other.name, other.game, other.spec.expected(), other.spec.about())
}

/// Returns an option as it is set to its default, with its game.
fn with_default(option: &DeclaredOption) -> String {
    let value = option.spec.default_value();
    let value = value.as_str().map_or(value.to_string(), str::to_string);
    let game = option.game.map(|game| format!(" ({game})")).unwrap_or_default();
    format!("`{}={value}`{game}", option.name)
}

/// Returns a text in lines of the length that pages have.
fn broken(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(last) if last.is_empty() => last.push_str(word),
            Some(last) if last.len() + word.len() < LINE => last.extend([" ", word]),
            _ => lines.push(word.to_string()),
        }
    }
    lines.join("\n")
}

/// Returns what else there is to say about a bot.
fn notes(bot: &str) -> &'static str {
    match bot {
        "max-n-2021" => {
            "\nIt follows the text of the report, from which the report's program departs in three \
             points\n(`crates/bots/src/dice_wars/max_n_2021.rs`).\n"
        }
        _ => "",
    }
}

/// Returns the cells of an option, with its default where the table has one.
fn cells(option: &DeclaredOption, default: Option<String>) -> Vec<String> {
    let values = match &option.spec {
        OptionSpec::Int { min, max, .. } => format!("{min} to {max}"),
        OptionSpec::Float { min, max, .. } => format!("{min:?} to {max:?}"),
        OptionSpec::Enum { values, .. } => values.join(", "),
        spec => spec.expected(),
    };
    let mut cells =
        vec![format!("`{}`", option.name), option.game.unwrap_or_default().to_string(), values];
    cells.extend(default.map(|default| format!("`{default}`")));
    cells.push(option.spec.about().to_string());
    cells
}

/// Returns the row of these cells.
fn line(cells: &[String]) -> String {
    let cells: Vec<String> =
        cells.iter().map(|cell| cell.replace('|', "\\|").replace('\n', " ")).collect();
    format!("| {} |\n", cells.join(" | "))
}
