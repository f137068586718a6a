//! Games that are adjudicated by reported scores or by endgame tables: the exact decision at which
//! each rule ends a game, that `verify` gives the same end and no other, and that nothing changes
//! without rules.

use crate::recorded_game::{Recording, lines, pig, rechained};
use botyard_engine::draughts::endgame::{Endgames, solve};
use botyard_engine::{EndgameTables, GameEvent, registry};
use botyard_protocol::Adjudicated::{Draw, Egdb, Resign};
use botyard_protocol::{Adjudicated, Adjudication, EgdbRule, EndOutcome, OnFault};
use botyard_replay::{
    Adjudicator, AdjudicatorError, Course, Due, EndEvent, Header, OpeningSource, PlayedBy,
    ReplayReader, ReplayWriter, VerifyReport, registered_table, verify_with_tables,
};
use proptest::prelude::*;
use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock};

/// Rules as on the command line; an empty text is no rule.
fn rules(draw: &str, resign: &str) -> Adjudication {
    let some = |text: &str| (!text.is_empty()).then_some(());
    Adjudication {
        draw: some(draw).map(|()| draw.parse().expect("a rule")),
        resign: some(resign).map(|()| resign.parse().expect("a rule")),
        egdb: None,
    }
}

/// Tables of up to three pieces.
fn tables() -> Arc<dyn EndgameTables> {
    static TABLES: LazyLock<Arc<Endgames>> = LazyLock::new(|| {
        let mut endgames = Endgames::default();
        let solved = solve(&mut endgames, 3, 1, &|| false, |_, _| ControlFlow::Continue(()));
        solved.expect("it is not interrupted");
        Arc::new(endgames)
    });
    Arc::clone(&*TABLES) as Arc<dyn EndgameTables>
}

/// A game in which both seats always play their first legal action.
pub struct Played {
    outcome: EndOutcome,
    turns: u32,
    by: Option<Adjudicated>,
    pub replay: Vec<u8>,
}

impl Played {
    /// Returns when which rule ended the game, and the index of the winner.
    fn end(&self) -> Option<(u32, Adjudicated, Option<usize>)> {
        let winner = self.outcome.scores.iter().position(|&score| score == 1.0);
        Some((self.turns, self.by?, winner))
    }
}

/// Plays a game. `info` says what the bot reports at a decision, from 1.
pub fn play(
    game: &str,
    opening: Option<&str>,
    rules: &Adjudication,
    endgames: Option<Arc<dyn EndgameTables>>,
    info: impl Fn(u32) -> Option<String>,
) -> Played {
    let table = registry::tables(game, None, &[]).expect("a game")();
    // Without a ballot, the first seat moves first.
    let opening = opening.or((game == "draughts").then_some("{}"));
    let template = Recording { two_players: true, ..pig(1) };
    let header = Header {
        game: game.into(),
        adjudication: rules.clone(),
        opening: if opening.is_some() { OpeningSource::Given } else { OpeningSource::Drawn },
        ..template.header(&*table)
    };
    let adjudicator = Adjudicator::new(rules.clone(), endgames, &*table).expect("good rules");
    let holders: Vec<&str> = header.seats.iter().map(|holder| &*holder.player).collect();
    let course = Course::new(table, OnFault::Substitute, &holders, header.seed);
    let mut course = course.adjudicated_by(adjudicator);
    let mut replay = Vec::new();
    let mut writer = ReplayWriter::new(&mut replay, &header).expect("memory");
    writer.write_opening(&course.open(opening).expect("an opening")).expect("memory");
    let mut event = GameEvent::default();
    while let Due::Decision(seat) = course.due() {
        let info = info(course.turn() + 1);
        let action = course.legal()[0].to_string();
        course.play_with_info(&action, info.as_deref(), &mut event).expect("a legal action");
        let turn = course.turn();
        writer
            .write_move(turn, seat, &event, info.as_deref(), None::<PlayedBy>, None)
            .expect("memory");
        if ReplayWriter::<Vec<u8>>::state_is_due(turn) {
            writer.write_state(turn, course.table().state_hash()).expect("memory");
        }
    }
    let outcome = course.outcome().expect("it is over");
    let (turns, by) = (course.turn(), course.adjudicated());
    let end = EndEvent { outcome: outcome.clone(), turns, adjudicated: by };
    writer.write_end(Some(course.table().state_hash()), &end, None).expect("memory");
    drop(writer);
    Played { outcome, turns, by, replay }
}

fn verified(
    replay: &[u8],
    endgames: Option<Arc<dyn EndgameTables>>,
) -> Result<VerifyReport, String> {
    let reader = ReplayReader::new(replay).map_err(|error| error.to_string())?;
    verify_with_tables(reader, &registered_table, endgames).map_err(|error| error.to_string())
}

/// Returns what a seat reports: these values in order, and then the last again and again. `-` is no
/// `info`.
fn reports(seats: [&'static str; 2]) -> impl Fn(u32) -> Option<String> {
    move |turn| {
        let own = seats[(turn as usize + 1) % 2];
        let values: Vec<&str> = own.split(' ').collect();
        let value = values[((turn as usize - 1) / 2).min(values.len() - 1)];
        match value {
            "-" => None,
            "{}" => Some("{}".into()),
            value => Some(format!("{{\"depth\":3,\"score\":{value}}}")),
        }
    }
}

#[test]
fn each_rule_ends_a_game_at_its_decision() {
    let draw = "movenumber=5 movecount=3 score=0.1";
    let resign = "movecount=3 score=2";
    let both = "movecount=3 score=2 twosided";
    let (first, second) = (Some(0), Some(1));
    for (name, draw, resign, seats, expected) in [
        ("a draw after the fifth move", draw, "", ["0", "0"], Some((10, Draw, None))),
        ("within the score on both sides", draw, "", ["0.1", "-0.1"], Some((10, Draw, None))),
        ("three moves of both", "movecount=3 score=0.1", "", ["0", "0"], Some((6, Draw, None))),
        ("the first ends the streak", draw, "", ["0 0 0 1 0", "0"], Some((13, Draw, None))),
        ("the second ends the streak", draw, "", ["0", "0 0 0 1 0"], Some((14, Draw, None))),
        ("one side alone is not enough", draw, "", ["0", "0.2"], None),
        ("the second resigns", "", resign, ["0", "-2"], Some((6, Resign, first))),
        ("the first resigns", "", resign, ["-2", "0"], Some((5, Resign, second))),
        ("a better score in between", "", resign, ["-2 -2 -1 -3", "0"], Some((11, Resign, second))),
        ("almost", "", resign, ["-1.999", "-1.999"], None),
        ("the winner does not agree", "", both, ["-2", "1.9"], None),
        ("the winner agrees", "", both, ["-2", "2"], Some((6, Resign, second))),
        ("the winner agrees late", "", both, ["-2", "0 0 0 2"], Some((12, Resign, second))),
        ("the loser agrees late", "", both, ["5", "0 0 0 -2"], Some((12, Resign, first))),
        (
            "without twosided the other is not asked",
            "",
            resign,
            ["-2", "-"],
            Some((5, Resign, second)),
        ),
        (
            "resignation comes before a draw",
            "movecount=3 score=9",
            resign,
            ["-2", "0"],
            Some((5, Resign, second)),
        ),
        ("no rule", "", "", ["0", "-9"], None),
    ] {
        for game in ["connect-four", "draughts"] {
            let rules = rules(draw, resign);
            let played = play(game, None, &rules, None, reports(seats));
            assert_eq!(played.end(), expected, "{game}: {name}");
            let report =
                verified(&played.replay, None).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(report.outcome, played.outcome, "{name}");
            if let Some((_, rule, winner)) = expected {
                assert_eq!(played.outcome.reason, rule.reason());
                let ranks = match winner {
                    None => [1, 1],
                    Some(0) => [1, 2],
                    Some(_) => [2, 1],
                };
                assert_eq!(played.outcome.ranks, ranks, "{name}");
            }
        }
    }
}

#[test]
fn a_score_that_is_no_number_in_range_ends_nothing() {
    let rules = rules("movecount=1 score=1000000", "movecount=1 score=0.001");
    for value in [
        "-",
        "{}",
        "null",
        "true",
        "\"0\"",
        "\"-9\"",
        "[0]",
        "{\"cp\":-900}",
        "-1000001",
        "-1e300",
        "1e300",
    ] {
        let played = play("connect-four", None, &rules, None, reports([value, value]));
        assert_eq!(played.by, None, "{value}");
        verified(&played.replay, None).unwrap();
    }
    // The largest score that counts.
    let played = play("connect-four", None, &rules, None, reports(["-1000000", "0"]));
    assert_eq!(played.end(), Some((1, Resign, Some(1))));
}

#[test]
fn a_decision_without_a_report_interrupts_a_streak() {
    let rules = rules("", "movecount=2 score=1");
    for gap in ["-", "{}", "null", "\"-3\"", "-1e9"] {
        let seats: [&'static str; 2] = [Box::leak(format!("-3 {gap} -3").into_boxed_str()), "0"];
        let played = play("connect-four", None, &rules, None, reports(seats));
        assert_eq!(played.end(), Some((7, Resign, Some(1))), "{gap}");
    }
}

#[test]
fn a_game_that_its_rules_end_is_not_adjudicated() {
    // The first seat wins with its tenth move, decision 19.
    let without = play("connect-four", None, &Adjudication::default(), None, reports(["-", "-"]));
    let last = without.turns;
    for movecount in [last / 2, last / 2 + 1] {
        let rules = rules("", &format!("movecount={movecount} score=1"));
        let played = play("connect-four", None, &rules, None, reports(["-2", "0"]));
        let moves_of_first = last.div_ceil(2);
        let expected = (movecount < moves_of_first).then_some((2 * movecount - 1, Resign, Some(1)));
        assert_eq!(played.end(), expected, "{movecount} of {moves_of_first}");
    }
}

#[test]
fn tables_end_a_game_at_the_first_position_that_they_know() {
    let three = Adjudication { egdb: Some(EgdbRule { pieces: 3 }), ..rules("", "") };
    for (fen, expected) in [
        // Black has two kings against one, and wins; seat 1 is Black's.
        ("B:WK31:BK1,K2", Some((1, Egdb, Some(0)))),
        ("W:WK31,K32:BK1", Some((1, Egdb, Some(1)))),
        ("B:WK31:BK1", Some((1, Egdb, None))),
        // The first move takes the last piece: the rules end the game.
        ("W:WK18:BK14", None),
    ] {
        let opening = format!("{{\"fen\":\"{fen}\"}}");
        let played = play("draughts", Some(&opening), &three, Some(tables()), |_| None);
        assert_eq!(played.end(), expected, "{fen}");
        let report = verified(&played.replay, Some(tables())).unwrap();
        assert_eq!(report.outcome, played.outcome);
        let error = verified(&played.replay, None).unwrap_err();
        assert!(error.contains("endgame tables of up to 3 pieces"), "{error}");
    }
    // With a rule of fewer pieces the same tables end the game later.
    let two = Adjudication { egdb: Some(EgdbRule { pieces: 2 }), ..rules("", "") };
    let opening = Some("{\"fen\":\"B:WK31:BK1,K2\"}");
    let played = play("draughts", opening, &two, Some(tables()), |_| None);
    assert_ne!(played.end(), Some((1, Egdb, Some(0))));
    verified(&played.replay, Some(tables())).unwrap();
}

#[test]
fn a_replay_that_claims_another_end_is_not_sound() {
    let rules = rules("movecount=3 score=0.1", "movecount=3 score=2");
    let sound = play("draughts", None, &rules, None, reports(["0", "-2"])).replay;
    let text = String::from_utf8(sound).unwrap();
    verified(text.as_bytes(), None).unwrap();
    for (from, to, expected) in [
        (
            "\"adjudicated\":\"resign\"",
            "\"adjudicated\":\"draw\"",
            "\"adjudicated\" should be resign",
        ),
        (",\"adjudicated\":\"resign\"", "", "\"adjudicated\" should be resign, but is absent"),
        (
            "\"scores\":[1.0,0.0],\"ranks\":[1,2]",
            "\"scores\":[0.0,1.0],\"ranks\":[2,1]",
            "the outcome should be",
        ),
        (
            "\"reason\":\"adjudicated_resign\"",
            "\"reason\":\"adjudicated_draw\"",
            "the outcome should be",
        ),
        ("\"resign\":{\"movecount\":3", "\"resign\":{\"movecount\":4", "the game is not over"),
        ("\"resign\":{\"movecount\":3", "\"resign\":{\"movecount\":2", "after the game was over"),
        (
            "\"resign\":{\"movecount\":3",
            "\"resign\":{\"movecount\":0",
            "movecount: expected a number",
        ),
        ("\"adjudication\":", "\"adjudication_off\":", "the game is not over by its rules"),
        ("\"score\":-2}", "\"score\":-1}", "the game is not over by its rules"),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        let changed = rechained(&lines(&changed));
        let error = verified(&changed, None).unwrap_err();
        assert!(error.contains(expected), "{to}: {error}");
    }
}

#[test]
fn only_games_of_two_seats_with_perfect_information_are_adjudicated() {
    let rules = rules("", "movecount=1 score=1");
    for (game, preset, is_adjudicable) in [
        ("draughts", None, true),
        ("connect-four", None, true),
        ("dice-wars", None, false),
        ("scotland-yard", None, false),
        ("liars-dice", None, false),
    ] {
        let table = registry::tables(game, preset, &[]).unwrap()();
        let made = Adjudicator::new(rules.clone(), None, &*table);
        match made {
            Ok(_) => assert!(is_adjudicable, "{game}"),
            Err(error) => {
                assert_eq!((error, is_adjudicable), (AdjudicatorError::Game(table.game()), false))
            }
        }
    }
    let tables_for = |game: &str, preset: Option<&str>, changes: &[(&str, &str)], pieces| {
        let changes: Vec<_> = changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        let table = registry::tables(game, preset, &changes).unwrap()();
        let egdb = Some(EgdbRule { pieces });
        Adjudicator::new(Adjudication { egdb, ..rules.clone() }, Some(tables()), &*table)
            .map(|_| ())
    };
    assert_eq!(tables_for("draughts", None, &[], 3), Ok(()));
    assert_eq!(
        tables_for("draughts", None, &[], 4),
        Err(AdjudicatorError::Pieces { expected: 4, got: 3 })
    );
    for (game, changes) in [("connect-four", &[][..]), ("draughts", &[("jump", "one_piece")])] {
        let refused = tables_for(game, None, changes, 3);
        assert!(matches!(refused, Err(AdjudicatorError::Tables(_))), "{game}: {refused:?}");
    }
}

proptest! {
    /// Rules that are off change no byte, whatever bots report.
    #[test]
    fn without_rules_nothing_changes(scores in prop::collection::vec(-9.0..9.0f64, 1..9), draughts: bool) {
        let game = if draughts { "draughts" } else { "connect-four" };
        let info = |turn: u32| Some(format!("{{\"score\":{}}}", scores[turn as usize % scores.len()]));
        let off = play(game, None, &Adjudication::default(), None, info);
        prop_assert_eq!(off.by, None);
        let text = String::from_utf8(off.replay.clone()).unwrap();
        prop_assert!(!text.contains("adjudicat"));
        // A rule that never applies changes the header, and nothing of the game.
        let on = play(game, None, &rules("movenumber=100000 movecount=1 score=0", ""), None, info);
        let without_chain = |replay: &[u8]| -> Vec<String> {
            let text = String::from_utf8(replay.to_vec()).unwrap();
            text.lines().skip(1).map(|line| line.split(",\"chain\"").next().unwrap().to_string()).collect()
        };
        prop_assert_eq!(without_chain(&on.replay), without_chain(&off.replay));
        prop_assert!(verified(&on.replay, None).is_ok());
    }

    /// Whatever bots report, the end is that of the rule as it is stated, counted again.
    #[test]
    fn a_resignation_is_counted_again(
        scores in prop::collection::vec(prop_oneof![Just(-3), Just(-2), Just(0), Just(2), Just(3)], 60),
        movecount in 1..4u32,
        twosided: bool,
    ) {
        let rule = format!("movecount={movecount} score=2 twosided={twosided}");
        let info = |turn: u32| Some(format!("{{\"score\":{}}}", scores[turn as usize % 60]));
        let played = play("connect-four", None, &rules("", &rule), None, info);
        let last = |turn: u32, seat: u32, holds: &dyn Fn(i32) -> bool| {
            let own: Vec<u32> = (1..=turn).filter(|turn| turn % 2 != seat).collect();
            own.len() >= movecount as usize
                && own.iter().rev().take(movecount as usize).all(|&turn| holds(scores[turn as usize % 60]))
        };
        let lost = |turn: u32, seat: u32| {
            last(turn, seat, &|score| score <= -2) && (!twosided || last(turn, 1 - seat, &|score| score >= 2))
        };
        for turn in 1..played.turns {
            prop_assert!(!lost(turn, 0) && !lost(turn, 1), "not ended at {}", turn);
        }
        if let Some((turn, _, winner)) = played.end() {
            prop_assert!(lost(turn, 1 - winner.unwrap() as u32));
        }
        prop_assert!(verified(&played.replay, None).is_ok());
    }
}
