//! Whole games with real processes: several seats and several games per process, seats that drop
//! out while the others continue, clocks, the rules for faults, interrupts, and equal replays from
//! equal seeds.

use crate::fixtures::{
    AMPLE_MS, MISBEHAVE, command, dice, groups, living_members, misbehaving, move_time,
    no_interrupt, recorded_lines, spec,
};
use botyard_engine::{GameEvent, Outcome, Seat, Stream, Table, Turn};
use botyard_protocol::{Fault, FaultKind, Limits, OnFault, OutcomeKind, TimeControl};
use botyard_referee::{
    Bot, GameReport, GameSpec, Interrupt, Progress, RETRIES, RefereeError, STRIKES, StartError,
    play, start_all,
};
use botyard_replay::{ReplayReader, ReplayWriter, verify};
use serde_json::Value;

/// Plays a game. Returns its report and its replay. If the host was too busy to run a bot, the game
/// is void and is repeated with restarted bots.
fn recorded(
    mut table: Box<dyn Table>,
    bots: &mut [Bot],
    spec: &GameSpec<'_>,
) -> (GameReport, String) {
    let interrupt = no_interrupt();
    for attempt in 1..=10 {
        start_all(bots, &spec.limits, &interrupt).expect("the bots can be started");
        let mut replay = Vec::new();
        let mut writer = ReplayWriter::new(&mut replay, &spec.header(&*table, bots)).unwrap();
        let report = play(&mut *table, bots, spec, &interrupt, Some(&mut writer), &mut |_| {})
            .expect("the host can play");
        drop(writer);
        if report.outcome.kind != OutcomeKind::Void {
            return (report, String::from_utf8(replay).expect("a replay is JSON"));
        }
        bots.iter_mut().for_each(Bot::stop);
        std::thread::sleep(std::time::Duration::from_secs(attempt));
    }
    panic!("void ten times: the host is too busy for any test of time");
}

/// Returns the lines of a replay without times.
fn timeless(replay: &str) -> Vec<Value> {
    let line = |line: &str| {
        let mut value: Value = serde_json::from_str(line).expect("a line is JSON");
        value.as_object_mut().expect("an object").remove("time");
        value
    };
    replay.lines().map(line).collect()
}

fn check_replay(replay: &str) {
    let reader = ReplayReader::new(replay.as_bytes()).expect("a replay");
    let make = |_: &str, rules: &Value| {
        let number = |name| rules[name].as_u64().expect("a rule of the dice race") as u32;
        Ok(dice(number("target"), number("rounds")))
    };
    if let Err(error) = verify(reader, &make) {
        panic!("{error}\n{replay}");
    }
}

fn good(names: &[&str]) -> Vec<Bot> {
    names.iter().map(|name| misbehaving(name, "good", 1)).collect()
}

fn kinds(faults: &[Fault]) -> Vec<(FaultKind, &str, u32)> {
    faults.iter().map(|fault| (fault.kind, &*fault.seat, fault.turn)).collect()
}

#[test]
fn the_same_seed_gives_the_same_replay() {
    let spec = spec(&[0, 1, 2]);
    let mut bots = good(&["a", "b", "c"]);
    let (report, first) = recorded(dice(30, 40), &mut bots, &spec);
    assert_eq!(report.faults, []);
    assert_eq!(report.outcome.kind, OutcomeKind::Completed);
    check_replay(&first);
    let before = groups(&bots);
    let (_, same_processes) = recorded(dice(30, 40), &mut bots, &spec);
    assert_eq!(groups(&bots), before, "the bots continue in the same processes");
    let (_, fresh_processes) = recorded(dice(30, 40), &mut good(&["a", "b", "c"]), &spec);
    assert_eq!(timeless(&first), timeless(&same_processes));
    assert_eq!(timeless(&first), timeless(&fresh_processes));
    let other = GameSpec { seed: 2.into(), ..spec.clone() };
    let (_, other_seed) = recorded(dice(30, 40), &mut bots, &other);
    assert_ne!(timeless(&first)[2..], timeless(&other_seed)[2..]);
}

#[test]
fn a_bot_may_hold_several_seats() {
    let directory = tempfile::tempdir().unwrap();
    let record = directory.path().join("a");
    let a = command("a", "python3", &["-S", MISBEHAVE, "good", "1", record.to_str().unwrap()]);
    let mut bots = [a, misbehaving("b", "good", 1)];
    let (report, replay) = recorded(dice(8, 20), &mut bots, &spec(&[0, 1, 0]));
    assert_eq!(report.outcome.kind, OutcomeKind::Completed);
    check_replay(&replay);
    let lines = recorded_lines(&record, "end");
    assert_eq!(lines[1]["you"], serde_json::json!(["north", "south"]));
    let asked: Vec<&str> = lines.iter().filter_map(|line| line["seat"].as_str()).collect();
    assert!(asked.contains(&"north") && asked.contains(&"south") && !asked.contains(&"east"));
    assert_eq!(asked.len() as u32, report.seats[0].decisions + report.seats[2].decisions);
}

#[test]
fn a_seat_that_drops_out_passes_and_comes_last() {
    let mut bots = good(&["a", "b", "c"]);
    bots[1] = misbehaving("b", "exit_seven", 2);
    let (report, replay) = recorded(dice(20, 12), &mut bots, &spec(&[0, 1, 2]));
    assert_eq!(report.faults.len(), 1);
    assert_eq!((report.faults[0].kind, &*report.faults[0].seat), (FaultKind::Crash, "east"));
    assert_eq!(report.outcome.kind, OutcomeKind::Completed, "the others played to the end");
    assert_eq!(report.outcome.ranks[1], 3);
    assert_eq!(report.seats[1].decisions, 1);
    check_replay(&replay);
    let lines = timeless(&replay);
    let by_referee: Vec<&Value> = lines.iter().filter(|line| line["by"] == "referee").collect();
    assert!(!by_referee.is_empty());
    assert!(by_referee.iter().all(|line| line["seat"] == "east" && line["action"] == "hold"));
    // The other bots were sent the end and can play again; the one that failed must be restarted.
    let usable: Vec<bool> = bots.iter_mut().map(Bot::is_usable).collect();
    assert_eq!(usable, [true, false, true]);
}

#[test]
fn when_two_of_three_drop_out_the_last_one_wins() {
    let mut bots = good(&["a", "b", "c"]);
    bots[0] = misbehaving("a", "exit_seven", 1);
    bots[2] = misbehaving("c", "garbage", 1);
    let (report, replay) = recorded(dice(100, 50), &mut bots, &spec(&[0, 1, 2]));
    let faults: Vec<_> = report.faults.iter().map(|fault| fault.kind).collect();
    assert_eq!(faults, [FaultKind::Crash, FaultKind::Protocol]);
    assert_eq!(report.outcome.kind, OutcomeKind::BotFault);
    assert_eq!(report.outcome.reason, "forfeit_protocol");
    assert_eq!(report.outcome.ranks, [3, 1, 2]);
    check_replay(&replay);
}

#[test]
fn if_nobody_can_be_started_nobody_wins() {
    let mut bots = ["a", "b", "c"].map(|name| misbehaving(name, "exit_at_once", 1));
    let (report, replay) = recorded(dice(12, 30), &mut bots, &spec(&[0, 1, 2]));
    assert_eq!(report.faults.len(), 3);
    assert_eq!(report.outcome.kind, OutcomeKind::BotFault);
    assert_eq!(report.outcome.scores, [0.0; 3]);
    assert_eq!(report.outcome.ranks, [1; 3]);
    check_replay(&replay);
}

#[test]
fn a_bot_that_exits_right_after_its_last_good_answer_has_won() {
    let mut bots = good(&["a", "b", "c"]);
    bots[0] = misbehaving("a", "finish_and_exit", 1);
    // The first seat that rolls anything but a 1 and banks it wins, and only the first seat rolls
    // in its first turn: with this seed it wins.
    let spec = GameSpec { opening: Some(r#"{"banked":[0,0,0]}"#), ..spec(&[0, 1, 2]) };
    let (report, replay) = recorded(dice(2, 1000), &mut bots, &spec);
    assert_eq!(report.faults, []);
    assert_eq!(report.outcome.reason, "target");
    check_replay(&replay);
    assert_eq!(report.outcome.ranks, [1, 2, 2]);
    becomes(false, &mut bots[0], "it has exited");
}

/// Waits until a bot has reacted to the end of a game. A bot that stays usable does so immediately.
fn becomes(usable: bool, bot: &mut Bot, what: &str) {
    let deadline = std::time::Instant::now() + std::time::Duration::from_millis(AMPLE_MS);
    while bot.is_usable() != usable {
        assert!(std::time::Instant::now() < deadline, "{what}");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[test]
fn between_games_a_bot_must_be_alive_and_silent() {
    for (mode, usable) in
        [("good", true), ("exit_after_end", false), ("speak_after_end", false), ("child", true)]
    {
        let mut bots = [misbehaving("a", mode, 1)];
        let (report, _) = recorded(dice(6, 20), &mut bots, &spec(&[0, 0, 0]));
        assert_eq!(report.faults, [], "{mode}");
        becomes(usable, &mut bots[0], mode);
        assert_eq!(bots[0].is_usable(), usable, "{mode}: calling it twice changes nothing");
        // In both cases the next game is played.
        let (report, _) = recorded(dice(6, 20), &mut bots, &spec(&[0, 0, 0]));
        assert_eq!(report.faults, [], "{mode}");
    }
}

#[test]
fn a_bank_runs_out_and_is_charged_exactly() {
    // Two decisions of 0.8 s exceed the bank by far more than the host can be blamed for.
    let bank = TimeControl { move_ms: None, bank_ms: Some(1000), ..move_time(1) };
    let all_seats = [0, 0, 0];
    let runs_out = GameSpec { time: bank.clone(), ..spec(&all_seats) };
    let (report, _) = recorded(dice(100, 50), &mut [misbehaving("a", "slow", 1)], &runs_out);
    let [fault] = &report.faults[..] else { panic!("{:?}", report.faults) };
    assert_eq!(fault.kind, FaultKind::Timeout);
    // Each seat can make one decision, and the first seat's second decision is too late.
    assert!(report.seats.iter().all(|seat| seat.decisions <= 1), "{report:?}");

    // The bank that is sent to a seat matches its charges to the millisecond: the time of each
    // answer without the time for which the host is to blame.
    let fischer = TimeControl { bank_ms: Some(AMPLE_MS), increment_ms: 250, ..bank };
    let game = GameSpec { time: fischer, ..spec(&all_seats) };
    let (report, replay) = recorded(dice(20, 20), &mut good(&["a"]), &game);
    assert_eq!(report.faults, []);
    let mut bank_us = [AMPLE_MS * 1000; 3];
    let mut checked = 0;
    for line in replay.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        if line["type"] == "move" {
            let seat = ["north", "east", "south"].iter().position(|seat| line["seat"] == **seat);
            let bank_us = &mut bank_us[seat.unwrap()];
            assert_eq!(line["time"]["bank_ms"], *bank_us / 1000);
            let excused_us = line["time"]["excused_us"].as_u64().unwrap_or(0);
            *bank_us = *bank_us + 250_000 + excused_us - line["time"]["wall_us"].as_u64().unwrap();
            checked += 1;
        }
    }
    assert_eq!(checked, report.turns);
}

#[test]
fn in_practice_a_bot_is_told_what_was_wrong_and_asked_again() {
    let directory = tempfile::tempdir().unwrap();
    let record = directory.path().join("a");
    let practice = TimeControl { on_fault: OnFault::Retry, ..move_time(AMPLE_MS) };
    let spec = GameSpec { time: practice, ..spec(&[0, 0, 0]) };
    let bot = command("a", "python3", &["-S", MISBEHAVE, "garbage", "2", record.to_str().unwrap()]);
    let mut bots = [bot];
    let (report, replay) = recorded(dice(8, 20), &mut bots, &spec);
    assert_eq!(report.outcome.kind, OutcomeKind::Completed);
    assert_eq!(kinds(&report.faults).len(), 1);
    check_replay(&replay);
    let lines = recorded_lines(&record, "end");
    let error = lines.iter().position(|line| line["type"] == "error").expect("it was sent");
    assert_eq!(lines[error]["fatal"], false);
    assert_eq!(lines[error]["code"], "protocol");
    assert_eq!(lines[error]["detail"]["got"], "I would rather not say");
    assert_eq!(lines[error - 1], lines[error + 1], "the question is repeated");

    // The number of retries is limited.
    let (report, replay) = recorded(dice(8, 20), &mut [misbehaving("a", "illegal", 1)], &spec);
    assert_eq!(report.faults.len() as u32, RETRIES + 1);
    assert_eq!(report.outcome.reason, "forfeit_illegal_action");
    check_replay(&replay);
}

#[test]
fn substitutes_are_played_until_the_strikes_are_used_up() {
    let substitute = TimeControl { on_fault: OnFault::Substitute, ..move_time(AMPLE_MS) };
    let game = GameSpec { time: substitute.clone(), ..spec(&[0, 1, 1]) };
    let mut bots = [misbehaving("a", "illegal", 1), misbehaving("b", "good", 1)];
    let (report, replay) = recorded(dice(100, 20), &mut bots, &game);
    assert_eq!(report.faults.len() as u32, STRIKES);
    assert_eq!(report.outcome.ranks[0], 3);
    check_replay(&replay);
    let lines = timeless(&replay);
    let fatal: Vec<&Value> =
        lines.iter().filter(|line| line["type"] == "fault").map(|line| &line["fatal"]).collect();
    assert_eq!(fatal, [false, false, true]);

    // An answer that arrives after its substitute is dropped, not taken for the answer to the next
    // question.
    let hasty = TimeControl { move_ms: Some(1500), ..substitute };
    let game = GameSpec { time: hasty, ..spec(&[0, 0, 0]) };
    let (report, replay) = recorded(dice(20, 20), &mut [misbehaving("a", "late", 1)], &game);
    assert_eq!(kinds(&report.faults)[0], (FaultKind::Timeout, "north", 1));
    assert!(report.faults.iter().all(|fault| fault.kind == FaultKind::Timeout));
    check_replay(&replay);
}

#[test]
fn a_bot_that_owes_an_answer_when_the_game_ends_is_started_anew() {
    // The bot is asked once. Its answer would arrive during the next game.
    let time = TimeControl { on_fault: OnFault::Substitute, ..move_time(1500) };
    let game = GameSpec { time, ..spec(&[0, 1, 1]) };
    let mut bots = [misbehaving("a", "never", 1), misbehaving("b", "good", 1)];
    let (report, _) = recorded(dice(100, 1), &mut bots, &game);
    assert_eq!(kinds(&report.faults)[0], (FaultKind::Timeout, "north", 1));
    assert_eq!(report.outcome.kind, OutcomeKind::Completed);
    assert_eq!(bots[0].process_group(), None);
    assert!(bots[1].process_group().is_some());
}

#[test]
fn a_bot_that_leaves_between_games_is_started_again() {
    let leaves = misbehaving("a", "exit_after_end", 1).with_freeze(true);
    let mut bots = [leaves, misbehaving("b", "good", 1)];
    for game in 1..=3 {
        let (report, _) = recorded(dice(10, 5), &mut bots, &spec(&[0, 1, 1]));
        assert_eq!(report.faults, [], "game {game}");
    }
}

#[test]
fn everyone_is_told_the_end_the_faults_and_what_was_hidden() {
    let directory = tempfile::tempdir().unwrap();
    let record = directory.path().join("b");
    let b = command("b", "python3", &["-S", MISBEHAVE, "good", "1", record.to_str().unwrap()]);
    let mut bots = [misbehaving("a", "illegal", 1), b];
    let (report, _) = recorded(dice(20, 20), &mut bots, &spec(&[0, 1, 1]));
    let lines = recorded_lines(&record, "end");
    let end = lines.last().unwrap();
    assert_eq!(end["outcome"], serde_json::to_value(&report.outcome).unwrap());
    assert_eq!(end["faults"], serde_json::to_value(&report.faults).unwrap());
    assert_eq!(end["faults"][0]["kind"], "illegal_action");
    assert_eq!(end["reveal"]["dropped"], serde_json::json!([0]));
}

#[test]
fn an_interrupt_stops_the_game_and_leaves_nothing() {
    let spec = spec(&[0, 1, 2]);
    let interrupt = Interrupt::on_signals().expect("signals can be caught");
    let mut table = dice(1000, 1000);
    let mut bots = good(&["a", "b", "c"]);
    bots[2] = misbehaving("c", "never", 2);
    start_all(&mut bots, &spec.limits, &interrupt).unwrap();
    let groups = groups(&bots);
    let mut replay = Vec::new();
    let mut writer = ReplayWriter::new(&mut replay, &spec.header(&*table, &bots)).unwrap();
    // The signal arrives while the referee waits for a bot that does not answer.
    let mut stop = |progress: &Progress<'_>| {
        if let Progress::Moved { turn: 3, .. } = progress {
            std::thread::spawn(|| {
                std::thread::sleep(std::time::Duration::from_millis(100));
                signal_hook::low_level::raise(signal_hook::consts::SIGTERM).unwrap();
            });
        }
    };
    let played = play(&mut *table, &mut bots, &spec, &interrupt, Some(&mut writer), &mut stop);
    assert!(matches!(played, Err(RefereeError::Interrupted)), "{played:?}");
    assert!(interrupt.is_raised());
    for group in groups {
        assert_eq!(living_members(group), [0; 0]);
    }
    drop(writer);
    let replay = String::from_utf8(replay).unwrap();
    assert!(replay.contains(r#""type":"move""#) && !replay.contains(r#""type":"end""#));
    // No bot can be started after that.
    let started = bots[0].start(&spec.limits, &interrupt);
    assert!(matches!(started, Err(StartError::Interrupted)), "{started:?}");
    assert_eq!(bots[0].process_group(), None);
}

#[test]
fn a_panic_leaves_nothing() {
    let group = std::sync::atomic::AtomicI32::new(0);
    let panicked = std::panic::catch_unwind(|| {
        let spec = spec(&[0, 0, 0]);
        let mut bots = [misbehaving("a", "child", 1)];
        start_all(&mut bots, &spec.limits, &no_interrupt()).unwrap();
        group.store(bots[0].process_group().unwrap(), std::sync::atomic::Ordering::SeqCst);
        let no_replay = None::<&mut ReplayWriter<Vec<u8>>>;
        let mut observer = |progress: &Progress<'_>| {
            assert!(!matches!(progress, Progress::Moved { turn: 2, .. }), "as planned");
        };
        let interrupt = no_interrupt();
        let _ = play(&mut *dice(50, 50), &mut bots, &spec, &interrupt, no_replay, &mut observer);
    });
    assert!(panicked.is_err());
    let group = group.into_inner();
    assert_ne!(group, 0);
    assert_eq!(living_members(group), [0; 0]);
}

#[test]
fn a_replay_that_cannot_be_written_is_the_hosts_failure() {
    /// A disk with space for the header and little more.
    struct FullDisk(usize);
    impl std::io::Write for FullDisk {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            if bytes.len() > self.0 {
                return Err(std::io::ErrorKind::StorageFull.into());
            }
            self.0 -= bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let spec = spec(&[0, 0, 0]);
    let mut table = dice(1000, 1000);
    let mut bots = good(&["a"]);
    let interrupt = no_interrupt();
    start_all(&mut bots, &spec.limits, &interrupt).unwrap();
    let header = spec.header(&*table, &bots);
    let mut writer = ReplayWriter::new(FullDisk(20_000), &header).unwrap();
    let played = play(&mut *table, &mut bots, &spec, &interrupt, Some(&mut writer), &mut |_| {});
    assert!(matches!(played, Err(RefereeError::Host(_))), "{played:?}");
    assert_eq!(bots[0].process_group(), None);
}

#[test]
fn what_cannot_be_played_is_refused_before_it_begins() {
    let interrupt = no_interrupt();
    let mut bots = good(&["a", "b"]);
    start_all(&mut bots, &Limits::default(), &interrupt).unwrap();
    let cases: [(GameSpec<'_>, &str); 5] = [
        (spec(&[0, 1]), "expected a bot for each of the 3 seats (north, east, south), got 2"),
        (spec(&[0, 1, 2]), "one of the 2 bots in each seat"),
        (spec(&[0, 0, 0]), "the bot b has no seat"),
        (GameSpec { time: move_time(0), ..spec(&[0, 1, 1]) }, "time per move of at least 1 ms"),
        (GameSpec { opening: Some("{}"), ..spec(&[0, 1, 1]) }, "not an opening of pig"),
    ];
    for (spec, message) in cases {
        let no_replay = None::<&mut ReplayWriter<Vec<u8>>>;
        let mut table = dice(12, 30);
        let played = play(&mut *table, &mut bots, &spec, &interrupt, no_replay, &mut |_| {});
        let error = played.expect_err(message).to_string();
        assert!(error.contains(message), "{error}");
    }
    let options = [("depth", "12", "from 1 to 9"), ("dept", "3", "did you mean depth?")];
    for (name, value, message) in options {
        let mut command = misbehaving("a", "hello_with_options", 1).command().clone();
        command.options.insert(name.to_string(), value.to_string());
        let error = Bot::new(command).start(&Limits::default(), &interrupt).unwrap_err();
        assert!(matches!(error, StartError::Option { .. }), "{error:?}");
        assert!(error.to_string().contains(message), "{error}");
    }
}

/// The dice race with a `start` line that is larger than any pipe buffer.
struct Bulky(Box<dyn Table>);

impl Table for Bulky {
    fn setup(&self, _: Seat) -> String {
        format!("\"{}\"", "x".repeat(4 * 1024 * 1024))
    }
    fn game(&self) -> &'static str {
        self.0.game()
    }
    fn rules(&self) -> Value {
        self.0.rules()
    }
    fn seats(&self) -> &[String] {
        self.0.seats()
    }
    fn has_secrets(&self) -> bool {
        self.0.has_secrets()
    }
    fn open(&mut self, stream: &mut Stream) -> GameEvent {
        self.0.open(stream)
    }
    fn open_with(&mut self, opening: &str) -> Result<GameEvent, botyard_engine::ActionError> {
        self.0.open_with(opening)
    }
    fn turn(&self) -> Turn {
        self.0.turn()
    }
    fn write_view(&self, seat: Seat, into: &mut Vec<u8>) {
        self.0.write_view(seat, into);
    }
    fn write_legal(&mut self, into: &mut Vec<u8>) {
        self.0.write_legal(into);
    }
    fn legal(&mut self) -> Vec<Value> {
        self.0.legal()
    }
    fn play(
        &mut self,
        action: &str,
        game_event: &mut GameEvent,
    ) -> Result<(), botyard_engine::ActionError> {
        self.0.play(action, game_event)
    }
    fn draw(&mut self, stream: &mut Stream, game_event: &mut GameEvent) {
        self.0.draw(stream, game_event);
    }
    fn play_chance(
        &mut self,
        chance: &str,
        game_event: &mut GameEvent,
    ) -> Result<(), botyard_engine::ActionError> {
        self.0.play_chance(chance, game_event)
    }
    fn forfeit(&mut self, seat: Seat) {
        self.0.forfeit(seat);
    }
    fn pass(&self) -> String {
        self.0.pass()
    }
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }
    fn state_hash(&self) -> String {
        self.0.state_hash()
    }
    fn state(&self) -> Value {
        self.0.state()
    }
    fn text(&self) -> String {
        self.0.text()
    }
    fn action_text(&self, action: &str) -> String {
        self.0.action_text(action)
    }
    fn chance_text(&self, chance: &str) -> String {
        self.0.chance_text(chance)
    }
}

#[test]
fn a_bot_that_never_reads_does_not_hang_the_referee() {
    // A bot that reads receives the whole line.
    let (report, _) = recorded(Box::new(Bulky(dice(6, 20))), &mut good(&["a"]), &spec(&[0, 0, 0]));
    assert_eq!(report.faults, []);
    let mut spec = spec(&[0, 0, 0]);
    let mut bots = [misbehaving("a", "deaf", 1)];
    start_all(&mut bots, &spec.limits, &no_interrupt()).unwrap();
    spec.limits.setup_ms = 300;
    let (report, _) = recorded(Box::new(Bulky(dice(6, 20))), &mut bots, &spec);
    let [fault] = &report.faults[..] else { panic!("{:?}", report.faults) };
    assert_eq!((fault.kind, fault.turn), (FaultKind::Timeout, 0));
    assert!(fault.message.contains("read its input within 300 ms"), "{}", fault.message);
}
