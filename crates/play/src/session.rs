//! The person's side of one game at a terminal: shows what the [`Dialogue`] with the referee brings, and answers with
//! what the person types. It knows only what the person may know: the referee has the rules, and the game's [`Face`]
//! draws and parses.

use crate::dialogue::{Dialogue, Heard};
use crate::face::{Chosen, Face};
use crate::faces;
use crate::hint;
use crate::replica::Replica;
use crate::saving::Saving;
use crate::terminal::{Completions, Ink, Terminal, Tone, Typed};
use botyard_league::scale::Scale;
use botyard_protocol::{EndOutcome, Start, printable};
use botyard_runner::play::{News, PlayPlan};
use botyard_runner::words::{counted, fault_in_words, info_in_words, place_among_losers};
use crossbeam_channel::{Receiver, never, select};
use serde_json::Value;
use std::io;

/// How much of a bot's text is shown, in characters.
const TEXT_CHARACTERS: usize = 300;

/// The commands of every game, for completion.
static COMMANDS: [&str; 8] = ["board", "help", "hint", "log", "quit", "resign", "save ", "undo"];

/// The end of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaving {
    /// The game is over.
    Over,
    /// The person takes back the last decision.
    Undo,
    /// The person leaves.
    Quit,
    /// A signal arrived, or the terminal is closed.
    Interrupted,
}

/// The inputs of a session besides the game, and its colours.
#[derive(Clone, Copy)]
pub(crate) struct Console<'a> {
    /// The keyboard and the screen.
    pub terminal: &'a Terminal,
    /// Saves the game.
    pub saving: &'a Saving<'a>,
    /// Signals.
    pub signals: &'a Receiver<()>,
    /// The colours.
    pub ink: Ink,
}

/// The person's side of one game.
pub(crate) struct Session<'a> {
    plan: &'a PlayPlan,
    console: Console<'a>,
    /// Whether hints and undo are disabled.
    rated: bool,
    /// Whether the game begins on the screen with this session.
    begins: bool,
    /// The number of recorded decisions at the start of a resumed game, which are not shown again.
    recorded: Option<u32>,
    dialogue: Dialogue<'a>,
    face: Option<Box<dyn Face>>,
    /// That of a game whose rules are a program, until the face has it.
    replica: Option<Replica>,
    /// Text typed for the next decision together with the last.
    then: Option<String>,
    /// The events so far, as text.
    log: Vec<String>,
    /// The number of decisions so far.
    turn: u32,
}

impl<'a> Session<'a> {
    /// Makes the session of a game, with the number of recorded decisions if it is resumed.
    /// `begins`: the person has seen nothing of it yet. `replica`: that of a game whose rules are a program.
    pub(crate) fn new(
        plan: &'a PlayPlan,
        console: Console<'a>,
        rated: bool,
        recorded: Option<usize>,
        begins: bool,
        replica: Option<Replica>,
    ) -> Session<'a> {
        Session {
            plan,
            console,
            rated,
            begins,
            recorded: recorded.map(|count| u32::try_from(count).unwrap_or(u32::MAX)),
            dialogue: Dialogue::new(plan),
            face: None,
            replica,
            then: None,
            log: Vec::new(),
            turn: 0,
        }
    }

    /// Plays until the game is over or the person leaves.
    ///
    /// # Errors
    ///
    /// The output is closed.
    pub(crate) fn run(&mut self, news: &Receiver<News>) -> io::Result<Leaving> {
        // Typed lines wait until there is a question.
        let nothing = never();
        loop {
            if self.dialogue.question().is_some()
                && let Some(line) = self.then.take()
            {
                self.show(&format!("{line}\n"))?;
                if let Some(leaving) = self.typed(&line)? {
                    return Ok(leaving);
                }
                continue;
            }
            let keyboard = self.console.terminal.typed();
            let is_asked = self.dialogue.question().is_some();
            let typed = if is_asked { keyboard } else { &nothing };
            select! {
                recv(news) -> news => match news {
                    Ok(news) => self.handle(news)?,
                    Err(_) => return Ok(Leaving::Over),
                },
                recv(typed) -> typed => match typed {
                    Ok(Typed::Line(line)) => {
                        if let Some(leaving) = self.typed(&line)? {
                            return Ok(leaving);
                        }
                    }
                    Ok(Typed::End) | Err(_) => {
                        self.show("\n")?;
                        return Ok(Leaving::Quit);
                    }
                    Ok(Typed::Interrupt) => return Ok(Leaving::Interrupted),
                },
                recv(self.console.signals) -> _ => return Ok(Leaving::Interrupted),
            }
        }
    }

    fn handle(&mut self, news: News) -> io::Result<()> {
        let Some(heard) = self.dialogue.hear(news) else { return Ok(()) };
        match heard {
            Heard::Started => self.started()?,
            Heard::Asked => {
                if let (Some(face), Some(question)) = (&mut self.face, self.dialogue.question()) {
                    face.ask(question);
                }
                self.show_position()?;
                self.prompt()?;
            }
            Heard::Moved { turn, seat, seen_by_seat, info } => {
                self.turn = turn;
                let words = match &mut self.face {
                    Some(face) => face.moved(&seat, &seen_by_seat),
                    None => format!("{seat}: {seen_by_seat}"),
                };
                // In a rated game it would be a hint.
                let info = info.filter(|_| !self.rated).map(|info| info_in_words(&info));
                let info = info.filter(|info| !info.is_empty());
                let info = info.map_or(String::new(), |info| format!("  {info}"));
                self.happened(turn, format!("{turn:>5}  {words}{info}"))?;
            }
            Heard::Drawn { turn, seen_by_seat } => {
                let words = match &mut self.face {
                    Some(face) => face.drawn(&seen_by_seat),
                    None => format!("drawn: {seen_by_seat}"),
                };
                self.happened(turn, format!("       {words}"))?;
            }
            Heard::Logged { player, text } => self
                .show(&format!("       {player} says: {}\n", printable(&text, TEXT_CHARACTERS)))?,
            Heard::Failed { fault, fatal } => {
                self.show(&format!("       {}\n", fault_in_words(&fault, fatal)))?;
            }
            Heard::Refused(message) => self.show(&format!("  the referee says: {message}\n"))?,
            Heard::Ended { outcome, text, views } => self.ended(&outcome, &text, &views)?,
            Heard::Void(reason) => {
                self.then = None;
                self.show(&format!("       the game is void, because {reason}\n"))?;
            }
        }
        Ok(())
    }

    /// Adds an event to `log`, and shows it unless it was on record.
    fn happened(&mut self, turn: u32, words: String) -> io::Result<()> {
        if self.recorded.is_none_or(|recorded| turn > recorded) {
            self.show(&format!("{words}\n"))?;
        }
        self.log.push(words);
        Ok(())
    }

    fn started(&mut self) -> io::Result<()> {
        let Some(start) = self.dialogue.start() else { return Ok(()) };
        self.face = Some(faces::face(start, self.replica.take()));
        if self.begins { self.show(&self.header(start)) } else { Ok(()) }
    }

    fn header(&self, start: &Start) -> String {
        let mut text = format!("{}\n", start.game);
        let width = start.seats.iter().map(|seat| seat.chars().count()).max().unwrap_or(0);
        for (place, seat) in start.seats.iter().enumerate() {
            text.push_str(&format!("  {seat:width$}  {}\n", self.plan.holder_name(place)));
        }
        text.push_str("`help` explains how to type moves, `?` lists the legal ones\n");
        if let Some(recorded) = self.recorded {
            let moves = counted(recorded, "move");
            text.push_str(&format!("resumed after {moves}; `log` lists them\n"));
        }
        text
    }

    fn show_position(&self) -> io::Result<()> {
        match &self.face {
            Some(face) => self.show(&format!("\n{}", face.position(self.console.ink))),
            None => Ok(()),
        }
    }

    fn prompt(&self) -> io::Result<()> {
        let Some(question) = self.dialogue.question() else { return Ok(()) };
        let prompt = format!("{}> ", question.seat);
        if self.then.is_some() {
            // The line is there already.
            return self.show(&self.console.ink.paint(Tone::Bold, prompt));
        }
        self.console.terminal.ask(&prompt, self.console.ink, self.completions())
    }

    /// Returns what Tab completes: legal moves and commands.
    fn completions(&self) -> Completions {
        let Some(face) = &self.face else { return Vec::new() };
        let mut completions = face.completions();
        if completions.is_empty() {
            completions.push(Vec::new());
        }
        let commands = COMMANDS.iter().filter(|command| !(self.rated && **command == "undo"));
        let commands = face.commands().iter().chain(commands);
        completions[0].extend(commands.map(ToString::to_string));
        completions
    }

    fn show(&self, text: &str) -> io::Result<()> {
        self.console.terminal.show(text)
    }

    /// Handles a line typed at the prompt: a command or a move.
    fn typed(&mut self, line: &str) -> io::Result<Option<Leaving>> {
        let line = line.trim();
        let command = line.to_lowercase();
        match command.as_str() {
            "" => {}
            "quit" | "q" | "exit" => return Ok(Some(Leaving::Quit)),
            "resign" => {
                self.dialogue.resign();
                self.then = None;
                self.show("  you resign\n")?;
                return Ok(None);
            }
            "undo" if self.rated => self.complain("undo is not available in a rated game")?,
            "undo" => match self.dialogue.may_undo() {
                Ok(()) => {
                    self.show("  taken back\n")?;
                    return Ok(Some(Leaving::Undo));
                }
                Err(reason) => self.complain(reason)?,
            },
            "save" => self.complain("expected a file: save FILE")?,
            _ if command.starts_with("save ") => {
                self.save(line.get("save ".len()..).unwrap_or_default().trim())?;
            }
            "?" | "hint" => self.hint()?,
            "help" | "h" => self.show(&self.help())?,
            "board" => self.show_position()?,
            "log" => {
                let log: String = self.log.iter().map(|line| format!("{line}\n")).collect();
                self.show(if log.is_empty() { "  no moves yet\n" } else { &log })?;
            }
            _ => {
                if self.moved(line)? {
                    return Ok(None);
                }
            }
        }
        self.prompt()?;
        Ok(None)
    }

    /// Handles a line as a move or a command of the game. Returns whether it was a move.
    fn moved(&mut self, line: &str) -> io::Result<bool> {
        let Some(face) = &self.face else { return Ok(false) };
        if let Some(shown) = face.on_request(&line.to_lowercase(), self.console.ink) {
            self.show(&shown)?;
            return Ok(false);
        }
        match face.read(line) {
            Ok(Chosen { action, then }) => {
                self.dialogue.play(action);
                self.then = then;
                Ok(true)
            }
            Err(reason) => {
                self.complain(&printable_lines(&reason))?;
                Ok(false)
            }
        }
    }

    /// Saves the game, now and when the person leaves.
    fn save(&self, file: &str) -> io::Result<()> {
        match self.console.saving.save_in(file.as_ref()) {
            Ok(()) => self.show(&format!(
                "  saved in {file}, and again when you leave; the file shows what is hidden from you\n"
            )),
            Err(error) => self.complain(&error.to_string()),
        }
    }

    fn complain(&self, reason: &str) -> io::Result<()> {
        self.show(&format!("{}\n", self.console.ink.paint(Tone::Yellow, reason.trim_end())))
    }

    /// Lists the legal moves and, unless the game is rated, what a strong bot would play.
    fn hint(&self) -> io::Result<()> {
        let (Some(face), Some(start), Some(question)) =
            (&self.face, self.dialogue.start(), self.dialogue.question())
        else {
            return Ok(());
        };
        self.show(&face.choices())?;
        if self.rated {
            return Ok(());
        }
        self.show(&match hint::ask(start, question) {
            Some(advice) => {
                let score =
                    advice.score.map_or(String::new(), |score| format!(" (score {score:.2})"));
                let words = face.words(&question.seat, &advice.action);
                format!("  {} would play {words}{score}\n", advice.bot)
            }
            None => "  no built-in bot has a hint for this game\n".to_string(),
        })
    }

    fn help(&self) -> String {
        let moves = self.face.as_ref().map_or(String::new(), |face| face.help());
        let practice = if self.rated {
            "  ?            list the legal moves\n"
        } else {
            "  ?            list the legal moves, and what a strong bot would play\n  \
             undo         take back your last decision\n"
        };
        format!(
            "{moves}{practice}  board        show the position again\n  log          show what has happened\n  \
             save FILE    save the game; `botyard play --resume FILE` continues it\n  \
             resign       resign the game\n  quit         leave the game unfinished\n"
        )
    }

    fn ended(&mut self, outcome: &EndOutcome, text: &str, views: &[Value]) -> io::Result<()> {
        // The person may be typing, if the connection to the referee failed.
        self.console.terminal.close();
        let position = self.final_position(views).unwrap_or(text.to_string());
        let mut words = format!("\n{}\n", position.trim_end_matches('\n'));
        let reason = if self.dialogue.has_resigned() { "resigned" } else { &outcome.reason };
        words.push_str(&format!("{reason} after {}\n", counted(self.turn, "move")));
        let is_point = Scale::new((self.plan.tables)().scores()).is_point();
        for own in self.plan.own_seats() {
            let (Some(seat), Some(&points)) = (self.plan.seats.get(own), outcome.scores.get(own))
            else {
                continue;
            };
            let result = match points {
                points if !is_point => match outcome.ranks.get(own) {
                    Some(place) => format!("you have {points} points and place {place}"),
                    None => format!("you have {points} points"),
                },
                points if points >= 1.0 => "you win".to_string(),
                points if points > 0.0 => format!("you score {points:.2} of one point"),
                _ => match place_among_losers(outcome, own) {
                    Some(place) => format!("you take place {place}"),
                    None => "you lose".to_string(),
                },
            };
            words.push_str(&format!("  {seat}: {result}\n"));
        }
        self.show(&words)
    }

    /// Draws the final position from the person's side.
    fn final_position(&self, views: &[Value]) -> Option<String> {
        let own = self.plan.own_seats().next()?;
        let seat = self.plan.seats.get(own)?;
        self.face.as_ref()?.final_position(seat, own, views, self.console.ink)
    }

    /// Returns whether the game has ended.
    pub(crate) fn is_over(&self) -> bool {
        self.dialogue.is_over()
    }
}

/// Makes each line of a text printable, because it may quote typed characters.
fn printable_lines(text: &str) -> String {
    text.lines().map(|line| printable(line, 2000) + "\n").collect()
}
