//! `botyard train`: files that do not depend on the number of threads, weights rebuilt from a
//! manifest, and files that are not weights.

use crate::command::{Desk, repository};
use std::fs;

fn manifest() -> String {
    let path = repository("crates/training/tests/manifests/dice-wars.toml");
    fs::read_to_string(path).expect("the manifest")
}

#[test]
fn games_do_not_depend_on_the_number_of_threads() {
    let desk = Desk::new();
    for (game, option, value) in [("draughts", "--nodes", "100"), ("dice-wars", "--planners", "0")]
    {
        let files = ["1", "3"].map(|threads| {
            let out = format!("{game}.{threads}");
            let args = ["train", game, "generate", "--games", "12", option, value];
            desk.done(&[&args[..], &["-j", threads, "--out", &out]].concat());
            fs::read(desk.path(&out)).expect("games")
        });
        assert!(!files[0].is_empty() && files[0] == files[1], "{game}");
    }
}

#[test]
fn a_manifest_is_made_again() {
    let desk = Desk::new();
    fs::write(desk.path("m.toml"), manifest()).expect("a file");
    let rebuild = ["train", "rebuild", "m.toml", "--out", "made"];
    let made = desk.done(&rebuild);
    assert_eq!(made.matches("as in the manifest\n").count(), 4, "{made}");
    let again = desk.done(&rebuild);
    assert_eq!(again.matches("not made again\n").count(), 4, "{again}");

    // A file without its digest is rebuilt, even if it exists.
    let weights = fs::read(desk.path("made/2.weights")).expect("weights");
    fs::write(desk.path("made/2.weights"), b"damaged").expect("a file");
    assert_eq!(desk.done(&rebuild).matches("not made again\n").count(), 3);
    assert!(fs::read(desk.path("made/2.weights")).expect("weights") == weights);

    let other = manifest().replace("epochs = 2, lambda", "epochs = 3, lambda");
    fs::write(desk.path("m.toml"), other).expect("a file");
    fs::remove_file(desk.path("made/2.weights")).expect("it is there");
    let ran = desk.run(&rebuild);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    assert!(ran.stdout.contains("2.weights: expected the SHA-256 "), "{ran:#?}");
}

#[test]
fn what_is_wrong_is_said() {
    let desk = Desk::new();
    let played = ["train", "dice-wars", "generate", "--games", "1", "--planners", "0"];
    desk.done(&[&played[..], &["--out", "games"]].concat());
    fs::write(desk.path("none.toml"), "game = \"dice-wars\"\n").expect("a file");
    fs::write(desk.path("chess.toml"), "game = \"chess\"\n").expect("a file");
    for (args, expected) in [
        (
            &["dice-wars", "generate", "--games", "1", "--eval", "games", "--out", "more"][..],
            "expected a file of weights for dice-wars, which begins with \"bydicew\"; got \"",
        ),
        (
            &["draughts", "generate", "--games", "1", "--eval", "games", "--out", "more"],
            "expected a file of weights for draughts, which begins with \"bydraug\"; got \"",
        ),
        (&["rebuild", "none.toml", "--out", "made"], "expected at least one [[generation]]"),
        (
            &["rebuild", "chess.toml", "--out", "made"],
            "expected the game draughts, dice-wars, scotland-yard or scotland-yard-habits, got \"chess\"",
        ),
        (&["rebuild", "games", "--out", "made"], "games: "),
    ] {
        let ran = desk.run(&[&["train"], args].concat());
        assert_eq!(ran.code, Some(2), "{args:?}: {ran:#?}");
        assert!(ran.stderr.contains(expected), "{args:?}: {ran:#?}");
    }
}
