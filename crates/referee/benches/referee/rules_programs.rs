//! The cost of rules that are a program: drawn games of Connect Four, with 42 plies each, whose rules are
//! built in, a program in Rust, and one in Python. They take turns, so that other load affects all alike.
//!
//! `rules ROUNDS GAMES`: this number of rounds, of this number of games each.

use crate::{PLAIN, bot, cpu_time, pin_to_one_core, spec};
use botyard_engine::Table;
use botyard_engine::connect_four::ConnectFour;
use botyard_engine::registry::{self, LoadedGame, TableMaker};
use botyard_protocol::{RefereeLine, parse_referee_line, write_move_line};
use botyard_referee::{Bot, BotCommand, Interrupt, LineProgram, play, start_all};
use botyard_replay::ReplayWriter;
use botyard_rules::{ProgramGame, RulesLimits, Transport};
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A drawn game: the columns in order.
const DRAW: [u8; 42] = [
    5, 4, 7, 1, 2, 5, 6, 6, 2, 2, 6, 1, 2, 7, 1, 2, 6, 6, 2, 1, 5, 7, 4, 3, 7, 7, 1, 5, 7, 6, 3, 1,
    5, 3, 5, 3, 3, 3, 4, 4, 4, 4,
];

/// Speaks the rules protocol for Connect Four.
pub(crate) fn connect_four() -> ExitCode {
    botyard_rules::serve::<ConnectFour>("1.0.0")
}

/// A bot that plays its part of the drawn game without reading the view.
pub(crate) fn drawing_bot() -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut out = io::stdout().lock();
    let (mut line, mut answer) = (Vec::new(), Vec::new());
    while input.read_until(b'\n', &mut line)? > 0 {
        answer.clear();
        match parse_referee_line(line.trim_ascii_end()).map_err(io::Error::other)? {
            RefereeLine::Hello(_) => answer.extend_from_slice(
                b"{\"type\":\"hello\",\"protocol\":1,\"name\":\"draws\",\"games\":[]}\n",
            ),
            RefereeLine::Start(_) => answer.extend_from_slice(b"{\"type\":\"ready\"}\n"),
            RefereeLine::Turn(turn) => {
                let column = DRAW[(turn.turn as usize + DRAW.len() - 1) % DRAW.len()];
                let action = format!("{{\"column\":{column}}}");
                write_move_line(&mut answer, turn.turn, action.as_bytes(), None);
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

struct Program(LineProgram);

impl Transport for Program {
    fn exchange(
        &mut self,
        request: &[u8],
        answer: &mut Vec<u8>,
        limit: Duration,
    ) -> Result<(), String> {
        self.0.exchange(request, answer, limit)
    }
}

/// Returns a maker of tables over a program with this command line.
fn tables_over(program: &Path, argument: &str) -> io::Result<TableMaker> {
    let command = BotCommand {
        name: "connect-four".into(),
        program: program.into(),
        args: vec![argument.into()],
        ..BotCommand::default()
    };
    let interrupt = Interrupt::new()?;
    let limits = RulesLimits::default();
    let start = move || {
        let started = LineProgram::start(Bot::new(command.clone()), limits.line_bytes, &interrupt);
        let program: Box<dyn Transport> = Box::new(Program(started.map_err(|e| e.to_string())?));
        Ok(program)
    };
    let identity = ("connect-four", "0");
    let game = ProgramGame::new(identity, "", Vec::new(), Arc::new(start), limits);
    game.map_err(io::Error::other)?.tables(None, &[]).map_err(io::Error::other)
}

/// What was measured of some games.
#[derive(Clone, Copy, Default)]
struct Measured {
    /// The best rate of a round, in plies per second.
    rate: f64,
    /// The referee's CPU time, in microseconds per ply of all rounds.
    cpu_us: f64,
    /// The time in which the table waited for its program, in microseconds per ply of all rounds.
    rules_us: f64,
}

/// Compares the three.
pub(crate) fn measure() -> io::Result<()> {
    let argument = |index, default| {
        std::env::args().nth(index).map_or(Ok(default), |text| text.parse::<u32>())
    };
    let rounds = argument(2, 10).map_err(io::Error::other)?;
    let games = argument(3, 200).map_err(io::Error::other)?;
    pin_to_one_core();
    let python = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/referee/connect_four.py");
    let own = std::env::current_exe()?;
    let built_in = registry::tables("connect-four", None, &[]).map_err(io::Error::other)?;
    let ways = [
        ("built in", built_in),
        ("a program in Rust", tables_over(&own, "connect-four")?),
        ("a program in Python", tables_over(Path::new("/usr/bin/python3"), python)?),
    ];
    let mut measured = [Measured::default(); 3];
    for _ in 0..rounds {
        for (measured, (_, tables)) in measured.iter_mut().zip(&ways) {
            let round = play_games(&mut *tables(), games)?;
            measured.rate = measured.rate.max(round.rate);
            measured.cpu_us += round.cpu_us / f64::from(rounds);
            measured.rules_us += round.rules_us / f64::from(rounds);
        }
    }
    println!("Connect Four, games of {} plies; all on one core; best of {rounds}", DRAW.len());
    for ((name, _), this) in ways.iter().zip(&measured) {
        println!(
            "{name:<20}{:>8.0} plies/s, {:.2} of built in; the referee's CPU time {:.2} us per ply, {:.2} of \
             built in; waits {:.2} us per ply for the rules",
            this.rate,
            this.rate / measured[0].rate,
            this.cpu_us,
            this.cpu_us / measured[0].cpu_us,
            this.rules_us
        );
    }
    Ok(())
}

fn play_games(table: &mut dyn Table, games: u32) -> io::Result<Measured> {
    let interrupt = Interrupt::new()?;
    let mut bots = [bot("first", "bot-draws", PLAIN)?, bot("second", "bot-draws", PLAIN)?];
    let spec = spec(&[0, 1]);
    start_all(&mut bots, &spec.limits, &interrupt).map_err(io::Error::other)?;
    let (start, cpu) = (Instant::now(), cpu_time());
    let (mut plies, mut rules) = (0, Duration::ZERO);
    for _ in 0..games {
        let file = tempfile::tempfile()?;
        let mut replay = ReplayWriter::new(file, &spec.header(table, &bots))?;
        let report = play(table, &mut bots, &spec, &interrupt, Some(&mut replay), &mut |_| {})
            .map_err(io::Error::other)?;
        assert_eq!((report.turns, report.faults.len()), (42, 0), "{:?}", report.faults);
        plies += report.turns;
        rules += table.rules_time().unwrap_or_default();
    }
    let (elapsed, cpu) = (start.elapsed(), cpu_time() - cpu);
    Bot::quit_all(&mut bots, &spec.limits).map_err(io::Error::other)?;
    let per_ply = |time: Duration| time.as_secs_f64() * 1e6 / f64::from(plies);
    Ok(Measured {
        rate: f64::from(plies) / elapsed.as_secs_f64(),
        cpu_us: per_ply(cpu),
        rules_us: per_ply(rules),
    })
}
