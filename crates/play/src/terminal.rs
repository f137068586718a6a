//! The person's terminal: lines in, text out, colours only where they are seen. It knows no game.

use crossbeam_channel::{Receiver, bounded};
use std::io::{self, BufRead, IsTerminal, Read, Write};

/// The longest line that is read, in bytes; what is longer comes in pieces, which are no moves.
const LINE_BYTES: u64 = 4096;

/// What came from the keyboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// A line, without its end.
    Line(String),
    /// The end of the input: Ctrl-D, or a file at its end.
    End,
}

/// Reads standard input on a thread of its own, which ends with the program. Nothing is read
/// ahead of what is asked for but one line.
pub fn typed() -> Receiver<Typed> {
    let (sender, typed) = bounded(0);
    std::thread::spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            let mut line = Vec::new();
            let read = input.by_ref().take(LINE_BYTES).read_until(b'\n', &mut line);
            let typed = match read {
                Ok(1..) => Typed::Line(String::from_utf8_lossy(&line).trim().to_string()),
                Ok(0) | Err(_) => Typed::End,
            };
            let is_end = typed == Typed::End;
            if sender.send(typed).is_err() || is_end {
                return;
            }
        }
    });
    typed
}

/// The manner of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// To be seen first: the prompt, one's own pieces.
    Bold,
    /// There if looked for: numbers of empty squares.
    Dim,
    /// The other side.
    Red,
    /// A third thing: detectives.
    Cyan,
    /// What is wrong.
    Yellow,
}

/// Puts colours on text, or leaves it as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ink {
    colours: bool,
}

impl Ink {
    /// Colours, where standard output is a terminal that has them and nobody minds (`NO_COLOR`).
    pub fn of_terminal() -> Ink {
        let is_minded = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        Ink { colours: io::stdout().is_terminal() && !is_minded && !is_dumb }
    }

    /// No colours.
    pub const fn plain() -> Ink {
        Ink { colours: false }
    }

    /// The text in a tone.
    pub fn paint(self, tone: Tone, text: impl std::fmt::Display) -> String {
        let code = match tone {
            Tone::Bold => 1,
            Tone::Dim => 2,
            Tone::Red => 31,
            Tone::Cyan => 36,
            Tone::Yellow => 33,
        };
        if self.colours { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_string() }
    }
}

/// Prints text at once.
///
/// # Errors
///
/// Those of the output.
pub fn show(text: &str) -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()
}
