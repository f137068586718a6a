//! Waiting for an engine's move: it is stopped when its time is up, and reported when it is late.

use crate::engine::{Answer, EngineError};
use crate::link::Link;
use crate::think_time::ThinkTime;
use botyard_agent::program::say;
use std::time::Instant;

/// Waits for the line in which `read` finds a move. Sends `stop`, if the protocol has such a command,
/// when the time is up. An engine that is late is reported and waited for: the referee decides, and a
/// game that continues after a timeout needs the engine in step.
pub(crate) fn wait_for_move(
    link: &mut Link,
    expected: &str,
    time: &ThinkTime,
    stop: Option<&str>,
    mut read: impl FnMut(&mut Link, &str) -> Result<Option<Answer>, EngineError>,
) -> Result<Answer, EngineError> {
    let begun = Instant::now();
    let command = stop;
    let (mut stop, mut late) = (command.and(time.stop), time.late);

    loop {
        let until = stop.into_iter().chain(late).min();
        match link.receive(expected, until)? {
            Some(line) => {
                if let Some(answer) = read(link, &line)? {
                    return Ok(answer);
                }
            }
            None if stop.is_some() => {
                stop = None;
                link.send(command.unwrap_or_default())?;
            }
            None => {
                late = None;
                say(&format!(
                    "bridge: the engine `{}` is late: expected {expected}, and there has been none for {} ms{}",
                    link.name(),
                    begun.elapsed().as_millis(),
                    match time.limit {
                        Some(limit) =>
                            format!("; the limit of this turn is {} ms", limit.as_millis()),
                        None => String::new(),
                    }
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::testing::link;
    use crate::think_time::Allowance;
    use std::time::Duration;

    /// Its time is up, and lines of it wait to be read.
    #[test]
    fn an_engine_that_prints_without_pause_is_stopped() {
        let (mut link, sent) = link(&["info", "info", "bestmove"]);
        let now = Instant::now();
        let limit = Duration::from_secs(1);
        let allowance = Allowance::Move(limit);
        let time = ThinkTime { allowance, stop: Some(now), late: Some(now), limit: Some(limit) };
        let mut heard = Vec::new();
        let answer = wait_for_move(&mut link, "`bestmove`", &time, Some("stop"), |_, line| {
            heard.push((line.to_string(), sent.lines()));
            Ok((line == "bestmove").then(Answer::default))
        });
        assert_eq!(answer.unwrap(), Answer::default());
        let stopped = || vec!["stop".to_string()];
        let expected = ["info", "info", "bestmove"].map(|line| (line.to_string(), stopped()));
        assert_eq!(heard, expected);
    }
}
