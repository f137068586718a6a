//! The cost of containment: the time to start a program, until it has written its first byte, and
//! the time to kill it, until its last process has ended. In each tier, against an uncontained
//! program.
//!
//!     cargo bench -p botyard-sandbox --bench spawn

use botyard_sandbox::{Contained, Launch, Launcher, ResourceLimits, Tier};
use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const CHECKER: &str = env!("CARGO_BIN_EXE_botyard-sandbox-checker");
const RUNS: usize = 200;

fn main() {
    let mut tiers = vec![Tier::None];
    for tier in [Tier::A, Tier::B, Tier::C] {
        match contained(tier) {
            Ok(_) => tiers.push(tier),
            Err(error) => println!("tier {tier}: NOT MEASURED on this host: {error}"),
        }
    }
    let mut starts = vec![Vec::new(); tiers.len()];
    let mut ends = starts.clone();
    // In turn, so that other load on the machine affects all of them equally.
    for _ in 0..RUNS {
        for (index, &tier) in tiers.iter().enumerate() {
            let times = if tier == Tier::None { Ok(plain()) } else { contained(tier) };
            let (start, end) = times.expect("it has worked before");
            starts[index].push(start);
            ends[index].push(end);
        }
    }
    starts.iter_mut().chain(&mut ends).for_each(|times| times.sort());
    println!("a shell that writes a byte and waits: best and median of {RUNS}, in ms");
    println!("{:<16} {:>16} {:>16} {:>16}", "", "start", "more", "end");
    for (index, tier) in tiers.iter().enumerate() {
        let column = |times: &dyn Fn(usize) -> Duration| {
            let ms = |run| times(run).as_secs_f64() * 1e3;
            format!("{:.2} / {:.2}", ms(0), ms(RUNS / 2))
        };
        let more = |run: usize| starts[index][run].saturating_sub(starts[0][run]);
        let what = match tier {
            Tier::None => "not contained".to_string(),
            tier => format!("tier {tier}"),
        };
        println!(
            "{what:<16} {:>16} {:>16} {:>16}",
            column(&|run| starts[index][run]),
            column(&more),
            column(&|run| ends[index][run])
        );
    }
}

fn plain() -> (Duration, Duration) {
    let begun = Instant::now();
    let mut child = Command::new("/bin/sh")
        .args(["-c", SCRIPT])
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell");
    let mut stdout = child.stdout.take().expect("it was piped");
    stdout.read_exact(&mut [0; 1]).expect("it writes a byte");
    let started = begun.elapsed();
    let ending = Instant::now();
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    (started, ending.elapsed())
}

const SCRIPT: &str = "echo; read line";

fn contained(tier: Tier) -> Result<(Duration, Duration), String> {
    let launcher = Launcher { program: CHECKER.into(), args: vec!["launch".into()] };
    let launch = Launch {
        tier,
        program: "/bin/sh".into(),
        args: vec!["-c".into(), SCRIPT.into()],
        directory: "/".into(),
        readable: Vec::new(),
        own: Vec::new(),
        writable: Vec::new(),
        hidden: Vec::new(),
        children: true,
        limits: ResourceLimits::default(),
    };
    let begun = Instant::now();
    let (mut program, pipes) =
        Contained::spawn(&launcher, &launch, &[]).map_err(|error| error.to_string())?;
    let mut stdout = File::from(pipes.stdout);
    // The pipe is non-blocking, so this polls until the byte arrives.
    while stdout.read(&mut [0; 1]).is_err() {
        std::thread::yield_now();
    }
    let started = begun.elapsed();
    let ending = Instant::now();
    program.tear_down().map_err(|error| error.to_string())?;
    Ok((started, ending.elapsed()))
}
