//! Marks: what a bot draws, against the vectors that the kits read too.

use botyard_protocol::{Info, MOST_MARKS, Marks};
use serde_json::{Value, json};

#[test]
fn marks_are_read_as_the_vectors_say() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sdk/vectors/marks.json");
    let vectors = std::fs::read_to_string(path).expect("the file is in the repository");
    let cases: Vec<Value> = serde_json::from_str(&vectors).expect("an array");
    assert!(cases.len() > 10);
    for case in cases {
        let marks = Marks::read(&case["draw"]);
        assert_eq!(json!(marks.shown), case["shown"], "{}", case["case"]);
        assert_eq!(json!(marks.notes), case["notes"], "{}", case["case"]);
    }
}

#[test]
fn more_marks_than_allowed_are_left_out() {
    let draw = json!(vec![json!({ "point": 1 }); MOST_MARKS + 3]);
    let marks = Marks::read(&draw);
    assert_eq!(marks.shown.len(), MOST_MARKS);
    assert_eq!(marks.notes, ["info.draw: expected at most 200 marks, got 203"]);
}

/// Adjudication reads the score.
#[test]
fn wrong_marks_hide_nothing_else_of_info() {
    for draw in ["3", "[{}]", "\"\"", "null", "{\"arrow\":1}", "[{\"arrow\":[1,2]}]"] {
        let info: Info =
            serde_json::from_str(&format!(r#"{{"score":0.5,"draw":{draw}}}"#)).expect(draw);
        assert_eq!(info.score, Some(0.5), "{draw}");
    }
}
