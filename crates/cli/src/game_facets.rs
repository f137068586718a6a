//! The facets of a game: what it can have besides its rules. Each is optional and found in a table of
//! the crate that uses it; `docs/do/add-a-game.md` says where.

use botyard_engine::registry::{self, PERFT, UnknownGame};
use botyard_league::plain_table::{plain_table, trimmed};
use botyard_play::has_face;
use botyard_projects::{Language, has_ideas, kits_that_know, languages_with_a_bot};
use botyard_runner::words::wrapped;
use botyard_viewer::{has_drawing, has_page_drawing, has_picks};
use serde_json::{Map, Value, json};

/// A facet of one game.
struct Facet {
    name: &'static str,
    about: &'static str,
    /// Its parts, and whether the game has each. A facet without parts is one of an empty name.
    parts: Vec<(&'static str, bool)>,
}

/// The parts of a notation: see [`registry::notation`].
const NOTATION: [&str; 5] = ["opening sets", "openings", "records", "positions", PERFT];

/// The languages with a kit that has functions for games. That of Rust is the engine itself.
const KITS: [Language; 5] =
    [Language::Python, Language::Javascript, Language::Cpp, Language::Java, Language::Go];

/// Returns the facets of a game.
fn facets(game: &str) -> Result<Vec<Facet>, UnknownGame> {
    let whole = |name, about, has| Facet { name, about, parts: vec![("", has)] };
    let notation = registry::notation(game)?;
    let (bots, kits) = (languages_with_a_bot(game), kits_that_know(game));
    Ok(vec![
        Facet {
            name: "notation",
            about: "notations besides JSON",
            parts: NOTATION.map(|part| (part, notation.contains(&part))).into(),
        },
        Facet {
            name: "bots",
            about: "first bots of new projects, besides one that plays any legal action",
            parts: Language::ALL.map(|its| (its.as_str(), bots.contains(&its))).into(),
        },
        whole("ideas", "what to try next in a new project, besides general ideas", has_ideas(game)),
        Facet {
            name: "kits",
            about: "the kits' functions for the game, with test vectors",
            parts: KITS.map(|its| (its.as_str(), kits.contains(&its))).into(),
        },
        whole(
            "face",
            "positions and moves at a terminal, besides JSON and a numbered list",
            has_face(game),
        ),
        whole("picture", "pictures and animations", has_drawing(game)),
        whole("page", "a drawing on pages, besides views as text", has_page_drawing(game)),
        whole("picks", "actions picked on the drawing, besides a list of them", has_picks(game)),
    ])
}

impl Facet {
    /// Returns its parts that the game has, or lacks.
    fn parts(&self, has: bool) -> Vec<&'static str> {
        self.parts.iter().filter(|(_, its)| *its == has).map(|&(part, _)| part).collect()
    }

    /// Returns `yes`, `-` or `5 of 6`.
    fn in_short(&self) -> String {
        match (self.parts(true).len(), self.parts.len()) {
            (0, _) => "-".to_string(),
            (has, all) if has == all => "yes".to_string(),
            (has, all) => format!("{has} of {all}"),
        }
    }

    fn to_json(&self) -> Value {
        match self.parts[..] {
            [("", has)] => json!(has),
            _ => json!({ "has": self.parts(true), "lacks": self.parts(false) }),
        }
    }

    /// Returns the paragraph of the facet.
    fn in_words(&self) -> String {
        let lacks = self.parts(false).join(", ");
        let lacks = match self.in_short().as_str() {
            "yes" | "-" => String::new(),
            _ => format!("; lacks {lacks}"),
        };
        wrapped(
            &format!("  {:<10}{:<8}", self.name, self.in_short()),
            &format!("{}{lacks}", self.about),
        )
    }
}

/// Returns the table of games and their facets.
///
/// # Errors
///
/// A name that no game has.
pub(crate) fn table(games: &[String]) -> Result<String, UnknownGame> {
    let rows = games.iter().map(|game| facets(game)).collect::<Result<Vec<_>, _>>()?;
    let names = rows.iter().take(1).flatten().map(|facet| facet.name);
    let header: Vec<&str> = std::iter::once("").chain(names).collect();
    let mut table = plain_table(&header, |_| true);
    for (game, facets) in games.iter().zip(&rows) {
        table.add_row(std::iter::once(game.clone()).chain(facets.iter().map(Facet::in_short)));
    }
    Ok(trimmed(&table))
}

/// Returns the facets of a game as text.
///
/// # Errors
///
/// A name that no game has.
pub(crate) fn in_words(game: &str) -> Result<String, UnknownGame> {
    Ok(facets(game)?.iter().map(Facet::in_words).collect())
}

/// Returns the facets of a game as JSON.
///
/// # Errors
///
/// A name that no game has.
pub(crate) fn to_json(game: &str) -> Result<Value, UnknownGame> {
    let facets = facets(game)?;
    let fields = facets.iter().map(|facet| (facet.name.to_string(), facet.to_json()));
    Ok(json!({ "name": game, "facets": fields.collect::<Map<_, _>>() }))
}
