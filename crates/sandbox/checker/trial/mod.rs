//! Trying operations, by name.

mod files;
mod ipc;
mod limits;
mod machine;
mod processes;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

/// What operations are tried on.
pub struct Target {
    /// The directory that the test has prepared.
    pub place: PathBuf,
    /// The process that started the launcher.
    pub referee: i32,
}

/// An operation, by name; an error where it was refused.
pub type Operation = (&'static str, fn(&Target) -> io::Result<()>);

fn operations() -> impl Iterator<Item = &'static Operation> {
    [
        files::OPERATIONS,
        processes::OPERATIONS,
        ipc::OPERATIONS,
        machine::OPERATIONS,
        limits::OPERATIONS,
    ]
    .into_iter()
    .flatten()
}

pub fn run() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (name, target) = match &args[..] {
        [launch] if launch == "launch" => return botyard_sandbox::serve_launcher(),
        [referee, tier, place] if referee == "referee" => return be_a_referee(tier, place),
        [name, place, referee] => {
            let referee = referee.parse().expect("a process number");
            (name, Target { place: place.into(), referee })
        }
        _ => panic!("see the head of this file"),
    };
    let deadly = machine::DEADLY.iter().filter(|(own, _)| name == own);
    for (operation, run) in
        operations().filter(|(own, _)| name == "all" || name == own).chain(deadly)
    {
        let result = match run(&target) {
            Ok(()) => "works".to_string(),
            Err(error) => format!("refused: {error}"),
        };
        println!("{operation}\t{result}");
    }
    ExitCode::SUCCESS
}

/// Starts a program that sleeps, tells its number, and waits to be killed.
fn be_a_referee(tier: &str, place: &str) -> ExitCode {
    let launch = botyard_sandbox::Launch {
        tier: if tier == "A" { botyard_sandbox::Tier::A } else { botyard_sandbox::Tier::B },
        program: "/usr/bin/sleep".into(),
        args: vec!["60".into()],
        directory: place.into(),
        readable: vec![place.into()],
        writable: Vec::new(),
        hidden: Vec::new(),
        limits: botyard_sandbox::ResourceLimits::default(),
    };
    let launcher = botyard_sandbox::Launcher::this_program(&["launch"]);
    let (program, _pipes) =
        botyard_sandbox::Contained::spawn(&launcher, &launch, &[]).expect("a launch");
    println!("{}", program.id());
    std::thread::sleep(std::time::Duration::from_secs(60));
    ExitCode::FAILURE
}

/// The result of a system call that returns -1 and sets `errno` where it fails.
pub(crate) fn checked(result: impl Into<i64>) -> io::Result<()> {
    if result.into() < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// The same for calls that return a descriptor, which is closed again.
pub(crate) fn checked_fd(result: impl Into<i64>) -> io::Result<()> {
    let fd = result.into();
    checked(fd)?;
    // SAFETY: it was just made, for nobody else.
    unsafe { libc::close(i32::try_from(fd).expect("a descriptor")) };
    Ok(())
}

/// An operation that must not have its way, where it had.
pub(crate) fn refuse_unless(condition: bool, what: &str) -> io::Result<()> {
    if condition { Ok(()) } else { Err(io::Error::other(what.to_string())) }
}
