//! Programs that are not contained: their parent-death signal, and what they do not inherit.

use crate::launcher::{Program, variable};
use crate::{file_mask, open_files};
use rustix::io::Errno;
use rustix::process::{
    Pid, Resource, Signal, getpid, getppid, getrlimit, set_parent_process_death_signal,
};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// The most descriptors that are looked at where the kernel cannot close a range of them.
const MOST_DESCRIPTORS: u64 = 1 << 16;

/// Makes the kernel kill the command's program when the thread that spawns it ends, also if its
/// whole process is killed. Children of the program are not killed. The program gets the open file
/// limit and the file mode mask that this process was started with, and no descriptor but its standard
/// streams.
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
    keep_descriptors()?;
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // The parent may have ended before the previous call.
    if getppid() == Some(parent) { Ok(()) } else { Err(Errno::SRCH.into()) }
}

/// Closes every descriptor but the standard streams when the program is executed, also those that this
/// process was started with. Until then the standard library uses one of its own.
#[allow(unsafe_code)]
fn keep_descriptors() -> io::Result<()> {
    // SAFETY: the call changes a flag of descriptors, and closes none.
    let done = unsafe {
        libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC)
    };
    match done {
        0 => Ok(()),
        // Linux before 5.11: one after another, up to the limit.
        _ => {
            let limit = getrlimit(Resource::Nofile).current.unwrap_or(MOST_DESCRIPTORS);
            let limit = limit.min(MOST_DESCRIPTORS) as libc::c_int;
            // SAFETY: as above; a number that is no descriptor is an error without effect.
            (3..limit).for_each(|descriptor| unsafe {
                libc::fcntl(descriptor, libc::F_SETFD, libc::FD_CLOEXEC);
            });
            Ok(())
        }
    }
}

/// Does the same for a command with an absolute path, and passes only the environment variables
/// that are set on the command. A file that the kernel does not accept as a program is not run. The
/// standard library, when it has to `fork`, would pass such a file to a shell.
///
/// # Errors
///
/// Fails if the command line or a variable contains a NUL byte.
pub fn end_exactly_this_with_this_thread(command: &mut Command) -> io::Result<()> {
    end_with_this_thread(command);
    run_exactly_this(command)
}

/// Makes a command with an absolute path run that program and nothing else, without descriptors but its
/// standard streams, and with the file mode mask that this process was started with. It outlives this
/// process.
///
/// # Errors
///
/// As for [`end_exactly_this_with_this_thread`].
#[allow(unsafe_code)]
pub fn run_only_this(command: &mut Command) -> io::Result<()> {
    let prepare = || {
        file_mask::restore();
        keep_descriptors()
    };
    // SAFETY: the closure makes system calls only, and allocates nothing.
    unsafe { command.pre_exec(prepare) };
    run_exactly_this(command)
}

#[allow(unsafe_code)]
fn run_exactly_this(command: &mut Command) -> io::Result<()> {
    let variables = command.get_envs().filter_map(|(name, value)| Some(variable(name, value?)));
    let variables: Vec<_> = variables.collect();
    let program = Program::new(Path::new(command.get_program()), command.get_args(), variables)?;
    // SAFETY: the closure makes one system call with data prepared here, and allocates nothing.
    unsafe { command.pre_exec(move || Err(program.run())) };
    Ok(())
}
