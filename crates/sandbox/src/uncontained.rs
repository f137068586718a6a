//! Parent-death signals for programs that are not contained.

use crate::launcher::Program;
use crate::{file_mask, open_files};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, getpid, getppid, set_parent_process_death_signal};
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// Makes the kernel kill the command's program when the thread that spawns it ends, also if its
/// whole process is killed. Children of the program are not killed. The program gets the open file
/// limit and the file mode mask that this process was started with.
///
/// A command with a UID sets the UID before this takes effect, because changing the UID clears the
/// signal.
#[allow(unsafe_code)]
pub fn end_with_this_thread(command: &mut Command) {
    let parent = getpid();
    // SAFETY: the closure makes system calls only, and allocates nothing.
    unsafe { command.pre_exec(move || prepare(parent)) };
}

fn prepare(parent: Pid) -> io::Result<()> {
    open_files::restore();
    file_mask::restore();
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // The parent may have ended before the previous call.
    if getppid() == Some(parent) { Ok(()) } else { Err(Errno::SRCH.into()) }
}

/// Does the same for a command with an absolute path, and passes only the environment variables
/// that are set on the command. A file that the kernel does not accept as a program is not run. The
/// standard library, when it has to `fork`, would pass such a file to a shell.
///
/// # Errors
///
/// Fails if the command line or a variable contains a NUL byte.
#[allow(unsafe_code)]
pub fn end_exactly_this_with_this_thread(command: &mut Command) -> io::Result<()> {
    end_with_this_thread(command);
    let variable = |(name, value): (&OsStr, Option<&OsStr>)| -> Option<(OsString, OsString)> {
        Some((name.to_os_string(), value?.to_os_string()))
    };
    let variables: Vec<_> = command.get_envs().filter_map(variable).collect();
    let program = Program::new(Path::new(command.get_program()), command.get_args(), variables)?;
    // SAFETY: the closure makes one system call with data prepared here, and allocates nothing.
    unsafe { command.pre_exec(move || Err(program.run())) };
    Ok(())
}
