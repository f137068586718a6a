//! Rebuilding weights: bit for bit from a small manifest, with one thread and with two; and the
//! manifests of the weights in the source.

use botyard_training::dice_wars::DiceWarsTraining;
use botyard_training::draughts::DraughtsTraining;
use botyard_training::scotland_yard::{HabitsTraining, ScotlandYardTraining};
use botyard_training::{Digest, Manifest, Progress, RebuildError, Training, game_of, rebuild};
use std::collections::BTreeMap;
use std::num::NonZero;

type Files = BTreeMap<String, Vec<u8>>;

const DRAUGHTS: &str = include_str!("manifests/draughts.toml");
const DICE_WARS: &str = include_str!("manifests/dice-wars.toml");
const SCOTLAND_YARD: &str = include_str!("manifests/scotland-yard.toml");
const HABITS: &str = include_str!("manifests/scotland-yard-habits.toml");
const WITH_TRANSFERS: &str = include_str!("../../bots/src/dice_wars/MANIFEST.toml");
const WITHOUT_TRANSFERS: &str =
    include_str!("../../bots/src/dice_wars/MANIFEST-without-transfers.toml");

fn read<T: Training>(text: &str) -> Manifest<T::Play, T::Fit> {
    assert_eq!(game_of(text).as_deref(), Ok(T::GAME));
    Manifest::read(text).unwrap()
}

/// Makes the files of a manifest with this number of threads.
fn made<T: Training>(text: &str, threads: usize) -> (Files, Result<Vec<u8>, RebuildError>) {
    let mut files = Files::new();
    let threads = NonZero::new(threads).unwrap();
    let mut unknown = Vec::new();
    let weights = rebuild::<T>(&read::<T>(text), threads, &mut files, &|| false, &mut |progress| {
        if let Progress::File { name, digest, is_verified: false, .. } = progress {
            unknown.push(format!("{name} {digest}"));
        }
    });
    assert!(unknown.is_empty(), "files without a digest in the manifest: {unknown:#?}");
    (files, weights)
}

/// The files of a manifest are the same with one thread and with two, and have its digests.
fn are_made_again<T: Training>(text: &str) {
    let manifest = read::<T>(text);
    let (files, weights) = made::<T>(text, 1);
    assert_eq!(manifest.weights, Some(Digest::of(&weights.unwrap())));
    assert_eq!(files.len(), 2 * manifest.generations.len());
    let (others, _) = made::<T>(text, 2);
    assert!(files == others, "{}: one thread and two make other files", T::GAME);
}

#[test]
fn weights_of_draughts_are_made_again_bit_for_bit() {
    are_made_again::<DraughtsTraining>(DRAUGHTS);
}

#[test]
fn weights_of_dice_wars_are_made_again_bit_for_bit() {
    are_made_again::<DiceWarsTraining>(DICE_WARS);
}

#[test]
fn weights_of_scotland_yard_are_made_again_bit_for_bit() {
    are_made_again::<ScotlandYardTraining>(SCOTLAND_YARD);
}

#[test]
fn habits_of_mr_x_are_made_again_bit_for_bit() {
    are_made_again::<HabitsTraining>(HABITS);
}

#[test]
fn files_that_are_there_are_kept_and_a_wrong_digest_ends_it() {
    let (mut files, _) = made::<DiceWarsTraining>(DICE_WARS, 2);
    let mut manifest = read::<DiceWarsTraining>(DICE_WARS);
    let mut again = |manifest: &Manifest<_, _>| {
        let mut reused = Vec::new();
        let one = NonZero::<usize>::MIN;
        let end =
            rebuild::<DiceWarsTraining>(manifest, one, &mut files, &|| false, &mut |progress| {
                if let Progress::File { is_reused, .. } = progress {
                    reused.push(is_reused);
                }
            });
        (end, reused)
    };
    assert_eq!(again(&manifest).1, [true; 4]);
    manifest.generations[1].weights_digest = Some(Digest::of(b"something else"));
    let (end, reused) = again(&manifest);
    assert_eq!(reused, [true; 3]);
    let error = end.unwrap_err().to_string();
    assert!(error.starts_with("2.weights: expected the SHA-256 "), "{error}");
}

#[test]
fn what_cannot_be_made_is_said() {
    for (line, message) in [
        ("play = { depth = 0 }\nfit = {}", "1.games: expected 0 to 100 percent planners"),
        ("play = { planners = 0 }\nfit = { lambda = 0.5 }", "expected weights to begin with"),
        (
            "play = { presets = [\"sui-2022\"] }\nfit = {}",
            "a preset of Dice Wars, got \"sui-2022\"",
        ),
        ("play = { opponents = [\"dice\"] }\nfit = {}", "a bot such as dw-stei-adt, got \"dice\""),
        ("play = { players = [9] }\nfit = {}", "numbers of players from 2 to 8, got [9]"),
    ] {
        let text = format!("game = \"dice-wars\"\n[[generation]]\ngames = 1\nseed = 0\n{line}\n");
        let manifest = read::<DiceWarsTraining>(&text);
        let one = NonZero::<usize>::MIN;
        let made = rebuild::<DiceWarsTraining>(
            &manifest,
            one,
            &mut Files::new(),
            &|| false,
            &mut |_progress| {},
        );
        let error = made.unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    for (play, message) in [
        ("{ iterations = 0 }", "1.games: expected at least one iteration, got 0"),
        ("{ presets = [] }", "1.games: expected at least one preset, got none"),
        ("{ presets = [\"paris\"] }", "1.games: expected a preset of Scotland Yard, got \"paris\""),
    ] {
        let text = format!(
            "game = \"scotland-yard\"\n[[generation]]\ngames = 1\nseed = 0\nplay = {play}\nfit = {{}}\n"
        );
        let (_, none) = made::<ScotlandYardTraining>(&text, 1);
        assert_eq!(none.unwrap_err().to_string(), message);
    }
    for play in [
        "{ mr-x = { playout = \"believing\" } }",
        "{ detectives = { determinization = \"learned\" } }",
    ] {
        let text = format!(
            "game = \"scotland-yard-habits\"\n[[generation]]\ngames = 1\nseed = 0\nplay = {play}\nfit = {{}}\n"
        );
        let (_, none) = made::<HabitsTraining>(&text, 1);
        let error = none.unwrap_err().to_string();
        let message = "1.games: there are no habits before the first generation: expected mr-x without \
                       playout = \"believing\" or \"mixed\", and detectives without determinization = \"learned\"";
        assert_eq!(error, message);
    }
    let (_, none) = made::<DraughtsTraining>("game = \"draughts\"", 1);
    assert!(matches!(none, Err(RebuildError::NoGeneration)));
}

#[test]
#[ignore = "ten minutes"]
fn weights_of_dice_wars_with_transfers_are_made_again_bit_for_bit() {
    are_made_again::<DiceWarsTraining>(WITH_TRANSFERS);
}

#[test]
#[ignore = "a minute"]
fn weights_of_dice_wars_without_transfers_are_made_again_bit_for_bit() {
    are_made_again::<DiceWarsTraining>(WITHOUT_TRANSFERS);
}

#[test]
fn manifests_have_the_digests_of_the_weights_in_the_source() {
    let draughts = read::<DraughtsTraining>(include_str!("../../bots/src/draughts/MANIFEST.toml"));
    let dice_wars = read::<DiceWarsTraining>(WITH_TRANSFERS);
    let digest = |bytes: &[u8]| Some(Digest::of(bytes));
    assert_eq!(draughts.weights, digest(include_bytes!("../../bots/src/draughts/weights.bin")));
    assert_eq!(dice_wars.weights, digest(include_bytes!("../../bots/src/dice_wars/weights.bin")));
    let scotland_yard =
        read::<ScotlandYardTraining>(include_str!("../../bots/src/scotland_yard/MANIFEST.toml"));
    let weights = include_bytes!("../../bots/src/scotland_yard/weights.bin");
    assert_eq!(scotland_yard.weights, digest(weights));
    let grids = read::<ScotlandYardTraining>(include_str!(
        "../../bots/src/scotland_yard/MANIFEST-grids.toml"
    ));
    let weights = include_bytes!("../../bots/src/scotland_yard/weights-grids.bin");
    assert_eq!(grids.weights, digest(weights));
    let mr_x = read::<ScotlandYardTraining>(include_str!(
        "../../bots/src/scotland_yard/MANIFEST-mr-x.toml"
    ));
    let weights = include_bytes!("../../bots/src/scotland_yard/weights-mr-x.bin");
    assert_eq!(mr_x.weights, digest(weights));
    let habits =
        read::<HabitsTraining>(include_str!("../../bots/src/scotland_yard/MANIFEST-habits.toml"));
    assert_eq!(habits.weights, digest(include_bytes!("../../bots/src/scotland_yard/habits.bin")));
    let habits = read::<HabitsTraining>(include_str!(
        "../../bots/src/scotland_yard/MANIFEST-habits-grids.toml"
    ));
    assert_eq!(
        habits.weights,
        digest(include_bytes!("../../bots/src/scotland_yard/habits-grids.bin"))
    );
    let without_transfers = read::<DiceWarsTraining>(WITHOUT_TRANSFERS);
    let weights = include_bytes!("../../bots/src/dice_wars/weights-without-transfers.bin");
    assert_eq!(without_transfers.weights, digest(weights));
}
