//! The reference page of all bots with all their options, as Markdown.

use crate::catalogue;
use botyard_agent::DeclaredOption;

/// Returns the page.
pub fn page() -> String {
    let mut page = "# Bots\n\n\
         The built-in bots and their options, as `botyard bots` lists them. Options follow the name and \
         a colon:\n`botyard match draughts alpha-beta:depth=6 greedy`. \
         [Strength of the bots](../strength.md) has measurements.\n"
        .to_string();
    for bot in catalogue::bots() {
        let others = match (bot.has_other_games(), bot.needs_model()) {
            (true, false) => Some("games whose rules are programs"),
            (true, true) => Some("games whose rules are programs (with a model)"),
            (false, _) => None,
        };
        let games = bot.games().chain(others).collect::<Vec<_>>().join(", ");
        page.push_str(&format!("\n## `{}`\n\n{}.\n\nGames: {games}.\n", bot.name(), bot.about()));
        page.push_str(notes(bot.name()));
        for (research, title) in [(false, "option"), (true, "research option")] {
            let declared = bot.declared_options().iter();
            let mut options: Vec<&DeclaredOption> =
                declared.filter(|option| option.research == research).collect();
            options.sort_by_key(|option| (option.game, &option.name));
            if options.is_empty() {
                continue;
            }
            page.push_str(&format!(
                "\n| {title} | game | values | default | meaning |\n| --- | --- | --- | --- | --- |\n"
            ));
            page.extend(options.into_iter().map(row));
        }
    }
    page
}

/// Returns what else there is to say about a bot.
fn notes(bot: &str) -> &'static str {
    match bot {
        "max-n-2021" => {
            "\nIt follows the text of the report: a simulated attack wins if the attacker has more dice, \
             and loses otherwise (section\n3.2). The report's program departs from the text in three \
             points; with them as in the program, none of 774 decisions\ndiffered:\n\n\
             * After a retreat the bot only retreats until its turn ends. The program searches for \
             attacks again.\n\
             * The players of the bot's search are in the order of their turns, beginning with the player \
             to move. Those of the\n  program begin with the game's first living player, and rotations \
             of its list are not undone.\n\
             * The bot looks four players deep, one attack each. The program looks three players deep.\n"
        }
        _ => "",
    }
}

/// Returns the row of an option.
fn row(option: &DeclaredOption) -> String {
    let spec = &option.spec;
    let cells = [
        format!("`{}`", option.name),
        option.game.unwrap_or("every game").to_string(),
        spec.expected(),
        format!("`{}`", spec.default_value()),
        spec.about().to_string(),
    ];
    let cells = cells.map(|cell| cell.replace('|', "\\|").replace('\n', " "));
    format!("| {} |\n", cells.join(" | "))
}
