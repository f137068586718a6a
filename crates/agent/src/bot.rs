//! The definition of a bot: a name, options, and a constructor of agents for each game it plays.
//! [`crate::serve()`] turns it into a program.

use crate::agent::Agent;
use crate::declared_option::{DeclaredOption, merged};
use crate::json_agent::JsonAgent;
use crate::options::Options;
use crate::player::{JsonPlayer, Player, TypedPlayer};
use botyard_engine::{Game, registry};
use botyard_protocol::{BotHello, OptionSpec, PROTOCOL};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Creates agents of one kind for any game, for bots that play every game.
pub trait AnyGame {
    /// The names of games that [`Bot::plays_every_game`] leaves to agents of their own. Nothing is compiled
    /// of this kind of agent for them.
    const EXCEPT: &'static [&'static str] = &[];

    /// Returns a new agent for one game of `G`.
    fn agent<G: Game>(options: &Options) -> Box<dyn Agent<G>>;
}

/// Returns whether a name is in a list.
const fn contains(list: &[&str], name: &str) -> bool {
    let mut index = 0;
    while index < list.len() {
        if is_same(list[index].as_bytes(), name.as_bytes()) {
            return true;
        }
        index += 1;
    }
    false
}

const fn is_same(mut one: &[u8], mut other: &[u8]) -> bool {
    while let ([first, rest @ ..], [second, others @ ..]) = (one, other) {
        if *first != *second {
            return false;
        }
        (one, other) = (rest, others);
    }
    one.is_empty() && other.is_empty()
}

/// A bot: see the module's documentation.
pub struct Bot {
    name: &'static str,
    about: &'static str,
    version: &'static str,
    declared: Vec<DeclaredOption>,
    /// The same options as one list, for `hello`.
    options: BTreeMap<String, OptionSpec>,
    games: Vec<PlayedGame>,
    others: Option<MakePlayer>,
    needs_model: bool,
    answers_on_error: bool,
}

struct PlayedGame {
    name: &'static str,
    player: MakePlayer,
}

type MakePlayer = Box<dyn Fn() -> Box<dyn Player> + Send + Sync>;

/// The option that every bot has.
pub(crate) const SEED: &str = "seed";

impl Bot {
    /// Returns a bot that plays no game yet. Its only option is `seed`, the seed of its random
    /// numbers ([`crate::AgentRng`]).
    pub fn new(name: &'static str, about: &'static str) -> Bot {
        let seed = OptionSpec::Int {
            min: 0,
            max: (1 << 53) - 1,
            default: 0,
            about: "the seed of random choices; different games draw different numbers".into(),
        };
        let bot = Bot {
            name,
            about,
            version: env!("CARGO_PKG_VERSION"),
            declared: Vec::new(),
            options: BTreeMap::new(),
            games: Vec::new(),
            others: None,
            needs_model: false,
            answers_on_error: false,
        };
        bot.with_option(SEED, seed)
    }

    /// Sets the version shown by `hello` and `--version`; by default, the version of this crate.
    #[must_use]
    pub fn with_version(self, version: &'static str) -> Bot {
        Bot { version, ..self }
    }

    /// Plays a random legal action where an agent returns an error or panics, instead of losing the
    /// game. Errors are printed to standard error either way. An agent that panics in
    /// [`Agent::new_game`] plays as it is then. A program that aborts on panics ends all the same.
    #[must_use]
    pub fn answering_on_error(self) -> Bot {
        Bot { answers_on_error: true, ..self }
    }

    /// Adds an option that applies to every game. It replaces options of the same name.
    #[must_use]
    pub fn with_option(mut self, name: &str, spec: OptionSpec) -> Bot {
        self.declared.retain(|option| option.name != name);
        self.declare(DeclaredOption { name: name.into(), spec, game: None, research: false })
    }

    /// Adds an option that applies to `G` only. An option of the same name may have another
    /// specification for another game.
    #[must_use]
    pub fn with_option_at<G: Game>(mut self, name: &str, spec: OptionSpec) -> Bot {
        let replaces = |game: Option<&str>| game.is_none_or(|game| game == G::NAME);
        self.declared.retain(|option| option.name != name || !replaces(option.game));
        let game = Some(G::NAME);
        self.declare(DeclaredOption { name: name.into(), spec, game, research: false })
    }

    /// Marks these options as research options, which users can ignore.
    #[must_use]
    pub fn for_research(mut self, names: &[&str]) -> Bot {
        for option in &mut self.declared {
            option.research |= names.contains(&option.name.as_str());
        }
        self
    }

    fn declare(mut self, option: DeclaredOption) -> Bot {
        self.declared.push(option);
        self.options = merged(&self.declared);
        self
    }

    /// Adds `G`, with agents created by `make`. It replaces an earlier constructor for `G`.
    #[must_use]
    pub fn plays<G: Game>(self, make: fn(&Options) -> Box<dyn Agent<G>>) -> Bot {
        self.plays_if(move |options| Ok(make(options)))
    }

    /// Like [`Bot::plays`], for agents whose constructor can fail, as when an option names a file.
    /// If `make` fails, the bot exits with its message instead of starting the game.
    #[must_use]
    pub fn plays_if<G: Game>(
        mut self,
        make: impl Fn(&Options) -> Result<Box<dyn Agent<G>>, String> + Clone + Send + Sync + 'static,
    ) -> Bot {
        let played = PlayedGame {
            name: G::NAME,
            player: Box::new(move || Box::new(TypedPlayer::<G>::new(make.clone()))),
        };
        match self.games.iter_mut().find(|game| game.name == G::NAME) {
            Some(earlier) => *earlier = played,
            None => self.games.push(played),
        }
        self
    }

    /// Adds every game of the engine but [`AnyGame::EXCEPT`]. The games, also those added before, are
    /// listed in the order of the engine.
    #[must_use]
    pub fn plays_every_game<A: AnyGame>(self) -> Bot {
        struct Plays<A>(Bot, std::marker::PhantomData<A>);
        impl<A: AnyGame> registry::Visitor for Plays<A> {
            type Output = Bot;
            fn visit<G: Game>(self) -> Bot {
                if const { contains(A::EXCEPT, G::NAME) } {
                    return self.0;
                }
                self.0.plays::<G>(A::agent::<G>)
            }
        }
        let names = registry::names();
        let mut bot = names.iter().fold(self, |bot, name| {
            registry::visit(name, Plays::<A>(bot, std::marker::PhantomData))
                .unwrap_or_else(|unknown| unreachable!("the registry listed it: {unknown}"))
        });
        let mut placed = 0;
        for name in &names {
            if let Some(at) = bot.games.iter().position(|game| game.name == name) {
                bot.games[placed..=at].rotate_right(1);
                placed += 1;
            }
        }
        bot
    }

    /// Adds all games whose rules are programs, with agents created by `make`. If it fails, the bot exits
    /// with its message instead of starting the game.
    #[must_use]
    pub fn plays_other_games(
        self,
        make: fn(&Options) -> Result<Box<dyn JsonAgent>, String>,
    ) -> Bot {
        Bot { others: Some(Box::new(move || Box::new(JsonPlayer::new(make)))), ..self }
    }

    /// States that it plays the games of [`Bot::plays_other_games`] with a copy of the program as its
    /// model, and not without.
    #[must_use]
    pub fn with_models(self) -> Bot {
        Bot { needs_model: true, ..self }
    }

    /// Returns whether it plays games whose rules are programs.
    pub fn has_other_games(&self) -> bool {
        self.others.is_some()
    }

    /// Returns whether it plays games whose rules are programs only with a copy of the program.
    pub fn needs_model(&self) -> bool {
        self.needs_model
    }

    /// Returns the name used in matches.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the description, one line.
    pub fn about(&self) -> &'static str {
        self.about
    }

    /// Returns the version.
    pub fn version(&self) -> &'static str {
        self.version
    }

    /// Returns whether it plays a random legal action where an agent fails.
    pub fn answers_on_error(&self) -> bool {
        self.answers_on_error
    }

    /// Returns the names of the games it plays.
    pub fn games(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.games.iter().map(|game| game.name)
    }

    /// Returns the options that a match may set, by name: those of all games in one list, as in
    /// `hello`. An option of several games accepts every value that one of them accepts.
    pub fn options(&self) -> &BTreeMap<String, OptionSpec> {
        &self.options
    }

    /// Returns the options and the games to which they apply, in the order of declaration.
    pub fn declared_options(&self) -> &[DeclaredOption] {
        &self.declared
    }

    /// Returns the options that apply to one game, by name.
    pub fn options_at(&self, game: &str) -> BTreeMap<String, OptionSpec> {
        let here = self.declared.iter().filter(|option| option.applies_at(game));
        here.map(|option| (option.name.clone(), option.spec.clone())).collect()
    }

    /// Returns the options that apply to a single game: the game, the option, and its
    /// specification.
    pub fn options_of_games(&self) -> impl Iterator<Item = (String, String, OptionSpec)> + '_ {
        self.declared.iter().filter_map(|option| {
            Some((option.game?.to_string(), option.name.clone(), option.spec.clone()))
        })
    }

    /// Returns the description, the games and the options as JSON.
    pub fn to_json(&self) -> Value {
        let option = |option: &DeclaredOption| {
            json!({
                "name": option.name,
                "game": option.game,
                "research": option.research,
                "spec": option.spec,
            })
        };
        json!({
            "name": self.name,
            "about": self.about,
            "version": self.version,
            "games": self.games().collect::<Vec<_>>(),
            "other_games": self.has_other_games(),
            "needs_model": self.needs_model,
            "options": self.options,
            "declared": self.declared.iter().map(option).collect::<Vec<_>>(),
        })
    }

    /// Returns the `hello` message. It names no games if the bot also plays games that it does not know.
    pub fn hello(&self) -> BotHello {
        let named = self.games().filter(|_| !self.has_other_games());
        BotHello {
            protocol: PROTOCOL,
            name: self.name.into(),
            version: Some(self.version().into()),
            author: None,
            games: named.map(String::from).collect(),
            options: self.options.clone(),
        }
    }

    /// Returns a player for the game of this name; `None` if the bot does not play it.
    pub(crate) fn player(&self, game: &str) -> Option<Box<dyn Player>> {
        let known = self.games.iter().find(|played| played.name == game);
        known.map(|played| &played.player).or(self.others.as_ref()).map(|player| player())
    }
}
