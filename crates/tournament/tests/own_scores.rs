//! A game with its own scores, chips from -100 to 100, refereed between real programs: replays and
//! the store keep the chips, and comparisons of bots count shares.

use botyard_engine::registry::TableMaker;
use botyard_engine::{Scores, Table, TypedTable};
use botyard_league::schedule::{Draws, Format, TournamentSchedule};
use botyard_league::sprt::{EloModel, Sprt};
use botyard_league::store::{Definition, MemoryStore, Store};
use botyard_league::{Entrant, GameKind, SeatKind, Standings, Verdict};
use botyard_referee::{BotCommand, Interrupt};
use botyard_replay::{ReplayReader, verify};
use botyard_runner::{
    Config, ContainmentConfig, Error, GameSource, Games, MatchGames, Observer, PendingGames, Plan,
    PlannedBot, Programs, Replays, RunConfig, TestGames, TimeConfig, run,
};
use botyard_sandbox::Launcher;
use botyard_testkit::hand::{Hand, MOST, TAKEN};
use botyard_tournament::TournamentGames;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Always plays the action at one index of the list.
const BOT: &str = r#"
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    match message["type"]:
        case "hello": answer = {"type": "hello", "protocol": 1, "name": "bot", "games": []}
        case "start": answer = {"type": "ready"}
        case "turn": answer = {"type": "move", "turn": message["turn"], "action": message["legal"][PLACE]}
        case "quit": break
        case _: continue
    print(json.dumps(answer), flush=True)
"#;

const GAMES: u32 = 8;

struct Quiet;

impl<S: GameSource> Observer<S> for Quiet {
    fn ended(&mut self, _: &S, _: S::Record) -> Result<(), Error> {
        Ok(())
    }
}

fn tables() -> TableMaker {
    let game = Arc::new(Hand::default());
    Box::new(move || Box::new(TypedTable::new(Arc::clone(&game))) as Box<dyn Table>)
}

/// Returns a bot that always plays the action at this index of the list: the first takes and hides
/// left, the last asks, hides right and guesses right.
fn bot(directory: &Path, name: &str, place: i32) -> BotCommand {
    let script = directory.join(format!("{name}.py"));
    fs::write(&script, BOT.replace("PLACE", &place.to_string())).unwrap();
    BotCommand {
        name: name.into(),
        program: "python3".into(),
        args: vec![script.into()],
        ..BotCommand::default()
    }
}

fn plan(directory: &Path, places: [i32; 2], replays: Replays) -> Plan {
    let names = ["taker", "asker"];
    let config = Config {
        games: Games::Number(GAMES),
        containment: ContainmentConfig::none(),
        running: RunConfig { concurrency: Some(1), ..RunConfig::default() },
        // The host may be busy.
        time: TimeConfig { move_ms: Some(60_000), ..TimeConfig::default() },
        replays,
        // This name is used to describe the rules; the tables are those of the hand game.
        ..Config::new("connect-four", names.map(String::from).to_vec())
    };
    let launcher = Launcher { program: "/no/such/launcher".into(), args: Vec::new() };
    let programs = Programs::new(launcher);
    let bots = names.iter().zip(places).map(|(name, place)| bot(directory, name, place)).collect();
    Plan::with_bots(&config, &programs, tables(), &[], bots).unwrap()
}

/// The taker takes 40 chips in its four games as the guesser. In the other games the asker guesses
/// right while the taker hid left, and loses 100.
#[test]
fn a_match_counts_shares_and_its_replays_have_the_chips() {
    let place = tempfile::tempdir().unwrap();
    let replays = place.path().join("replays");
    fs::create_dir(&replays).unwrap();
    let plan = plan(place.path(), [0, -1], Replays::Own(replays.clone()));
    let interrupt = Interrupt::new().unwrap();
    let mut games = MatchGames::new(&plan, false, &interrupt);
    let stopped = run(&plan, &mut games, &mut Quiet, None, &interrupt).unwrap();
    assert!(stopped.is_none(), "{stopped:?}");
    let [taker, asker] = &games.tally.bots[..] else { panic!("two bots") };
    let score = taker.score;
    assert_eq!((score.games(), score.wins, score.draws, score.losses), (8, 8, 0, 0));
    assert_eq!((asker.score.wins, asker.score.losses), (0, 8));
    let mean = (TAKEN + MOST) / 2.0;
    assert_eq!((score.points(), asker.score.points()), (Some(mean), Some(-mean)));
    let share = (mean + MOST) / (2.0 * MOST);
    assert!((score.share().unwrap() - share).abs() < 1e-12, "{score:?}");
    assert!((asker.score.share().unwrap() - (1.0 - share)).abs() < 1e-12);
    assert_eq!(taker.by_seat[0].points(), Some(TAKEN));

    let make_table = |name: &str, _: &serde_json::Value| {
        assert_eq!(name, "which-hand");
        Ok(tables()())
    };
    let mut seen = Vec::new();
    for file in fs::read_dir(&replays).unwrap() {
        let reader = ReplayReader::open(&file.unwrap().path()).unwrap();
        seen.extend(verify(reader, &make_table).unwrap().outcome.scores);
    }
    seen.sort_by(f64::total_cmp);
    let chips = [-MOST, -TAKEN, TAKEN, MOST].into_iter().flat_map(|chips| [chips; 4]);
    assert_eq!(seen, chips.collect::<Vec<f64>>());
}

#[test]
fn a_tournament_keeps_the_chips_and_rates_shares() {
    let place = tempfile::tempdir().unwrap();
    let plan = plan(place.path(), [0, -1], Replays::None);
    let draws = Draws::numbered(1, "hands");
    let format = Format::RoundRobin { tables: None };
    let schedule = TournamentSchedule::new("which-hand", draws, (2, 2), &format, 4).unwrap();
    let entrant = |bot: &PlannedBot| Entrant { name: bot.name().into(), ..Entrant::default() };
    let entrants: Vec<Entrant> = plan.bots.iter().map(entrant).collect();
    let mut store = MemoryStore::new(Definition {
        name: "hands".into(),
        game: "which-hand".into(),
        draws,
        commitment: None,
        file: String::new(),
        directory: String::new(),
        digest: String::new(),
        version: String::new(),
        entrants: entrants.clone(),
        rejected: Vec::new(),
        kept: None,
    });
    let pending = PendingGames::new(&schedule, true, 0).scaled(plan.scale);
    let games = TournamentGames::new(&plan, &schedule, &mut store, pending, 0).unwrap();
    let ended = games.play(&mut Quiet, &Interrupt::new().unwrap()).unwrap();
    assert!(ended.stopped.is_none() && ended.missing == 0, "{ended:?}");

    let mut games = Vec::new();
    store.games(0, &mut |stored| games.push(stored.game)).unwrap();
    assert_eq!(games.len(), 8);
    for game in &games {
        let Verdict::Scored { points, .. } = &game.verdict else { panic!("{game:?}") };
        assert!([TAKEN, MOST].contains(&points[0].abs()) && points[0] == -points[1], "{points:?}");
    }
    let kind = GameKind { seats: SeatKind::Roles, scale: plan.scale };
    let found = Standings::new("which-hand", &plan.seats, kind, &entrants, &games, 1);
    assert_eq!((found.games, found.unreadable), (8, 0));
    assert_eq!(found.points, Some(Scores { least: -MOST, most: MOST, sum: Some(0.0) }));
    let best = &found.bots[0];
    assert_eq!((best.name.as_str(), best.rank, best.score.points), ("taker", Some(1), Some(70.0)));
    assert!((best.score.share.unwrap() - 0.85).abs() < 1e-12);
    assert!(best.rating.unwrap().value > 0.0);
    assert_eq!(found.to_json()["bots"][1]["score"]["points"], -70.0);
    assert!(
        found.to_csv().lines().next().unwrap().contains(",points,points_guesser,points_hider,")
    );
    for text in [found.to_table(), found.to_markdown(), found.to_html("", "")] {
        assert!(text.contains("-70.00") && text.contains("from -100 to 100"), "{text}");
    }
}

#[test]
fn a_sequential_test_counts_who_had_more() {
    let place = tempfile::tempdir().unwrap();
    let plan = plan(place.path(), [0, -1], Replays::None);
    let draws = Draws::numbered(1, "hands");
    let format = Format::RoundRobin { tables: None };
    let schedule = TournamentSchedule::new("which-hand", draws, (2, 2), &format, 100).unwrap();
    let sprt = Sprt::new(0.0, 200.0, 0.05, 0.05, EloModel::Logistic).unwrap();
    let mut games = TestGames::new(&plan, &schedule, sprt);
    run(&plan, &mut games, &mut Quiet, None, &Interrupt::new().unwrap()).unwrap();
    let state = games.state();
    let [lost, half, even, more, won] = state.sprt.pairs;
    assert_eq!([lost, half, even, more], [0; 4], "{:?}", state.sprt);
    assert!(won > 1 && state.sprt.llr > 0.0, "{:?}", state.sprt);
    assert_eq!(state.score.wins, 2 * won);
}
