//! The schemas in `docs/schemas/protocol/` are exactly those generated from the message types.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn the_schemas_checked_in_are_those_of_the_types() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas/protocol");
    let schemas = botyard_protocol::schemas();
    if std::env::var_os("UPDATE_SCHEMAS").is_some() {
        fs::create_dir_all(&folder).unwrap();
    }
    for (name, schema) in &schemas {
        let path = folder.join(format!("{name}.json"));
        if std::env::var_os("UPDATE_SCHEMAS").is_some() {
            fs::write(&path, serde_json::to_string_pretty(schema).unwrap() + "\n").unwrap();
        }
        let stored: Option<Value> =
            fs::read_to_string(&path).ok().and_then(|text| serde_json::from_str(&text).ok());
        assert!(
            stored.as_ref() == Some(schema),
            "docs/schemas/protocol/{name}.json differs from the message types; if the change \
             of the contract is intended, run: UPDATE_SCHEMAS=1 cargo test -p botyard-protocol"
        );
    }
    let stored: BTreeSet<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let expected = schemas.iter().map(|(name, _)| format!("{name}.json")).collect();
    assert_eq!(stored, expected, "an obsolete schema, or a missing one");
}
