//! A referee for tests to kill: it starts a contained bot, prints `ready` when the bot has started
//! all its processes, and waits.

use botyard_sandbox::{Contained, Launch, Launcher, MIB, ResourceLimits};
use std::fs::File;
use std::io::{Read, Write};
use std::process::ExitCode;

/// A referee's messages to a bot, as far as the bot of this program reads them.
const QUESTIONS: &str = r#"{"type":"hello","protocol":1}
{"type":"start","rules":{}}
{"type":"turn","turn":1,"legal":[1]}
"#;

/// Starts the bot and waits.
pub fn run(tier: &str, token: &str, mode: &str) -> ExitCode {
    let program = std::env::current_exe().expect("the path of this program");
    let launch = Launch {
        tier: tier.parse().expect("a tier"),
        args: [mode, "1", token, "/", "0"].map(Into::into).into(),
        directory: "/".into(),
        readable: vec![program.clone()],
        program,
        own: Vec::new(),
        writable: Vec::new(),
        hidden: Vec::new(),
        children: true,
        limits: ResourceLimits { memory: 256 * MIB, processes: 100, ..ResourceLimits::default() },
    };
    let launcher = Launcher::this_program(&["launch"]);
    let (_bot, pipes) = Contained::spawn(&launcher, &launch, &[]).expect("a bot");
    File::from(pipes.stdin).write_all(QUESTIONS.as_bytes()).expect("room in the pipe");
    let mut output = String::new();
    let mut stdout = File::from(pipes.stdout);
    while !output.contains("\"ready\"") || !output.contains("\"log\"") {
        let mut piece = [0; 4096];
        match stdout.read(&mut piece) {
            Ok(0) => break,
            Ok(count) => output.push_str(&String::from_utf8_lossy(&piece[..count])),
            Err(_) => std::thread::sleep(std::time::Duration::from_millis(1)),
        }
    }
    println!("ready");
    std::thread::sleep(std::time::Duration::from_secs(600));
    ExitCode::FAILURE
}
