//! The checks of a gate: those of a bot that wants to play in a tournament, in its game, under its
//! rules and in its sandbox.

use crate::arena::Arena;
use crate::check::{Check, CheckEvent, Status};
use crate::config::CheckConfig;
use crate::suite::{Observer, make};
use botyard_referee::Interrupt;
use botyard_runner::{Candidate, Error, Message, Programs, QuietHost};

/// Makes the checks of a bot for a gate. Returns its findings, or `None` if no check failed. It is a
/// [`botyard_runner::CheckCandidate`].
///
/// # Errors
///
/// An interrupt, or a failure of the host.
pub fn candidate(
    candidate: &Candidate<'_>,
    programs: &Programs,
    interrupt: &Interrupt,
) -> Result<Option<String>, Error> {
    let config = CheckConfig {
        games: vec![candidate.game.to_string()],
        rules: candidate.rules.map(String::from),
        changes: candidate.changes.to_vec(),
        is_copy: true,
        move_ms: candidate.move_ms,
        legal: candidate.legal,
        containment: candidate.containment.clone(),
        ..CheckConfig::new(candidate.command.name.clone())
    };
    let command = candidate.command.clone();
    let arena = Arena::new(&config, candidate.game, command.clone(), programs)?;
    let mut failures = Failures(Vec::new());
    // The gate has waited for a quiet host.
    let host = QuietHost::default();
    make(command, arena, host, &config, programs, interrupt, &mut failures)?;
    let found = failures.0.join("\n");
    Ok((!found.is_empty()).then(|| format!("it failed in `botyard check`:\n{found}")))
}

/// The findings of the checks that failed, as lines.
struct Failures(Vec<String>);

impl Observer for Failures {
    /// The tournament has its own.
    fn warn(&mut self, _: &[Message]) {}

    fn working(&mut self, _: Check, _: &str) {}

    fn event(&mut self, event: CheckEvent) -> Result<(), Error> {
        let CheckEvent::CheckResult(checked) = event else { return Ok(()) };
        if checked.status == Status::Failed {
            for found in checked.findings {
                let (check, message) = (checked.check.as_str(), found.message);
                self.0.push(format!("  {check}: {message} -> {}", found.remedy));
                self.0.extend(found.stderr.lines().map(String::from));
            }
        }
        Ok(())
    }
}
