//! What containing a program costs: from the order to start it until it has written its first
//! byte, and from the order to end it until nothing of it is left. In each tier, against a program
//! that is not contained. Medians, because other programs of the machine disturb a few.
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
    let plain = median(|| {
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
    });
    println!("a shell that writes a byte and waits; medians of {RUNS}");
    println!("{:<16} {:>10} {:>8} {:>10}", "", "start", "more", "end");
    print("not contained", plain, plain);
    for tier in [Tier::A, Tier::B] {
        let mut failed = None;
        let times = median(|| {
            contained(tier).unwrap_or_else(|error| {
                failed = Some(error);
                Default::default()
            })
        });
        match failed {
            Some(error) => println!("tier {tier}: NOT MEASURED on this host: {error}"),
            None => print(&format!("tier {tier}"), times, plain),
        }
    }
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
        writable: Vec::new(),
        hidden: Vec::new(),
        limits: ResourceLimits::default(),
    };
    let begun = Instant::now();
    let (mut program, pipes) =
        Contained::spawn(&launcher, &launch, &[]).map_err(|error| error.to_string())?;
    let mut stdout = File::from(pipes.stdout);
    // Its end of the pipe never waits, so this asks again until the byte is there.
    while stdout.read(&mut [0; 1]).is_err() {
        std::thread::yield_now();
    }
    let started = begun.elapsed();
    let ending = Instant::now();
    program.tear_down().map_err(|error| error.to_string())?;
    Ok((started, ending.elapsed()))
}

fn median(mut run: impl FnMut() -> (Duration, Duration)) -> (Duration, Duration) {
    let (mut starts, mut ends): (Vec<_>, Vec<_>) = (0..RUNS).map(|_| run()).unzip();
    starts.sort();
    ends.sort();
    (starts[RUNS / 2], ends[RUNS / 2])
}

fn print(what: &str, times: (Duration, Duration), plain: (Duration, Duration)) {
    let ms = |time: Duration| format!("{:.2} ms", time.as_secs_f64() * 1e3);
    let more = times.0.saturating_sub(plain.0);
    println!("{what:<16} {:>10} {:>8} {:>10}", ms(times.0), ms(more), ms(times.1));
}
