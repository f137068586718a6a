//! The protocol loop of a bot: reads the referee's lines, answers those that want an answer, and
//! nothing else. It works on any input and output, so a whole game can be a test in memory;
//! [`crate::program`] gives it the standard ones.

use crate::bot::Bot;
use crate::options::Options;
use crate::player::{PlayError, Player};
use botyard_engine::rules::did_you_mean;
use botyard_protocol::{
    BotMessage, LineError, OptionError, RefereeLine, Start, excerpt, parse_referee_line, printable,
    write_line,
};
use botyard_search::Reading;
use serde_json::value::RawValue;
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;

/// How much of a line that cannot be read is shown, in characters.
const EXCERPT: usize = 200;

/// Why a bot stops playing before it was told to quit.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The referee's lines cannot be read any more.
    #[error("reading from the referee failed: {0}")]
    Read(#[source] io::Error),
    /// Nobody reads the answers.
    #[error("writing to the referee failed: {0}")]
    Write(#[source] io::Error),
    /// A line that is no message.
    #[error("line {number} of the referee's cannot be read: {error}; it is {line}")]
    Line {
        /// The number of the line, from 1.
        number: u64,
        /// What is wrong with it.
        error: LineError,
        /// Its beginning.
        line: String,
    },
    /// A game that the bot does not play.
    #[error(
        "asked to play {name:?}{}, but this bot plays {}",
        did_you_mean(.name, .known),
        if .known.is_empty() { "no game".into() } else { .known.join(", ") }
    )]
    Game {
        /// What was asked for.
        name: String,
        /// What it plays.
        known: Vec<String>,
    },
    /// Options that it does not have.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// An option that the bot has at other games only.
    #[error("{option} is an option of {bot} at {}, not at {game}", .games.join(" and "))]
    OptionOfOtherGame {
        /// The option.
        option: String,
        /// The bot's name.
        bot: &'static str,
        /// The game that was asked for.
        game: String,
        /// The games at which the option applies.
        games: Vec<&'static str>,
    },
    /// A game that cannot be begun or gone on with.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// A `turn` outside of a game.
    #[error("turn {turn}: asked to decide, but no game is in progress")]
    NoGame {
        /// The number of the decision.
        turn: u32,
    },
}

/// Plays as `bot`, game after game, until the referee says `quit` or its lines end.
///
/// Each answer is one write and one flush. Messages and fields of later versions are passed over.
///
/// # Errors
///
/// Those of [`Session::answer`], and input and output that fail.
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
        if session.answer(&line, &mut answer)?.is_break() {
            return Ok(());
        }
        if !answer.is_empty() {
            output.write_all(&answer).and_then(|()| output.flush()).map_err(ServeError::Write)?;
        }
    }
}

/// A bot in conversation with a referee, one line at a time: [`serve()`] without input and output.
pub struct Session<'a> {
    bot: &'a Bot,
    /// How many lines the referee has sent.
    lines: u64,
    /// One for each game that was ever begun, by the name of the game.
    players: Vec<(String, Box<dyn Player>)>,
    /// Which of them has a game in progress.
    current: Option<usize>,
}

impl<'a> Session<'a> {
    /// A conversation that is about to begin.
    pub fn new(bot: &'a Bot) -> Session<'a> {
        Session { bot, lines: 0, players: Vec::new(), current: None }
    }

    /// Takes a line of the referee's, with or without its end, and appends the answer's line
    /// where it wants one. Breaks when the referee says `quit`.
    ///
    /// # Errors
    ///
    /// A line that cannot be read, a game, rules, seats or options that are not the bot's, and a
    /// decision that could not be made. There is no going on from any of these.
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
                self.players[current].1.turn(&turn, began, answer)?;
            }
            // A referee of another version reads ours here and says what it thinks of it.
            RefereeLine::Hello(_) => write_line(answer, &BotMessage::Hello(self.bot.hello())),
            RefereeLine::Start(start) => {
                self.start(&start)?;
                write_line(answer, &BotMessage::Ready);
            }
            RefereeLine::End(_) => self.current = None,
            RefereeLine::Ping { id } => write_line(answer, &BotMessage::Pong { id }),
            RefereeLine::Error(error) => {
                let message = printable(&error.message, 1000);
                crate::program::say(&format!("{}: the referee says: {message}", self.bot.name()));
            }
            RefereeLine::Quit => return Ok(ControlFlow::Break(())),
            RefereeLine::Unknown { .. } => {}
        }
        Ok(ControlFlow::Continue(()))
    }

    fn refuse_options_of_other_games(&self, start: &Start<&RawValue>) -> Result<(), ServeError> {
        if !self.bot.games().any(|game| game == start.game) {
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
        self.players[index].1.start(start, &options)?;
        self.current = Some(index);
        Ok(())
    }
}
