//! What Mr. X and the detectives know of each other's habits, in games of `mcts` against itself.

use botyard_bots::scotland_yard::{Belief, Cutoffs, Determinization, StationBits};
use botyard_engine::scotland_yard::{End, Side};
use botyard_engine::{Game, Seat, Turn};
use botyard_training::scotland_yard::{Arena, MctsOptions, Play, play_game};

/// Against detectives who know the habits of Mr. X, one who knows that they do escapes more often
/// than one who takes all his candidates to be as likely.
#[test]
fn a_mr_x_who_knows_what_is_expected_of_him_escapes_more_often() {
    let escapes = |policy: &str| {
        let pursuers = ["reward=win", "model=false", "determinization=learned"];
        let options = [policy, "reward=win", "filter=false", "determinization=learned"];
        let play = Play {
            presets: vec!["ravensburger".into()],
            iterations: 200,
            random_in: 0,
            mr_x: MctsOptions::parse(options).unwrap(),
            detectives: MctsOptions::parse(pursuers).unwrap(),
            ..Play::default()
        };
        let how = play.settings().unwrap();
        let cutoffs = [Side::MrX, Side::Detectives].map(|side| Cutoffs::built_in(0, side));
        let arena = &how.arenas[0];
        let is_escape = |seed: &u64| {
            let (_, end) =
                arena.replay(&play_game(*seed, &how, Some(&cutoffs)), |_, _| {}).unwrap();
            matches!(end, End::Survived | End::DetectivesImmobile)
        };
        (0..40).filter(is_escape).count()
    };
    let [searching, believing] = ["playout=searching", "playout=believing"].map(escapes);
    assert!(believing > searching + 4, "{believing} instead of {searching} of 40");
}

/// In games of `mcts` against itself, the belief that models its habits gives Mr. X's true
/// station a higher probability than the others.
#[test]
fn habits_tell_where_mcts_is() {
    let play = Play {
        presets: vec!["nijssen".into()],
        iterations: 60,
        random_in: 0,
        mr_x: MctsOptions::parse(["reward=win", "filter=false"]).unwrap(),
        detectives: MctsOptions::parse(["reward=win", "model=false"]).unwrap(),
        ..Play::default()
    };
    let how = play.settings().unwrap();
    let cutoffs = [Side::MrX, Side::Detectives].map(|side| Cutoffs::built_in(0, side));
    let Arena { game, tables, .. } = &how.arenas[0];
    let mut logs = [0.0; 4];
    for seed in 0..12 {
        let played = play_game(seed, &how, Some(&cutoffs));
        let mut state = game.start(&played.opening).unwrap();
        for action in played.actions {
            if game.turn(&state) == Turn::Seat(Seat::new(1)) {
                let view = game.view(&state, Seat::new(1));
                let possible: StationBits = game.candidates_in(&view).set().iter().collect();
                let position = state.position();
                for ((_, by), log) in Determinization::ALL.into_iter().zip(&mut logs) {
                    let belief = Belief::new(game, tables, &view, position, possible, by);
                    let there = belief.stations().iter().find(|(s, _)| *s == position.mr_x());
                    *log += there.unwrap().1.max(1e-9).ln();
                }
            }
            game.apply(&mut state, action);
        }
    }
    let [uniform, categories, fleeing, learned] = logs;
    assert!(learned > uniform.max(categories).max(fleeing), "{logs:?}");
}
