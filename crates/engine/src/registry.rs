//! The list of games: turns a name into a [`Table`], or a type.
//!
//! Games that are compiled in are types, and [`visit`] gives code their type. A game whose rules are a
//! program is loaded at run time ([`load`]), and its name has the digest of its program in it.

use crate::game::{Game, Preset, has_chance};
use crate::information::{Information, NoCopy};
use crate::json;
use crate::notation::Notation;
use crate::outcome::Scores;
use crate::perft::{Counting, Perft};
use crate::random::Stream;
use crate::record::Records;
use crate::rules::{self, RulesError, did_you_mean};
use crate::schema::{schema_of, schema_of_rules};
use crate::table::{Table, TableFault, TypedTable};
use serde_json::Value;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::{Arc, PoisonError, RwLock};

/// Every game, in the order they are shown.
macro_rules! games {
    ($chosen:ident, $visitor:ident) => {
        games!(@each $chosen, $visitor, [
            crate::scotland_yard::ScotlandYard,
            crate::draughts::Draughts,
            crate::dice_wars::DiceWars,
            crate::connect_four::ConnectFour,
            crate::liars_dice::LiarsDice,
        ])
    };
    (@each $chosen:ident, $visitor:ident, [$($game:ty),+ $(,)?]) => {{
        $(if $chosen == <$game>::NAME {
            return Ok($visitor.visit::<$game>());
        })+
        let known: Vec<String> = vec![$(<$game>::NAME.to_string()),+];
        Err(UnknownGame { name: $chosen.to_string(), known })
    }};
}

/// There is no game of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct UnknownGame {
    /// The unknown name.
    pub name: String,
    /// The known names.
    pub known: Vec<String>,
}

/// Why a game could not be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// There is no game of that name.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// Rules that cannot be played.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The program that has the rules failed.
    #[error(transparent)]
    Program(#[from] TableFault),
}

impl fmt::Display for UnknownGame {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, known) = (&self.name, &self.known);
        match name.split_once(DIGEST) {
            Some((name, digest)) => write!(
                formatter,
                "the rules of {name} are a program that is not here: expected a bundle with the digest {digest}"
            ),
            None => write!(
                formatter,
                "there is no game {name:?}{}; the games are {}",
                did_you_mean(name, known),
                known.join(", ")
            ),
        }
    }
}

/// Between the name of a game and the digest of the program that has its rules.
const DIGEST: char = '@';

/// Returns the name of a game without the digest of its program: what people and bots call it.
///
/// ```
/// use botyard_engine::registry::plain_name;
///
/// assert_eq!(plain_name("nim@0123456789abcdef0123456789abcdef"), "nim");
/// assert_eq!(plain_name("draughts"), "draughts");
/// ```
pub fn plain_name(name: &str) -> &str {
    name.split_once(DIGEST).map_or(name, |(plain, _)| plain)
}

/// Returns the digest of the program that has a game's rules, from the game's name; `None` for a game
/// that is compiled in.
pub fn digest_of(name: &str) -> Option<&str> {
    name.split_once(DIGEST).map(|(_, digest)| digest)
}

/// Returns the name of a game whose rules are a program with this digest.
pub fn name_with_digest(plain: &str, digest: &str) -> String {
    format!("{plain}{DIGEST}{digest}")
}

/// A game whose rules are a program.
pub trait LoadedGame: Send + Sync {
    /// Returns its description, with the plain name.
    fn info(&self) -> &GameInfo;

    /// Returns a maker of tables: see [`tables`].
    ///
    /// # Errors
    ///
    /// Rules that cannot be played, or a failure of the program.
    fn tables(
        &self,
        preset: Option<&str>,
        changes: &[(String, String)],
    ) -> Result<TableMaker, SetupError>;

    /// Returns a maker of tables under complete rules: see [`tables_with_rules`].
    ///
    /// # Errors
    ///
    /// Rules that cannot be played, or a failure of the program.
    fn tables_with_rules(&self, rules: &Value) -> Result<TableMaker, SetupError>;
}

/// The games that were loaded, by name. None is ever removed.
static LOADED: RwLock<Vec<(&str, &dyn LoadedGame)>> = RwLock::new(Vec::new());

/// Adds a game whose rules are a program, under its name with the digest of that program. It replaces a
/// game of the same name, whose tables remain.
///
/// What was loaded stays in memory to the end of the process.
pub fn load(name: &'static str, game: Box<dyn LoadedGame>) {
    let mut loaded = LOADED.write().unwrap_or_else(PoisonError::into_inner);
    let game: &'static dyn LoadedGame = Box::leak(game);
    match loaded.iter_mut().find(|(known, _)| *known == name) {
        Some(earlier) => earlier.1 = game,
        None => loaded.push((name, game)),
    }
}

/// Returns whether a game of this name is compiled in or loaded.
pub fn has(name: &str) -> bool {
    loaded(name).is_some() || names().iter().any(|known| known == name)
}

fn loaded(name: &str) -> Option<&'static dyn LoadedGame> {
    let loaded = LOADED.read().unwrap_or_else(PoisonError::into_inner);
    loaded.iter().find(|(known, _)| *known == name).map(|(_, game)| *game)
}

/// Code that works for every game that is compiled in: [`visit`] calls it with the type of a named game.
pub trait Visitor {
    /// The result of the visit.
    type Output;
    /// Called with the type of the game.
    fn visit<G: Game>(self) -> Self::Output;
}

/// Calls `visitor` with the game of this name.
///
/// # Errors
///
/// A name that no game has.
pub fn visit<V: Visitor>(name: &str, visitor: V) -> Result<V::Output, UnknownGame> {
    games!(name, visitor)
}

/// Returns the names of all games that are compiled in, starting with the one that a newcomer should see first.
pub fn names() -> Vec<String> {
    struct Nothing;
    impl Visitor for Nothing {
        type Output = ();
        fn visit<G: Game>(self) {}
    }
    visit("", Nothing).expect_err("no game has an empty name").known
}

/// The description of a game: everything that is known without playing it.
#[derive(Clone, Debug)]
pub struct GameInfo {
    /// Its name.
    pub name: &'static str,
    /// One line for people who do not know it.
    pub about: &'static str,
    /// Its named sets of rules with their parameters as JSON; the first is the default.
    pub presets: Vec<(Preset, Value)>,
    /// The rule that sets the number of seats: see [`Game::SEATS_RULE`].
    pub seats_rule: Option<&'static str>,
    /// Whether the seats ask the same of a bot: see [`Game::SEATS_ALIKE`].
    pub seats_alike: bool,
    /// The least and the greatest number of seats, over all rules: see [`Game::SEATS`].
    pub seats: RangeInclusive<usize>,
    /// Whether something is drawn after the opening.
    pub chance: bool,
    /// Whether something is hidden from a seat.
    pub hidden: bool,
    /// Whether the seats of a round decide simultaneously: see [`Game::SIMULTANEOUS`].
    pub simultaneous: bool,
    /// The points that a seat can have under the default rules: see [`Game::scores`].
    pub scores: Scores,
    /// How it awards points and places: see [`Game::SCORING`].
    pub scoring: &'static str,
    /// The JSON Schema of the rules.
    pub rules_schema: Value,
    /// JSON Schemas by name: `rules`, `opening`, `setup`, `view`, `action`, `chance`; with hidden
    /// information also `seen-opening`, `seen-action` and `seen-chance`, for the events that are
    /// redacted. Empty without the feature `schema`.
    pub schemas: Vec<(&'static str, Value)>,
}

impl GameInfo {
    /// Returns the kind of game: `2 seats, perfect information, no chance, sequential,
    /// constant-sum, 0 to 1 point a seat`.
    pub fn kind(&self) -> String {
        let (least, most) = (*self.seats.start(), *self.seats.end());
        let seats = if least == most { least.to_string() } else { format!("{least} to {most}") };
        let scores = self.scores;
        let sum = if scores.sum.is_some() { "constant-sum" } else { "general-sum" };
        let points = if scores.most == 1.0 { "point" } else { "points" };
        [
            format!("{seats} seats"),
            if self.hidden { "hidden information" } else { "perfect information" }.to_string(),
            if self.chance { "chance" } else { "no chance" }.to_string(),
            if self.simultaneous { "simultaneous" } else { "sequential" }.to_string(),
            format!("{sum}, {} to {} {points} a seat", scores.least, scores.most),
        ]
        .join(", ")
    }

    /// Returns the description as JSON, without the schemas.
    pub fn to_json(&self) -> Value {
        let preset = |(preset, rules): &(Preset, Value)| {
            let Preset { name, about } = preset;
            serde_json::json!({ "name": name, "about": about, "rules": rules })
        };
        serde_json::json!({
            "name": self.name,
            "about": self.about,
            "seats": [self.seats.start(), self.seats.end()],
            "seats_alike": self.seats_alike,
            "chance": self.chance,
            "hidden": self.hidden,
            "simultaneous": self.simultaneous,
            "scores": self.scores,
            "scoring": self.scoring,
            "presets": self.presets.iter().map(preset).collect::<Vec<_>>(),
        })
    }
}

/// Returns the description of a game.
///
/// # Errors
///
/// A name that no game has.
pub fn info(name: &str) -> Result<GameInfo, UnknownGame> {
    struct Info;
    impl Visitor for Info {
        type Output = GameInfo;
        fn visit<G: Game>(self) -> GameInfo {
            info_of::<G>()
        }
    }
    match loaded(name) {
        Some(game) => Ok(game.info().clone()),
        None => visit(name, Info),
    }
}

/// Returns the description of a game by its type, which need not be in the registry.
///
/// # Panics
///
/// If the game cannot be played under one of the rules that it lists.
pub fn info_of<G: Game>() -> GameInfo {
    let presets = G::PRESETS.iter().map(|preset| {
        let rules = G::preset(preset.name).expect("every listed preset exists");
        (*preset, json::value(&rules))
    });
    let schemas = [
        ("rules", schema_of::<G::Rules>()),
        ("opening", schema_of::<G::Opening>()),
        ("setup", schema_of::<G::Setup>()),
        ("view", schema_of::<G::View>()),
        ("action", schema_of::<G::Action>()),
        ("chance", schema_of::<G::Chance>()),
    ];
    let mut schemas = with_schema(schemas);
    if G::Information::HIDDEN {
        schemas.extend(copies::<G, G::Information>());
    }
    GameInfo {
        name: G::NAME,
        about: G::ABOUT,
        presets: presets.collect(),
        seats_rule: G::SEATS_RULE,
        seats_alike: G::SEATS_ALIKE,
        seats: G::SEATS,
        chance: has_chance::<G>(),
        hidden: G::Information::HIDDEN,
        simultaneous: G::SIMULTANEOUS,
        scores: default_game::<G>().scores(),
        scoring: G::SCORING,
        rules_schema: schema_of_rules::<G>(),
        schemas,
    }
}

/// Returns the game under its default rules.
fn default_game<G: Game>() -> G {
    let rules = G::preset(G::PRESETS[0].name).expect("every listed preset exists");
    G::new(rules).expect("every preset can be played")
}

/// Returns the JSON Schemas of redacted copies.
fn copies<G: Game, I: Information<G>>() -> Vec<(&'static str, Value)> {
    let never = schema_of::<NoCopy>();
    let all = [
        ("seen-opening", schema_of::<I::Opening>()),
        ("seen-action", schema_of::<I::Action>()),
        ("seen-chance", schema_of::<I::Chance>()),
    ];
    with_schema(all.into_iter().filter(|(_, schema)| *schema != never))
}

fn with_schema(
    all: impl IntoIterator<Item = (&'static str, Option<Value>)>,
) -> Vec<(&'static str, Value)> {
    all.into_iter().filter_map(|(part, schema)| Some((part, schema?))).collect()
}

/// Makes tables of one game under one set of rules; the board and its tables are built once.
pub type TableMaker = Box<dyn Fn() -> Box<dyn Table> + Send + Sync>;

fn maker<G: Game>(rules: G::Rules) -> Result<TableMaker, RulesError> {
    let game = Arc::new(G::new(rules)?);
    Ok(Box::new(move || Box::new(TypedTable::new(Arc::clone(&game)))))
}

/// Returns a maker of tables for a game under a preset (`None`: the default) with changed
/// parameters, all written as on the command line.
///
/// # Errors
///
/// Unknown games, presets and rules, with the nearest known name; values and combinations that
/// cannot be played.
pub fn tables(
    game: &str,
    preset: Option<&str>,
    changes: &[(String, String)],
) -> Result<TableMaker, SetupError> {
    struct FromText<'a>(Option<&'a str>, &'a [(String, String)]);
    impl Visitor for FromText<'_> {
        type Output = Result<TableMaker, RulesError>;
        fn visit<G: Game>(self) -> Self::Output {
            maker::<G>(rules::resolve::<G>(self.0, self.1)?)
        }
    }
    match loaded(game) {
        Some(game) => game.tables(preset, changes),
        None => Ok(visit(game, FromText(preset, changes))??),
    }
}

/// Returns the change of rules that gives a game this many seats. `None` if no rule sets their
/// number ([`Game::SEATS_RULE`]), the user has set it, or the preset already has this number.
///
/// # Errors
///
/// A name that no game has. Does not check whether the rules can be played with that change;
/// [`tables`] does.
pub fn change_for_seats(
    game: &str,
    preset: Option<&str>,
    changes: &[(String, String)],
    seats: usize,
) -> Result<Option<(String, String)>, UnknownGame> {
    struct ForSeats<'a>(Option<&'a str>, &'a [(String, String)], usize);
    impl Visitor for ForSeats<'_> {
        type Output = Option<(String, String)>;
        fn visit<G: Game>(self) -> Self::Output {
            let ForSeats(preset, changes, seats) = self;
            let rule = G::SEATS_RULE?;
            if changes.iter().any(|(key, _)| key == rule) {
                return None;
            }
            let game = rules::resolve::<G>(preset, changes).and_then(G::new);
            let fits = game.is_ok_and(|game| game.seats().len() == seats);
            (!fits).then(|| (rule.to_string(), seats.to_string()))
        }
    }
    let Some(loaded) = loaded(game) else { return visit(game, ForSeats(preset, changes, seats)) };
    Ok(loaded.info().seats_rule.filter(|rule| changes.iter().all(|(key, _)| key != rule)).and_then(
        |rule| {
            let tables = loaded.tables(preset, changes);
            let fits = tables.is_ok_and(|tables| tables().seats().len() == seats);
            (!fits).then(|| (rule.to_string(), seats.to_string()))
        },
    ))
}

/// Returns a maker of tables for a game under complete rules, as a replay or a `start` message has
/// them.
///
/// # Errors
///
/// Unknown games, and rules that are incomplete or cannot be played.
pub fn tables_with_rules(game: &str, rules: &Value) -> Result<TableMaker, SetupError> {
    struct FromJson<'a>(&'a Value);
    impl Visitor for FromJson<'_> {
        type Output = Result<TableMaker, RulesError>;
        fn visit<G: Game>(self) -> Self::Output {
            let rules = serde_json::from_value(self.0.clone())
                .map_err(|error| RulesError::bad_value("set as a whole", error.to_string()))?;
            maker::<G>(rules)
        }
    }
    match loaded(game) {
        Some(game) => game.tables_with_rules(rules),
        None => Ok(visit(game, FromJson(rules))??),
    }
}

/// Reads other programs' records of a game: see [`Notation::import`].
///
/// # Errors
///
/// A name that no game has.
pub fn import(game: &str, text: &str) -> Result<Option<Records>, UnknownGame> {
    struct Import<'a>(&'a str);
    impl Visitor for Import<'_> {
        type Output = Option<Records>;
        fn visit<G: Game>(self) -> Self::Output {
            G::Notation::import(self.0)
        }
    }
    if loaded(game).is_some() {
        return Ok(None);
    }
    visit(game, Import(text))
}

/// Why the perft of a game could not be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PerftError {
    /// There is no such game, or its rules cannot be played.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The game has no perft.
    #[error("{game} has no perft; games with a perft: {}", .known.join(", "))]
    NoPerft {
        /// The game.
        game: String,
        /// The games that have one.
        known: Vec<String>,
    },
    /// The text is not a position, for this reason.
    #[error("{0}")]
    Position(String),
}

/// Sets up the perft of a game under a preset with changed parameters: see [`Notation::perft`].
///
/// # Errors
///
/// Those of [`tables`]; the game has no perft, or the text is not a position.
pub fn perft(
    game: &str,
    (preset, changes): (Option<&str>, &[(String, String)]),
    position: Option<&str>,
    counting: Counting,
) -> Result<Box<dyn Perft>, PerftError> {
    struct Of<'a>(Option<&'a str>, &'a [(String, String)], Option<&'a str>, Counting);
    impl Visitor for Of<'_> {
        type Output = Result<Option<Result<Box<dyn Perft>, String>>, RulesError>;
        fn visit<G: Game>(self) -> Self::Output {
            let Of(preset, changes, position, counting) = self;
            let game = G::new(rules::resolve::<G>(preset, changes)?)?;
            Ok(G::Notation::perft(&game, position, counting))
        }
    }
    if loaded(game).is_some() {
        return Err(PerftError::NoPerft {
            game: plain_name(game).to_string(),
            known: names_with_perft(),
        });
    }
    let set_up = visit(game, Of(preset, changes, position, counting)).map_err(SetupError::from)?;
    match set_up.map_err(SetupError::from)? {
        Some(from) => from.map_err(PerftError::Position),
        None => Err(PerftError::NoPerft { game: game.to_string(), known: names_with_perft() }),
    }
}

/// Returns the parts of a game's notation besides JSON, see [`Notation`]: `opening sets`, `openings`,
/// `records`, `positions` and [`PERFT`], those of them that the game has.
///
/// # Errors
///
/// A name that no game has.
pub fn notation(game: &str) -> Result<Vec<&'static str>, UnknownGame> {
    struct Parts;
    impl Visitor for Parts {
        type Output = Vec<&'static str>;
        fn visit<G: Game>(self) -> Self::Output {
            let game = default_game::<G>();
            let opening = game.draw_opening(Stream::new(0, "opening").rng());
            let position = |state| G::Notation::position(&game, &state).is_some();
            let parts = [
                ("opening sets", !G::Notation::OPENING_SETS.is_empty()),
                ("openings", G::Notation::read_openings(&game, "").is_some()),
                ("records", G::Notation::import("").is_some()),
                ("positions", game.start(&opening).is_ok_and(position)),
                (PERFT, G::Notation::perft(&game, None, Counting::Paths).is_some()),
            ];
            parts.into_iter().filter(|(_, has)| *has).map(|(part, _)| part).collect()
        }
    }
    if loaded(game).is_some() {
        return Ok(Vec::new());
    }
    visit(game, Parts)
}

/// The part of a game's notation that [`perft`] needs.
pub const PERFT: &str = "perft";

/// Returns the names of the games that have a perft.
pub fn names_with_perft() -> Vec<String> {
    let has = |game: &String| notation(game).is_ok_and(|parts| parts.contains(&PERFT));
    names().into_iter().filter(has).collect()
}
