//! The schemas in `docs/schemas/GAME/` are exactly those of the games' types, and so are those of the
//! rules in `schemas`, which the crate contains.

use botyard_engine::Game;
use botyard_engine::registry::{self, Visitor};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn the_schemas_in_the_documentation_are_those_of_the_types() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = here.join("../../docs/schemas");
    for game in registry::names() {
        let folder = docs.join(&game);
        let mut written = BTreeSet::new();
        for (part, schema) in registry::info(&game).unwrap().schemas {
            let expected = format!("{schema:#}\n");
            let contained = here.join("schemas").join(format!("{game}.json"));
            let contained = Some(contained).filter(|_| part == "rules");
            for path in [Some(folder.join(format!("{part}.json"))), contained].into_iter().flatten()
            {
                if std::env::var_os("UPDATE_SCHEMAS").is_some() {
                    fs::create_dir_all(&folder).unwrap();
                    fs::write(&path, &expected).unwrap();
                }
                let found = fs::read_to_string(&path).unwrap_or_default();
                assert!(
                    found == expected,
                    "{} differs from the types; regenerate it with UPDATE_SCHEMAS=1 cargo test -p \
                     botyard-engine --test engine schemas, and look at the difference",
                    path.display()
                );
            }
            written.insert(format!("{part}.json"));
        }
        let found: BTreeSet<String> = fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        assert_eq!(found, written, "docs/schemas/{game} has files of no type");
    }
}

#[test]
fn what_is_redacted_has_schemas_and_what_is_not_has_none() {
    let parts = |game: &str| -> Vec<&str> {
        let schemas = registry::info(game).unwrap().schemas;
        schemas.into_iter().map(|(part, _)| part).filter(|part| part.starts_with("seen")).collect()
    };
    assert_eq!(parts("scotland-yard"), ["seen-opening", "seen-action"]);
    assert!(parts("draughts").is_empty());
}

/// Programs without the feature `schema` describe the rules by it.
#[test]
fn every_game_has_the_schema_of_its_rules_as_text() {
    struct Text;
    impl Visitor for Text {
        type Output = &'static str;
        fn visit<G: Game>(self) -> &'static str {
            G::RULES_SCHEMA
        }
    }
    for game in registry::names() {
        assert_ne!(registry::visit(&game, Text).unwrap(), "", "{game}: RULES_SCHEMA is not set");
    }
}
