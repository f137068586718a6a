//! The page of a new project: how to build, play, check, test and debug the bot, and what to try next.

use crate::bots::{ideas, java_class};
use crate::language::Language;

/// What the page says about a language.
struct Recipes {
    /// The command that runs the unit test.
    test: &'static str,
    /// The command that makes every decision of a recorded game again.
    again: String,
    /// The command that debugs one decision of it.
    debug: String,
    /// What to know about the kit.
    kit: &'static str,
}

/// Returns the text of the page. `path`: the directory of a game whose rules are a program.
pub(crate) fn page(
    language: Language,
    game: &str,
    path: Option<&str>,
    name: &str,
    bot: &str,
) -> String {
    let Recipes { test, again, debug, kit } = recipes(language, game, name);
    let build = match language {
        Language::Python | Language::Javascript => String::new(),
        Language::Rust => "cargo build --release\n".to_string(),
        _ => "botyard build .\n".to_string(),
    };
    let place = path.unwrap_or(game);
    let of_game = path.map_or(String::new(), |path| format!(" --game {path}"));
    // A game that is a program has no levels.
    let level = path.map_or_else(
        || {
            format!(
                "When it beats `random`, play `level:1`, the weakest of ten levels: \
                 `botyard match {game} ./ level:1 --games 20`.\n\n"
            )
        },
        |_| String::new(),
    );
    let ideas: String = ideas(game).iter().map(|idea| format!("* {idea}\n")).collect();
    format!(
        "# {name}\n\n\
         A bot for {game} in {language}. The bot is `{bot}`, its manifest `bot.toml`. {kit}\n\n\
         ## Play\n\n\
         In this directory:\n\n\
         ```sh\n{build}botyard match {place} ./ random --games 20\nbotyard check ./{of_game}\n```\n\n\
         `botyard check` shows what a tournament would refuse: answers that are not of the protocol, late \
         answers, files that are missing in a copy.\n\n\
         {level}\
         ## Test\n\n\
         ```sh\n{build}{test}\n```\n\n\
         The test gives the bot the lines of `first_move.ndjson`, as the referee writes them, and looks at its \
         answer.\n\n\
         ## Debug\n\n\
         Play a game and make its decisions again, without a referee and a clock:\n\n\
         ```sh\nbotyard match {place} ./ random\nreplay=$(ls -t replays/*.ndjson | head -n 1)\n{again}\n```\n\n\
         Its lines begin with the numbers of the decisions. Debug number N:\n\n\
         ```sh\n{debug}\n```\n\n\
         ## Try next\n\n\
         {ideas}\n\
         `botyard test new=./ old=../the-version-before --game {place}` says whether a change makes the bot \
         better.\n"
    )
}

fn recipes(language: Language, game: &str, name: &str) -> Recipes {
    let in_directory = "The kit is in `botyard/`, with types and helper functions for each game.";
    let (test, run, debug, kit) = match language {
        Language::Python => (
            "python3 -m unittest",
            "python3 bot.py".to_string(),
            "python3 bot.py --replay \"$replay\" --turn N --pdb".to_string(),
            in_directory,
        ),
        Language::Javascript => (
            "node --test",
            "node bot.mjs".to_string(),
            "node inspect bot.mjs --replay \"$replay\" --turn N".to_string(),
            in_directory,
        ),
        Language::Go => (
            "go test .",
            "./bot".to_string(),
            "dlv debug . -- --replay \"$replay\" --turn N".to_string(),
            "The kit is the module in `botyard/`, with types and helper functions for each game.",
        ),
        Language::Cpp => (
            "g++ -std=c++17 -o test test.cpp && ./test",
            "./bot".to_string(),
            "gdb --args ./bot --replay \"$replay\" --turn N".to_string(),
            "The kit is in `botyard/`: headers with types and helper functions for each game.",
        ),
        Language::Java => {
            let class = java_class(game);
            (
                "java -cp classes TestBot.java",
                format!("java -cp classes {class}"),
                format!(
                    "jdb -classpath classes -sourcepath . {class} --replay \"$replay\" --turn N"
                ),
                in_directory,
            )
        }
        Language::Rust => (
            "cargo test",
            format!("target/release/{name}"),
            format!(
                "cargo build && rust-gdb --args target/debug/{name} --replay \"$replay\" --turn N"
            ),
            "The kit is the crate `botyard-agent`; `botyard-engine` has the rules.",
        ),
    };
    Recipes { test, again: format!("{run} --replay \"$replay\""), debug, kit }
}
