//! A bot in words: its description and its options, as paragraphs that a front end wraps.

use crate::bot::Bot;
use crate::declared_option::DeclaredOption;

impl Bot {
    /// Describes the options that apply to `game`, or to any, but for those for research: a
    /// paragraph each.
    pub fn options_in_words(&self, game: Option<&str>) -> Vec<String> {
        let shown = self.options_of(game).filter(|option| !option.research);
        let words = shown.map(|option| {
            let at = option.game.filter(|_| game.is_none());
            let at = at.map_or(String::new(), |at| format!(" ({at} only)"));
            format!("{}{at}: {}", option.name, option.in_words())
        });
        words.collect()
    }

    /// Describes the bot in full, with all its options that apply to `game`, or to any. A paragraph
    /// has a beginning, by whose width its lines are indented, and a text.
    pub fn description(&self, game: Option<&str>) -> Vec<(String, String)> {
        let games: Vec<&str> = self.games().collect();
        let others = match (self.has_other_games(), self.needs_model()) {
            (true, false) => Some("games whose rules are programs"),
            (true, true) => Some("games whose rules are programs (with a model)"),
            (false, _) => None,
        };
        let played: Vec<&str> = games.iter().copied().chain(others).collect();
        let mut all = vec![
            (format!("{}: ", self.name()), self.about().to_string()),
            ("Games: ".to_string(), played.join(", ")),
        ];
        let places = || std::iter::once(None).chain(games.iter().copied().map(Some));
        for (research, kind) in [(false, "Options"), (true, "Options for research")] {
            for place in places() {
                let is_of =
                    |option: &&DeclaredOption| option.research == research && option.game == place;
                let options: Vec<&DeclaredOption> = self.options_of(game).filter(is_of).collect();
                if !options.is_empty() {
                    let of = place.unwrap_or("every game");
                    all.push((format!("\n{kind} ({of}):"), String::new()));
                }
                let words = options
                    .iter()
                    .map(|option| (format!("  {}: ", option.name), option.in_words()));
                all.extend(words);
            }
        }
        all
    }

    /// Returns the options that apply to `game`, or to any.
    fn options_of<'a>(
        &'a self,
        game: Option<&'a str>,
    ) -> impl Iterator<Item = &'a DeclaredOption> + 'a {
        let applies =
            move |option: &&DeclaredOption| game.is_none_or(|game| option.applies_at(game));
        self.declared_options().iter().filter(applies)
    }
}
