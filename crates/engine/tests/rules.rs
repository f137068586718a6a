//! Rules as written on the command line: the meaning of each spelling, and the errors for invalid
//! ones.

use botyard_engine::registry;
use serde_json::{Value, json};

fn resolved(preset: Option<&str>, changes: &[(&str, &str)]) -> Result<Value, String> {
    let changes: Vec<_> = changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let tables = registry::tables("scotland-yard", preset, &changes);
    tables.map(|make| make().rules()).map_err(|error| error.to_string())
}

#[test]
fn a_single_parameter_is_set_in_any_of_its_spellings() {
    let cases: [(&str, &str, &str, Value); 13] = [
        ("ravensburger", "limit", "7", json!(7)),
        ("ravensburger", "order", "fixed", json!("fixed")),
        ("ravensburger", "order", "\"fixed\"", json!("fixed")),
        ("ravensburger", "show_candidates", "true", json!(true)),
        ("ravensburger", "show_second_legs", "true", json!(true)),
        ("ravensburger", "reveals", "[2,4]", json!([2, 4])),
        ("ravensburger", "reveals", "2,4", json!([2, 4])),
        ("grid-5x5-2", "reveals", "every 7", json!([7, 14])),
        ("ravensburger-1984", "black", "per_detective", json!(5)),
        ("bristol", "detective_tickets.bus", "3", json!({"taxi": 11, "bus": 3, "underground": 4})),
        ("bristol", "detective_tickets", "1/2/3", json!({"taxi": 1, "bus": 2, "underground": 3})),
        ("ravensburger", "detective_tickets", "unlimited", json!("unlimited")),
        ("grid-5x5-2", "board", "9x4", json!("9x4")),
    ];
    for (preset, rule, value, meant) in cases {
        let rules = resolved(Some(preset), &[(rule, value)]).unwrap();
        let top = rule.split('.').next().unwrap();
        assert_eq!(rules[top], meant, "{preset} {rule}={value}");
        // Nothing else has changed, except for what follows from it.
        let before = resolved(Some(preset), &[]).unwrap();
        for (name, usual) in before.as_object().unwrap() {
            assert!(name == top || rules[name] == *usual, "{rule}={value} changed {name}");
        }
    }
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    /// A preset, the changes to it, and parts of the expected error.
    type Case = (&'static str, &'static [(&'static str, &'static str)], &'static [&'static str]);
    let cases: [Case; 9] = [
        (
            "bristol",
            &[("limt", "7")],
            &["\"limt\"", "did you mean limit?", "show_candidates", "show_second_legs"],
        ),
        ("bristol", &[("limit", "abc")], &["rule limit", "\"abc\"", "an integer from 0 to 65535"]),
        ("bristol", &[("limit", "-1")], &["rule limit", "got -1", "an integer"]),
        ("bristol", &[("show_candidates", "yes")], &["rule show_candidates", "true or false"]),
        (
            "bristol",
            &[("detective_tickets.buss", "1")],
            &["did you mean detective_tickets.bus?", "detective_tickets.taxi"],
        ),
        (
            "ravensburger",
            &[("x_tickets.bus", "1")],
            &["rule x_tickets.bus", "\"unlimited\"", "set x_tickets as a whole"],
        ),
        ("bristol", &[("limit.rounds", "1")], &["rule limit.rounds", "limit is 24"]),
        ("bristol", &[("", "1")], &["no rule \"\""]),
        // The first change is valid; the error must name the second.
        ("bristol", &[("limit", "9"), ("order", "random")], &["rule order", "random", "any"]),
    ];
    for (preset, changes, said) in cases {
        let error = resolved(Some(preset), changes).unwrap_err();
        for part in said {
            assert!(error.contains(part), "{changes:?}: {part:?} is missing in: {error}");
        }
    }
    let error = resolved(Some("bristle"), &[]).unwrap_err();
    assert!(error.contains("did you mean bristol?") && error.contains("grid-15x15-4"), "{error}");
    let Err(error) = registry::tables("scotlandyard", None, &[]) else { panic!("no such game") };
    assert!(error.to_string().contains("did you mean scotland-yard?"), "{error}");
}

#[test]
fn complete_rules_are_read_back_and_incomplete_ones_refused() {
    let rules = resolved(None, &[]).unwrap();
    let tables = registry::tables_with_rules("scotland-yard", &rules).unwrap();
    assert_eq!(tables().rules(), rules);
    for name in rules.as_object().unwrap().keys() {
        let mut partial = rules.clone();
        partial.as_object_mut().unwrap().remove(name);
        let Err(error) = registry::tables_with_rules("scotland-yard", &partial) else {
            panic!("rules without {name} were taken");
        };
        assert!(error.to_string().contains(name), "{name}: {error}");
    }
}
