//! The protocol loop of a bot: it reads the referee's lines and answers those that need an answer.
//! It works on any input and output, so that tests can play a whole game in memory;
//! [`crate::program`] uses the standard streams.

use crate::bot::Bot;
use crate::options::Options;
use crate::player::{OnFailure, PlayError, Player};
use botyard_engine::rules::did_you_mean;
use botyard_protocol::{
    BotMessage, LineError, OptionError, RefereeLine, Start, excerpt, parse_referee_line, printable,
    write_line,
};
use botyard_search::Reading;
use serde_json::value::RawValue;
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;

/// The maximum length, in characters, of an unreadable line in a message.
const EXCERPT: usize = 200;

/// The reasons why a bot stops before `quit`.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Reading from the referee failed.
    #[error("reading from the referee failed: {0}")]
    Read(#[source] io::Error),
    /// The referee has closed the pipe.
    #[error("writing to the referee failed: {0}")]
    Write(#[source] io::Error),
    /// A line that is not a message.
    #[error("cannot parse line {number} of the referee: {error}: {line}")]
    Line {
        /// The number of the line, from 1.
        number: u64,
        /// The error.
        error: LineError,
        /// The beginning of the line.
        line: String,
    },
    /// A game that the bot does not play.
    #[error(
        "asked to play {name:?}{}, but this bot plays {}",
        did_you_mean(.name, .known),
        if .known.is_empty() { "no game".into() } else { .known.join(", ") }
    )]
    Game {
        /// The game in `start`.
        name: String,
        /// The games that the bot plays.
        known: Vec<String>,
    },
    /// Options that the bot does not have.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// An option that the bot has in other games only.
    #[error("{option} is an option of {bot} at {}, not at {game}", .games.join(" and "))]
    OptionOfOtherGame {
        /// The option.
        option: String,
        /// The bot's name.
        bot: &'static str,
        /// The game in `start`.
        game: String,
        /// The games to which the option applies.
        games: Vec<&'static str>,
    },
    /// A game that cannot start or continue.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// A `turn` outside of a game.
    #[error("turn {turn}: asked to decide, but no game is in progress")]
    NoGame {
        /// The number of the decision.
        turn: u32,
    },
}

/// Plays as `bot`, game after game, until `quit` or the end of the input.
///
/// Each answer is one write and one flush. Messages and fields of later versions are ignored.
///
/// # Errors
///
/// The errors of [`Session::answer`], and failing input and output.
pub fn serve<R: BufRead, W: Write>(
    bot: &Bot,
    mut input: R,
    mut output: W,
) -> Result<(), ServeError> {
    let mut session = Session::new(bot);
    let (mut line, mut answer) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line).map_err(ServeError::Read)? == 0 {
            return Ok(());
        }
        answer.clear();
        let answered = session.answer(&line, &mut answer);
        // A decision that failed may have written into the log.
        if !answer.is_empty() {
            output.write_all(&answer).and_then(|()| output.flush()).map_err(ServeError::Write)?;
        }
        if answered?.is_break() {
            return Ok(());
        }
    }
}

/// A bot's conversation with a referee, one line at a time: [`serve()`] without input and output.
pub struct Session<'a> {
    bot: &'a Bot,
    /// The number of lines received.
    lines: u64,
    /// The players of all games started so far, by the name of the game.
    players: Vec<(String, Box<dyn Player>)>,
    /// The game in progress.
    current: Option<usize>,
}

impl<'a> Session<'a> {
    /// Returns a new conversation.
    pub fn new(bot: &'a Bot) -> Session<'a> {
        Session { bot, lines: 0, players: Vec::new(), current: None }
    }

    /// Handles a line of the referee, with or without its newline, and appends the answer's line if
    /// it needs one. Breaks on `quit`.
    ///
    /// # Errors
    ///
    /// A line that cannot be parsed; a game, rules, seats or options that the bot does not support;
    /// a decision that failed. None of these is recoverable.
    pub fn answer(
        &mut self,
        line: &[u8],
        answer: &mut Vec<u8>,
    ) -> Result<ControlFlow<()>, ServeError> {
        let began = Reading::now();
        self.lines += 1;
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let message = parse_referee_line(line).map_err(|error| ServeError::Line {
            number: self.lines,
            error,
            line: excerpt(line, EXCERPT),
        })?;
        self.answer_message(message, began, answer)
    }

    fn answer_message(
        &mut self,
        message: RefereeLine<'_>,
        began: Reading,
        answer: &mut Vec<u8>,
    ) -> Result<ControlFlow<()>, ServeError> {
        match message {
            RefereeLine::Turn(turn) => {
                let Some(current) = self.current else {
                    return Err(ServeError::NoGame { turn: turn.turn });
                };
                let report = |words: &str| report(self.bot, words);
                let on_failure = on_failure(self.bot, &report);
                self.players[current].1.turn(&turn, began, on_failure, answer)?;
            }
            // A referee of another version reads our version here and answers with an error.
            RefereeLine::Hello(_) => write_line(answer, &BotMessage::Hello(self.bot.hello())),
            RefereeLine::Start(start) => {
                self.start(&start)?;
                write_line(answer, &BotMessage::Ready);
            }
            RefereeLine::End(_) => self.current = None,
            RefereeLine::Error(error) => {
                let message = printable(&error.message, 1000);
                report(self.bot, &format!("error from the referee: {message}"));
            }
            RefereeLine::Quit => return Ok(ControlFlow::Break(())),
            RefereeLine::Unknown { .. } => {}
        }
        Ok(ControlFlow::Continue(()))
    }

    fn refuse_options_of_other_games(&self, start: &Start<&RawValue>) -> Result<(), ServeError> {
        if !self.bot.has_other_games() && !self.bot.games().any(|game| game == start.game) {
            // That is reported instead.
            return Ok(());
        }
        for set in start.options.keys() {
            let declared =
                || self.bot.declared_options().iter().filter(|option| option.name == *set);
            let games: Vec<&'static str> = declared().filter_map(|option| option.game).collect();
            if !games.is_empty() && !declared().any(|option| option.applies_at(&start.game)) {
                return Err(ServeError::OptionOfOtherGame {
                    option: set.clone(),
                    bot: self.bot.name(),
                    game: start.game.clone(),
                    games,
                });
            }
        }
        Ok(())
    }

    fn start(&mut self, start: &Start<&RawValue>) -> Result<(), ServeError> {
        self.current = None;
        self.refuse_options_of_other_games(start)?;
        let options = Options::resolve(&self.bot.options_at(&start.game), &start.options)?;
        let index = match self.players.iter().position(|(name, _)| *name == start.game) {
            Some(index) => index,
            None => {
                let player = self.bot.player(&start.game).ok_or_else(|| ServeError::Game {
                    name: start.game.clone(),
                    known: self.bot.games().map(String::from).collect(),
                })?;
                self.players.push((start.game.clone(), player));
                self.players.len() - 1
            }
        };
        let report = |words: &str| report(self.bot, words);
        let on_failure = on_failure(self.bot, &report);
        self.players[index].1.start(start, &options, on_failure)?;
        self.current = Some(index);
        Ok(())
    }
}

/// Prints a line about a bot to standard error.
fn report(bot: &Bot, words: &str) {
    crate::program::say(&format!("{}: {words}", bot.name()));
}

/// Returns what happens if an agent of a bot fails.
fn on_failure<'a>(bot: &Bot, report: &'a dyn Fn(&str)) -> OnFailure<'a> {
    match bot.answers_on_error() {
        true => OnFailure::Continue(report),
        false => OnFailure::Exit,
    }
}
