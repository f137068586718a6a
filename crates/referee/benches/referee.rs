//! The cost of a ply under the referee, compared with the same messages without a referee.
//!
//! Everything runs on one core, as games do when as many are played as there are cores. Peers and
//! bots are this same program, started again with an argument.
//!
//! * bytes: lines of the size of a `turn` and of a `move`, round trip over two pipes, not parsed.
//!   The cost of the operating system.
//! * JSON: the same lines, parsed into a value and serialized again at both ends. The cost for any
//!   program that exchanges JSON lines with another.
//! * refereed: a game between two bots that answer immediately, with everything a referee does:
//!   views, legal lists, clocks, strict parsing, legality, and the replay with its chain of hashes
//!   in a file.
//! * fresh bots: short refereed games, each with two newly started programs, compared with two such
//!   programs that are started, sent `quit` and waited for.
//! * verdict: the delay from the deadline of a bot that does not answer to the verdict.
//! * teardown: the time to kill a bot that has started 63 more processes, until none of them is
//!   left.
//!
//! The last four are repeated with contained bots, in each tier that this host offers, compared
//! with the same without a sandbox; and so are games with frozen bots.
//!
//! With the argument `rules` it compares games whose rules are programs with the same built in: see
//! `referee/rules_programs.rs`.

#[path = "referee/rules_programs.rs"]
mod rules_programs;

use botyard_engine::game::{Game, Illegal, Preset, Turn};
use botyard_engine::random::Rng;
use botyard_engine::{Outcome, RulesError, Seat, Table, TypedTable};
use botyard_protocol::{
    ClockKind, Limits, OnFault, RefereeLine, TimeControl, parse_referee_line, write_move_line,
};
use botyard_referee::{
    Advice, Bot, BotCommand, BotFiles, Containment, GameSpec, Interrupt, ThisHost, play, start_all,
};
use botyard_replay::ReplayWriter;
use botyard_sandbox::{Host, Launcher, ResourceLimits, Tier};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

const PLIES: u32 = 200_000;
const FRESH_GAMES: u32 = 500;
const ROUNDS: usize = 3;
const SHORT_PLIES: u32 = 40_000;
const SHORT_ROUNDS: usize = 12;

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    match std::env::args().nth(1).as_deref() {
        Some("launch") => return Ok(botyard_sandbox::serve_launcher()),
        Some("peer-bytes") => answer_bytes()?,
        Some("peer-json") => answer_json()?,
        Some("bot") => instant_bot(true)?,
        Some("bot-silent") => instant_bot(false)?,
        Some("bot-spins") => spinning_bot()?,
        Some("bot-crowd") => crowd()?,
        Some("fresh") => fresh_alone()?,
        Some("plies") => plies_alone()?,
        Some("bot-draws") => rules_programs::drawing_bot()?,
        Some("connect-four") => return Ok(rules_programs::connect_four()),
        Some("rules") => rules_programs::measure()?,
        _ => measure()?,
    }
    Ok(ExitCode::SUCCESS)
}

fn measure() -> io::Result<()> {
    let all_cores = rustix::thread::sched_getaffinity(None)?;
    pin_to_one_core();
    let (turn, answer) = lines();
    println!(
        "turn lines of {} bytes, move lines of {}; all on one core; best of {ROUNDS}, games of {SHORT_ROUNDS}",
        turn.len(),
        answer.len()
    );
    let best = |run: &dyn Fn() -> io::Result<f64>| -> io::Result<f64> {
        (0..ROUNDS).try_fold(0.0, |best: f64, _| Ok(best.max(run()?)))
    };
    let bytes = best(&|| ping_pong("peer-bytes", &turn, false))?;
    let json = best(&|| ping_pong("peer-json", &turn, true))?;
    let host = Host::detect(&launcher()).map_err(io::Error::other)?;
    let tiers: Vec<Tier> =
        [Tier::A, Tier::B, Tier::C].into_iter().filter(|&t| host.offers(t)).collect();
    let mut ways = vec![PLAIN, How { freeze: true, ..PLAIN }];
    for &tier in &tiers {
        ways.extend([How { tier, freeze: false }, How { tier, freeze: true }]);
    }
    let games = best_games(&ways, SHORT_ROUNDS)?;
    let game = games[0];
    let bare = bare_programs()?;
    let row =
        |name: &str, rate: f64| println!("{name:<22}{rate:>10.0} plies/s{:>8.2} us", 1e6 / rate);
    row("bytes, round trip", bytes);
    row("JSON, round trip", json);
    row("refereed", game.rate);
    println!("refereed / JSON       {:>10.2}", game.rate / json);
    println!("refereed / bytes      {:>10.2}", game.rate / bytes);
    println!("referee's own CPU     {:>10.2} us per ply", game.cpu_us);
    println!("referee's peak memory {:>10.1} MB", peak_memory_mb());
    let fresh = fresh_games(PLAIN, FRESH_GAMES)?;
    println!("games of fresh bots   {fresh:>10.0} games/s (two programs each)");
    println!("two bare programs     {bare:>10.0} /s; fresh games / bare {:.2}", fresh / bare);
    ends(PLAIN)?;
    against("refereed, frozen", &games[1], &game);
    for offer in &host.tiers {
        if let Some(obstacle) = &offer.obstacle {
            println!("\ntier {}: NOT MEASURED on this host: {}", offer.tier, obstacle.reason);
        }
    }
    for (how, contained) in ways[2..].chunks_exact(2).zip(games[2..].chunks_exact(2)) {
        let how = how[0];
        println!("\ntier {}, compared with no sandbox", how.tier);
        against("refereed", &contained[0], &game);
        against("refereed, frozen", &contained[1], &games[1]);
        let own = fresh_games(how, FRESH_GAMES)?;
        println!(
            "games of fresh bots   {own:>10.0} games/s, {:+.2} ms per bot; contained / not {:.2}",
            (1e3 / own - 1e3 / fresh) / 2.0,
            own / fresh
        );
        ends(how)?;
    }
    rustix::thread::sched_setaffinity(None, &all_cores)?;
    crowded()
}

/// Plays only games of fresh bots: `fresh TIER GAMES CORES`, the tier `none`, `A`, `B` or `C`, and on
/// one core or on all. For comparing two builds by short runs in turn on a busy machine.
fn fresh_alone() -> io::Result<()> {
    let argument = |index| std::env::args().nth(index);
    let tier = argument(2).map_or(Ok(Tier::B), |tier| tier.parse()).map_err(io::Error::other)?;
    let games = argument(3).map_or(Ok(FRESH_GAMES), |games| games.parse());
    let games = games.map_err(io::Error::other)?;
    if argument(4).is_none_or(|cores| cores == "1") {
        pin_to_one_core();
    }
    let how = How { tier, freeze: false };
    let before = cpu_time_with_children()?;
    let rate = fresh_games(how, games)?;
    let cpu = cpu_time_with_children()? - before;
    let cpu_ms = cpu.as_secs_f64() * 1e3 / f64::from(games);
    println!("tier {tier}: {rate:.1} games/s, {:.2} ms; {cpu_ms:.2} ms of CPU time", 1e3 / rate);
    Ok(())
}

/// Plays only long games: `plies ROUNDS`, without a sandbox and in the tiers A and B, with bots that
/// ponder and bots that are stopped. For comparing two builds by short runs in turn.
fn plies_alone() -> io::Result<()> {
    let rounds = std::env::args().nth(2).map_or(Ok(SHORT_ROUNDS), |rounds| rounds.parse());
    pin_to_one_core();
    let ways = [Tier::None, Tier::A, Tier::B]
        .map(|tier| [How { tier, freeze: false }, How { tier, freeze: true }])
        .concat();
    let games = best_games(&ways, rounds.map_err(io::Error::other)?)?;
    for (how, game) in ways.iter().zip(&games) {
        against(
            &format!("tier {}, {}", how.tier, if how.freeze { "stopped" } else { "ponder" }),
            game,
            &games[0],
        );
    }
    Ok(())
}

fn against(what: &str, game: &Measured, plain: &Measured) {
    let rate = game.rate;
    println!(
        "{what:<22}{rate:>10.0} plies/s{:>8.2} us; {:+.2} us per ply; this / plain {:.2}; CPU time \
         {:.2} us, {:+.2} us",
        1e6 / rate,
        1e6 / rate - 1e6 / plain.rate,
        rate / plain.rate,
        game.all_cpu_us,
        game.all_cpu_us - plain.all_cpu_us
    );
}

/// Measures verdicts and teardowns.
fn ends(how: How) -> io::Result<()> {
    let delays = verdict_delays(how, "bot-silent", 100)?;
    print_delays("verdict after deadline", &delays, 100);
    // In tier A a bot has a single process.
    if how.tier != Tier::A {
        println!("teardown of 64        {:>10.2} ms", teardown(how)?.as_secs_f64() * 1000.0);
    }
    Ok(())
}

fn print_delays(what: &str, delays: &[u64], games: usize) {
    let at = |share: usize| delays[(delays.len() - 1) * share / 100] as f64 / 1000.0;
    println!(
        "{what:<22}{:>10.2} ms median, {:.2} ms 99th percentile, {:.2} ms maximum, of {}; {} void",
        at(50),
        at(99),
        at(100),
        delays.len(),
        games - delays.len()
    );
}

/// Measures verdicts on bots that keep every core busy, in as many simultaneous games as there are
/// cores.
fn crowded() -> io::Result<()> {
    let cores = std::thread::available_parallelism()?.get();
    let games: io::Result<Vec<Vec<u64>>> = std::thread::scope(|scope| {
        let game = || verdict_delays(PLAIN, "bot-spins", 50);
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(game)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    let mut delays = games?.concat();
    delays.sort_unstable();
    println!("\nas many simultaneous games as cores, of bots that spin");
    print_delays("verdict after deadline", &delays, cores * 50);
    Ok(())
}

/// How the bots of a game run.
#[derive(Clone, Copy)]
struct How {
    tier: Tier,
    freeze: bool,
}

const PLAIN: How = How { tier: Tier::None, freeze: false };

fn launcher() -> Launcher {
    Launcher::this_program(&["launch"])
}

/// Returns the best of many games for each of these ways, and the average CPU time of all of them,
/// which does not depend on the other load of the machine. The ways take turns, so that other load
/// affects all of them alike.
fn best_games(ways: &[How], rounds: usize) -> io::Result<Vec<Measured>> {
    let mut best = vec![Measured::default(); ways.len()];
    for _ in 0..rounds {
        for (best, &how) in best.iter_mut().zip(ways) {
            let measured = refereed(SHORT_PLIES, how)?;
            let all_cpu_us = best.all_cpu_us + measured.all_cpu_us / rounds as f64;
            if measured.rate > best.rate {
                *best = measured;
            }
            best.all_cpu_us = all_cpu_us;
        }
    }
    Ok(best)
}

/// Further measurements of one long game.
#[derive(Clone, Copy, Default)]
struct Measured {
    rate: f64,
    cpu_us: f64,
    /// CPU time of the referee and the bots together, from start to end.
    all_cpu_us: f64,
}

fn refereed(plies: u32, how: How) -> io::Result<Measured> {
    let all_cpu = cpu_time_with_children()?;
    let interrupt = Interrupt::new()?;
    let mut bots = two_bots(how)?;
    let mut table = table(plies);
    let spec = spec(&[0, 1]);
    start_all(&mut bots, &spec.limits, &interrupt).map_err(io::Error::other)?;
    let file = tempfile::tempfile()?;
    let mut replay = ReplayWriter::new(file, &spec.header(&*table, &bots))?;
    let (start, cpu) = (Instant::now(), cpu_time());
    let report = play(&mut *table, &mut bots, &spec, &interrupt, Some(&mut replay), &mut |_| {})
        .map_err(io::Error::other)?;
    let (elapsed, cpu) = (start.elapsed(), cpu_time() - cpu);
    assert_eq!((report.turns, report.faults.len()), (plies, 0), "{:?}", report.faults);
    Bot::quit_all(&mut bots, &spec.limits).map_err(io::Error::other)?;
    Ok(Measured {
        rate: f64::from(plies) / elapsed.as_secs_f64(),
        cpu_us: cpu.as_secs_f64() * 1e6 / f64::from(plies),
        all_cpu_us: (cpu_time_with_children()? - all_cpu).as_secs_f64() * 1e6 / f64::from(plies),
    })
}

/// Plays short games with newly started programs, measured until the last process is gone. Returns
/// games per second.
fn fresh_games(how: How, games: u32) -> io::Result<f64> {
    let interrupt = Interrupt::new()?;
    let spec = spec(&[0, 1]);
    let directory = tempfile::tempdir()?;
    let start = Instant::now();
    for number in 0..games {
        let mut bots = two_bots(how)?;
        let mut table = table(20);
        start_all(&mut bots, &spec.limits, &interrupt).map_err(io::Error::other)?;
        let file = std::fs::File::create(directory.path().join(number.to_string()))?;
        let mut replay = ReplayWriter::new(file, &spec.header(&*table, &bots))?;
        let report =
            play(&mut *table, &mut bots, &spec, &interrupt, Some(&mut replay), &mut |_| {})
                .map_err(io::Error::other)?;
        assert_eq!((report.turns, report.faults.len()), (20, 0), "{:?}", report.faults);
        Bot::quit_all(&mut bots, &spec.limits).map_err(io::Error::other)?;
    }
    Ok(f64::from(games) / start.elapsed().as_secs_f64())
}

/// Starts the same number of programs as [`fresh_games`] without a referee. Returns pairs per
/// second.
fn bare_programs() -> io::Result<f64> {
    let start = Instant::now();
    for _ in 0..FRESH_GAMES {
        for _ in 0..2 {
            let mut child = Command::new(std::env::current_exe()?)
                .arg("bot")
                .env_clear()
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()?;
            if let Some(mut stdin) = child.stdin.take() {
                stdin.write_all(b"{\"type\":\"quit\"}\n")?;
            }
            child.wait()?;
        }
    }
    Ok(f64::from(FRESH_GAMES) / start.elapsed().as_secs_f64())
}

/// Returns the delays of verdicts on such bots after their deadlines, in microseconds, sorted.
/// Games that are void by the host are left out.
fn verdict_delays(how: How, role: &str, games: u32) -> io::Result<Vec<u64>> {
    const CAP_MS: u64 = 10;
    let interrupt = Interrupt::new()?;
    let mut spec = spec(&[0, 1]);
    spec.time.move_ms = Some(CAP_MS);
    let mut delays = Vec::new();
    for _ in 0..games {
        let mut bots = [bot("first", role, how)?, bot("second", "bot", how)?];
        let mut table = table(20);
        start_all(&mut bots, &spec.limits, &interrupt).map_err(io::Error::other)?;
        let mut bytes = Vec::new();
        let mut replay = ReplayWriter::new(&mut bytes, &spec.header(&*table, &bots))?;
        play(&mut *table, &mut bots, &spec, &interrupt, Some(&mut replay), &mut |_| {})
            .map_err(io::Error::other)?;
        drop(replay);
        for line in bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            let line: Value = serde_json::from_slice(line)?;
            if line["type"] == "fault" {
                let taken = line["time"]["wall_us"].as_u64().unwrap_or(u64::MAX);
                delays.push(taken.saturating_sub(CAP_MS * 1000));
            }
        }
    }
    delays.sort_unstable();
    Ok(delays)
}

/// Returns the longest of a few teardowns of a bot with 63 children, without time to quit.
fn teardown(how: How) -> io::Result<Duration> {
    let interrupt = Interrupt::new()?;
    let mut longest = Duration::ZERO;
    for _ in 0..5 {
        let mut bot = bot("crowd", "bot-crowd", how)?;
        bot.start(&Limits::default(), &interrupt).map_err(io::Error::other)?;
        let start = Instant::now();
        bot.stop();
        longest = longest.max(start.elapsed());
    }
    Ok(longest)
}

/// A bot that starts 63 waiting programs and then writes `hello`.
fn crowd() -> io::Result<()> {
    let waiting = || Command::new("/bin/sleep").arg("60").stdin(Stdio::null()).spawn();
    let _children = (0..63).map(|_| waiting()).collect::<io::Result<Vec<_>>>()?;
    instant_bot(true)
}

/// Measures round trips of `turn` and `move` lines without a referee.
fn ping_pong(peer: &str, turn: &[u8], parse: bool) -> io::Result<f64> {
    let mut child = Command::new(std::env::current_exe()?)
        .arg(peer)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let pipes = child.stdin.take().zip(child.stdout.take());
    let (mut to, from) = pipes.ok_or_else(|| io::Error::other("no pipes"))?;
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    let question: Value = serde_json::from_slice(turn)?;
    let start = Instant::now();
    for _ in 0..PLIES {
        if parse {
            line.clear();
            serde_json::to_writer(&mut line, &question)?;
            line.push(b'\n');
            to.write_all(&line)?;
        } else {
            to.write_all(turn)?;
        }
        line.clear();
        from.read_until(b'\n', &mut line)?;
        if parse {
            let _: Value = serde_json::from_slice(&line)?;
        }
    }
    let elapsed = start.elapsed();
    drop(to);
    child.wait()?;
    Ok(f64::from(PLIES) / elapsed.as_secs_f64())
}

fn answer_bytes() -> io::Result<()> {
    let (_, answer) = lines();
    let (mut input, mut out) = (io::stdin().lock(), io::stdout().lock());
    let mut line = [0; 4096];
    while input.read(&mut line)? > 0 {
        out.write_all(&answer)?;
        out.flush()?;
    }
    Ok(())
}

fn answer_json() -> io::Result<()> {
    let (_, answer) = lines();
    let answer: Value = serde_json::from_slice(&answer)?;
    let mut input = io::stdin().lock();
    let mut out = BufWriter::new(io::stdout().lock());
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        let _: Value = serde_json::from_slice(&line)?;
        serde_json::to_writer(&mut out, &answer)?;
        out.write_all(b"\n")?;
        out.flush()?;
        line.clear();
    }
    Ok(())
}

/// A bot that never finishes thinking about its first move.
fn spinning_bot() -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        match parse_referee_line(line.trim_ascii_end()).map_err(io::Error::other)? {
            RefereeLine::Hello(_) => io::stdout().write_all(
                b"{\"type\":\"hello\",\"protocol\":1,\"name\":\"spins\",\"games\":[]}\n",
            )?,
            RefereeLine::Start(_) => io::stdout().write_all(b"{\"type\":\"ready\"}\n")?,
            RefereeLine::Turn(_) => {
                let begun = Instant::now();
                while begun.elapsed() < Duration::from_secs(10) {}
            }
            _ => {}
        }
        line.clear();
    }
    Ok(())
}

/// A bot that plays the first legal action without reading the view, or never plays.
fn instant_bot(plays: bool) -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut out = io::stdout().lock();
    let (mut line, mut answer) = (Vec::new(), Vec::new());
    while input.read_until(b'\n', &mut line)? > 0 {
        answer.clear();
        match parse_referee_line(line.trim_ascii_end()).map_err(io::Error::other)? {
            RefereeLine::Hello(_) => answer.extend_from_slice(
                b"{\"type\":\"hello\",\"protocol\":1,\"name\":\"instant\",\"games\":[]}\n",
            ),
            RefereeLine::Start(_) => answer.extend_from_slice(b"{\"type\":\"ready\"}\n"),
            RefereeLine::Turn(turn) if plays => {
                let legal = turn.legal.map_or("", |legal| legal.get());
                let first = legal.trim_start_matches('[').split(']').next().unwrap_or_default();
                let first = first.split_inclusive('}').next().unwrap_or_default();
                write_move_line(&mut answer, turn.turn, first.as_bytes(), None);
            }
            RefereeLine::Quit => return Ok(()),
            _ => {}
        }
        out.write_all(&answer)?;
        out.flush()?;
        line.clear();
    }
    Ok(())
}

fn two_bots(how: How) -> io::Result<[Bot; 2]> {
    Ok([bot("first", "bot", how)?, bot("second", "bot", how)?])
}

/// Returns this program as a bot.
fn bot(name: &str, role: &str, how: How) -> io::Result<Bot> {
    let command = BotCommand {
        name: name.into(),
        program: std::env::current_exe()?,
        args: vec![role.into()],
        ..BotCommand::default()
    };
    let own = [std::env::current_exe()?];
    let containment = Containment {
        files: BotFiles::of(&command, &own),
        tier: how.tier,
        launcher: launcher(),
        limits: ResourceLimits { processes: 128, ..ResourceLimits::default() },
        hidden: Vec::new(),
        advice: Advice::default(),
    };
    let contained = (how.tier != Tier::None).then_some(containment);
    Ok(Bot::new(command).contained(contained).with_freeze(how.freeze))
}

fn spec(seats: &[usize]) -> GameSpec<'_> {
    GameSpec {
        game_id: "bench",
        seed: 1.into(),
        time: TimeControl {
            kind: ClockKind::Wall,
            move_ms: Some(10_000),
            bank_ms: None,
            increment_ms: 0,
            grace_ms: 0,
            on_fault: OnFault::Forfeit,
        },
        limits: Limits { stdout_bytes: 1 << 40, ..Limits::default() },
        send_legal: true,
        opening: None,
        seats,
        gauge: &ThisHost,
        void_at: None,
        adjudicator: None,
    }
}

/// Returns a `turn` line and a `move` line of the game below.
fn lines() -> (Vec<u8>, Vec<u8>) {
    let mut table = table(10);
    table.open(&mut botyard_engine::Stream::new(1, "opening"));
    let (mut view, mut legal, mut turn, mut answer) = (vec![], vec![], vec![], vec![]);
    table.write_view(Seat::new(0), &mut view);
    table.write_legal(&mut legal);
    let clock = botyard_protocol::Clock {
        kind: ClockKind::Wall,
        move_ms: Some(10_000),
        bank_ms: None,
        increment_ms: 0,
    };
    botyard_protocol::write_turn_line(&mut turn, 100_000, "left", &view, Some(&legal), &clock);
    write_move_line(&mut answer, 100_000, br#"{"step":1}"#, None);
    (turn, answer)
}

fn pin_to_one_core() {
    let mut cores = rustix::thread::CpuSet::new();
    cores.set(rustix::thread::sched_getcpu());
    if let Err(error) = rustix::thread::sched_setaffinity(None, &cores) {
        println!("not pinned to one core: {error}");
    }
}

/// Returns the CPU time of this process alone, user and system.
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Returns the same with the CPU time of the children that were waited for, in clock ticks.
fn cpu_time_with_children() -> io::Result<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    // utime, stime, cutime and cstime are the 12th to 15th fields after the name.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(4);
    let ticks: u64 = fields.filter_map(|field| field.parse::<u64>().ok()).sum();
    Ok(Duration::from_micros(ticks * 1_000_000 / rustix::param::clock_ticks_per_second()))
}

fn peak_memory_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().map_or(f64::NAN, |kib: f64| kib / 1024.0)
}

fn table(plies: u32) -> Box<dyn Table> {
    Box::new(TypedTable::new(Arc::new(Walk::under(WalkRules { plies }))))
}

/// A game with minimal rules and messages of the usual size: two seats step alternately until the
/// game is over. Its rules cost almost nothing, so that the measurement is of the referee.
struct Walk {
    rules: WalkRules,
    seats: [String; 2],
}

impl Walk {
    fn under(rules: WalkRules) -> Walk {
        Walk { rules, seats: ["left".into(), "right".into()] }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct WalkRules {
    plies: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct WalkState {
    ply: u32,
    at: [u32; 2],
    board: [u8; 32],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
struct Step {
    step: u32,
}

impl Game for Walk {
    type Rules = WalkRules;
    type Opening = ();
    type State = WalkState;
    type Action = Step;
    type Chance = botyard_engine::NoChance;
    type View = WalkState;
    type Setup = ();
    type Information = botyard_engine::PerfectInformation;
    type Notation = botyard_engine::JsonOnly;

    const SEATS: std::ops::RangeInclusive<usize> = 2..=2;
    const NAME: &'static str = "walk";
    const ABOUT: &'static str = "Steps, for benchmarks.";
    const PRESETS: &'static [Preset] = &[Preset { name: "walk", about: "short" }];

    fn preset(name: &str) -> Option<WalkRules> {
        (name == "walk").then_some(WalkRules { plies: 100 })
    }
    fn new(rules: WalkRules) -> Result<Walk, RulesError> {
        Ok(Walk::under(rules))
    }
    fn rules(&self) -> &WalkRules {
        &self.rules
    }
    fn seats(&self) -> &[String] {
        &self.seats
    }
    fn draw_opening<R: Rng>(&self, _: &mut R) {}
    fn start(&self, (): &()) -> Result<WalkState, Illegal> {
        Ok(WalkState { ply: 0, at: [0; 2], board: [7; 32] })
    }
    fn setup(&self, _: &WalkState, _: Seat) {}
    fn turn(&self, state: &WalkState) -> Turn {
        if state.ply >= self.rules.plies {
            Turn::Over
        } else {
            Turn::Seat(Seat::new(state.ply as usize % 2))
        }
    }
    fn actions(&self, _: &WalkState, into: &mut Vec<Step>) {
        into.clear();
        into.extend((1..=8).map(|step| Step { step }));
    }
    fn check(&self, _: &WalkState, action: Step) -> Result<(), Illegal> {
        if (1..=8).contains(&action.step) { Ok(()) } else { Err(Illegal("1 to 8".into())) }
    }
    fn apply(&self, state: &mut WalkState, action: Step) {
        state.at[state.ply as usize % 2] = (state.at[state.ply as usize % 2] + action.step) % 100;
        state.ply += 1;
    }
    fn outcome(&self, state: &WalkState) -> Option<Outcome> {
        (state.ply >= self.rules.plies).then(|| Outcome::draw(2, "over"))
    }
    fn forfeit(&self, state: &mut WalkState, _: Seat) {
        state.ply = self.rules.plies;
    }
    fn view(&self, state: &WalkState, _: Seat) -> WalkState {
        state.clone()
    }
    fn determinize<R: Rng>(
        &self,
        view: &WalkState,
        _: Seat,
        _: &mut R,
    ) -> Result<WalkState, Illegal> {
        Ok(view.clone())
    }
    fn text(&self, state: &WalkState) -> String {
        format!("{:?}", state.at)
    }
    fn action_text(&self, _: &WalkState, action: Step) -> String {
        format!("{} steps", action.step)
    }
}
