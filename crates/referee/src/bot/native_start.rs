//! The start of a bot by the native back end: in the sandbox, by the user's own wrapper command, or
//! as a plain process group.

use crate::bot::prepared::PreparedBot;
use crate::bot::start_attempts::unless_being_written;
use crate::bot::{Bot, StartError};
use crate::command::bot_command::LaunchError;
use crate::command::containment::{Containment, environment};
use crate::command::ordinary_user::user_of;
use crate::command::wrapper::Wrapper;
use crate::failure::HostFailure;
use crate::program::interrupt::Interrupt;
use crate::program::process_group::{Pipes, ProcessGroup};
use crate::program::processes::Processes;
use crate::program::streams::Streams;
use botyard_sandbox::{
    Contained, Shortage, SpawnError, end_exactly_this_with_this_thread, end_with_this_thread,
};
use rustix::io::Errno;
use std::io::{self, ErrorKind};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::Command;

impl Bot {
    /// Starts its program.
    pub(super) fn spawn_native(
        &mut self,
        interrupt: &Interrupt,
    ) -> Result<(Processes, Streams), StartError> {
        let prepared = self.prepared.take();
        match (&self.wrapper, &self.containment) {
            (Some(wrapper), _) => self.spawn_wrapped(wrapper),
            (None, Some(containment)) => self.spawn_contained(containment, prepared, interrupt),
            (None, None) => self.spawn(),
        }
    }

    /// A wrapper sees everything that the referee sees: it is the user's own program.
    fn spawn_wrapped(&self, wrapper: &Wrapper) -> Result<(Processes, Streams), StartError> {
        self.command.existing_directory().map_err(|error| self.failed(error))?;
        let (mut start, farewell) = wrapper.wrap(&self.command);
        end_with_this_thread(&mut start);
        match spawn_group(&mut start) {
            Ok((group, pipes)) => {
                Ok((Processes::Group(group.with_farewell(farewell)), pipes.into()))
            }
            Err(error) => Err(self.not_started(&start, error)),
        }
    }

    fn spawn(&self) -> Result<(Processes, Streams), StartError> {
        let mut command = self.command.command().map_err(|error| self.failed(error))?;
        // A bot that acts for a person is the person's own program.
        let user = if self.is_untimed { None } else { user_of(&self.command)? };
        if let Some((user, group)) = user {
            command.gid(group).uid(user);
        }
        end_exactly_this_with_this_thread(&mut command).map_err(|error| self.failed(error))?;
        match spawn_group(&mut command) {
            Ok((group, pipes)) => Ok((Processes::Group(group), pipes.into())),
            // A program that other users may run does not cause this error.
            Err(error) if user.is_some() && is_about_users(&error) => {
                Err(HostFailure::new("changing to a bot's user", error).into())
            }
            Err(error) => Err(self.not_started(&command, error)),
        }
    }

    fn spawn_contained(
        &self,
        containment: &Containment,
        prepared: Option<PreparedBot>,
        interrupt: &Interrupt,
    ) -> Result<(Processes, Streams), StartError> {
        let launch = containment.launch(&self.command);
        let launch = launch.map_err(|error| self.failed(error.in_words(&containment.advice)))?;
        self.command.existing_directory().map_err(|error| self.failed(error))?;
        let environment = environment(containment, self.command.environment());
        // For the first attempt only.
        let mut prepared = prepared.and_then(|prepared| prepared.of(&launch, &environment));
        let spawn = || {
            let prepared = match prepared.take() {
                Some(prepared) => prepared,
                None => Contained::prepare(&containment.launcher, &launch, &environment)?,
            };
            prepared.run_unless(interrupt.as_fd())
        };
        let is_busy = |error: &SpawnError| match error {
            SpawnError::Program(error) => error.kind() == ErrorKind::ExecutableFileBusy,
            SpawnError::Setup { .. } | SpawnError::Files(_) | SpawnError::Cancelled => false,
        };
        match unless_being_written(is_busy, spawn) {
            Ok((contained, pipes)) => {
                Ok((Processes::Contained(contained), Pipes::from(pipes).into()))
            }
            Err(SpawnError::Program(error)) => {
                Err(match LaunchError::diagnose_contained(&launch.program, &error) {
                    Some(launch) => self.failed(launch),
                    None => HostFailure::new("starting a bot", error).into(),
                })
            }
            Err(SpawnError::Cancelled) => Err(StartError::Interrupted),
            Err(SpawnError::Files(message)) => {
                Err(self.failed(format!("its files cannot be made available: {message}")))
            }
            Err(SpawnError::Setup { step, error }) => {
                let kind = error.kind();
                let error = match Shortage::in_error(&step, &error) {
                    Some(shortage) => io::Error::new(kind, shortage),
                    None => io::Error::new(kind, format!("{step}: {error}")),
                };
                Err(HostFailure::new("containing a bot", error).into())
            }
        }
    }
}

fn spawn_group(command: &mut Command) -> io::Result<(ProcessGroup, Pipes)> {
    let is_busy = |error: &io::Error| error.kind() == ErrorKind::ExecutableFileBusy;
    unless_being_written(is_busy, || ProcessGroup::spawn(command))
}

/// Returns whether an error means that this process may not change to the requested user.
fn is_about_users(error: &io::Error) -> bool {
    matches!(Errno::from_io_error(error), Some(Errno::PERM | Errno::INVAL))
}
