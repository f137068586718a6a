//! A program that attempts what a contained program must not be able to do, and what it must, and
//! prints the result of each attempt. It is also its own launcher.
//!
//!     checker launch                      be the launcher
//!     checker all PLACE REFEREE           try every operation; a line each: name, tab, result
//!     checker NAME PLACE REFEREE          try one operation
//!     checker referee TIER PLACE          start a program that sleeps, print its PID, and wait
//!     checker referee-that-prepares TIER PLACE
//!                                         contain a program without running it, print the PIDs of
//!                                         its processes, and wait
//!
//! PLACE is a directory that a test has prepared. REFEREE is the PID of the process that started
//! the launcher. No operation does harm where it works.
#![allow(unsafe_code)] // Forbidden operations have no safe wrappers.

#[cfg(target_os = "linux")]
mod trial;

#[cfg(target_os = "linux")]
use std::process::ExitCode;
#[cfg(target_os = "linux")]
use trial::Target;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (name, target) = match &args[..] {
        [launch] if launch == "launch" => return botyard_sandbox::serve_launcher(),
        [referee, tier, place] if referee == "referee" => return be_a_referee(tier, place),
        [referee, tier, place] if referee == "referee-that-prepares" => {
            return be_a_referee_that_prepares(tier, place);
        }
        [name, place, referee] => {
            let referee = referee.parse().expect("a PID");
            (name, Target { place: place.into(), referee })
        }
        _ => panic!("see the comment at the top of this file"),
    };
    let deadly = trial::deadly().filter(|(own, _)| name == own);
    for (operation, run) in
        trial::operations().filter(|(own, _)| name == "all" || name == own).chain(deadly)
    {
        let result = match run(&target) {
            Ok(()) => "works".to_string(),
            Err(error) => format!("refused: {error}"),
        };
        println!("{operation}\t{result}");
    }
    ExitCode::SUCCESS
}

/// Starts a program that sleeps, prints its PID, and waits to be killed.
#[cfg(target_os = "linux")]
fn be_a_referee(tier: &str, place: &str) -> ExitCode {
    let launcher = botyard_sandbox::Launcher::this_program(&["launch"]);
    let launch = sleeper(tier, place);
    let (program, _pipes) =
        botyard_sandbox::Contained::spawn(&launcher, &launch, &[]).expect("a launch");
    println!("{}", program.id());
    std::thread::sleep(std::time::Duration::from_secs(60));
    ExitCode::FAILURE
}

/// Contains a program without running it, prints the PIDs of its processes, and waits to be killed.
#[cfg(target_os = "linux")]
fn be_a_referee_that_prepares(tier: &str, place: &str) -> ExitCode {
    let launcher = botyard_sandbox::Launcher::this_program(&["launch"]);
    let launch = sleeper(tier, place);
    let _prepared =
        botyard_sandbox::Contained::prepare(&launcher, &launch, &[]).expect("a launcher");
    let children = |pid: &str| {
        let list = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
        let list = list.unwrap_or_default();
        list.split_whitespace().map(String::from).collect::<Vec<_>>()
    };
    // The launcher, and in tier A the program's process; in tiers B and C the init process, whose child
    // that is.
    let is_inner = launch.tier != botyard_sandbox::Tier::A;
    let own = std::process::id().to_string();
    loop {
        let first = children(&own);
        let inner = first.iter().flat_map(|pid| children(pid)).collect::<Vec<_>>();
        if first.len() > 1 && inner.is_empty() != is_inner {
            println!("{} {}", first.join(" "), inner.join(" "));
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    std::thread::sleep(std::time::Duration::from_secs(60));
    ExitCode::FAILURE
}

/// Returns the launch of a program that sleeps.
#[cfg(target_os = "linux")]
fn sleeper(tier: &str, place: &str) -> botyard_sandbox::Launch {
    botyard_sandbox::Launch {
        tier: tier.parse().expect("a tier"),
        program: "/usr/bin/sleep".into(),
        args: vec!["60".into()],
        directory: place.into(),
        readable: vec![place.into()],
        own: Vec::new(),
        writable: Vec::new(),
        hidden: Vec::new(),
        children: true,
        limits: botyard_sandbox::ResourceLimits::default(),
    }
}

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("only Linux can contain programs, so there is nothing to check here");
}
