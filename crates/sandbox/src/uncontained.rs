//! Programs that are not contained and yet end with the process that started them.

use crate::launcher::Program;
use crate::open_files;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, getpid, getppid, set_parent_process_death_signal};
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// Has the kernel kill the program of this command when the thread that starts it ends, also where
/// that is because its whole process was killed. What the program itself starts is not killed. The
/// program gets the limit of open files that this process was started with.
///
/// A command with a user sets that before this takes effect, because changing the user cancels it.
#[allow(unsafe_code)]
pub fn end_with_this_thread(command: &mut Command) {
    let parent = getpid();
    // SAFETY: the closure makes system calls only, and allocates nothing.
    unsafe { command.pre_exec(move || prepare(parent)) };
}

fn prepare(parent: Pid) -> io::Result<()> {
    open_files::restore();
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // The parent may have ended before that call.
    if getppid() == Some(parent) { Ok(()) } else { Err(Errno::SRCH.into()) }
}

/// The same for a command with an absolute path, whose program finds those variables only that are
/// set on the command. A file that the kernel does not take for a program is not run, where the
/// standard library, once it has to `fork`, would hand it to a shell.
///
/// # Errors
///
/// A word of the command or a variable with a NUL byte in it.
#[allow(unsafe_code)]
pub fn end_exactly_this_with_this_thread(command: &mut Command) -> io::Result<()> {
    end_with_this_thread(command);
    let variable = |(name, value): (&OsStr, Option<&OsStr>)| -> Option<(OsString, OsString)> {
        Some((name.to_os_string(), value?.to_os_string()))
    };
    let variables: Vec<_> = command.get_envs().filter_map(variable).collect();
    let program = Program::new(Path::new(command.get_program()), command.get_args(), variables)?;
    // SAFETY: the closure makes one system call with what was prepared here, and allocates nothing.
    unsafe { command.pre_exec(move || Err(program.run())) };
    Ok(())
}
