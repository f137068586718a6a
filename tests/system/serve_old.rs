//! A class of an earlier version, whose data appear in the places of this one.

use crate::command::{Desk, repository};
use crate::serve::Served;
use std::fs;

#[test]
fn a_class_of_an_earlier_version_has_its_events_final_grades_and_people() {
    let desk = Desk::new();
    let backup = repository("crates/site/tests/data/class-15.zip");
    desk.done(&["site", "restore", backup.to_str().unwrap(), "class"]);
    // Everyone has joined, so no link is printed.
    fs::write(desk.path("class/joined"), "").unwrap();
    let served = Served::start(&desk);
    let mut tea = served.signed_in_with("9002", "demonstration");
    let roster = tea.get("/roster").text;
    for name in ["Ada Almeida", "Bo Berg", "Chidi Cole", "Nils Nord"] {
        assert!(roster.contains(name), "{name}: {roster}");
    }
    // A changed file had begun a second event; the first one and its final are past.
    let event = tea.get("/event").text;
    let past = event.split("/event/past/").nth(1).and_then(|rest| rest.split('"').next());
    let past = tea.get(&format!("/event/past/{}", past.expect("a link"))).text;
    for expected in ["red", "blue", "/games/connect-four-"] {
        assert!(past.contains(expected), "{expected}: {past}");
    }
    let grades = tea.get("/grades/1").text;
    assert!(grades.contains("Ada Almeida") && grades.contains("gate"), "{grades}");
    let audit = tea.get("/audit").text;
    assert!(audit.contains("began the final") && audit.contains("joined"), "{audit}");
    assert!(tea.get("/deadline").text.contains("ill"));
    let mut ada = served.signed_in_with("1001", "demonstration");
    assert!(ada.get("/team").text.contains("version 1"));
    assert_eq!(ada.get("/teams/1").status, 200);
}
