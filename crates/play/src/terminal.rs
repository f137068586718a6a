//! The person's terminal: lines in, text out, and colours if they are supported.

use crossbeam_channel::{Receiver, bounded};
use std::io::{self, BufRead, IsTerminal, Read, Write};

/// The longest line that is read, in bytes. A longer one is split, and its parts are not valid
/// moves.
const LINE_BYTES: u64 = 4096;

/// Input from the keyboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// A line, without its end.
    Line(String),
    /// The end of the input: Ctrl-D, or a file at its end.
    End,
}

/// Reads standard input on a thread that ends with the program. At most one line is read ahead.
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

/// The style of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Emphasis: the prompt, the person's pieces.
    Bold,
    /// Background: numbers of empty squares.
    Dim,
    /// The other side.
    Red,
    /// A third group: detectives.
    Cyan,
    /// Errors.
    Yellow,
}

/// Applies colours to text, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ink {
    colours: bool,
}

impl Ink {
    /// Uses colours if standard output is a terminal that supports them and `NO_COLOR` is not set.
    pub fn of_terminal() -> Ink {
        let is_minded = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        Ink { colours: io::stdout().is_terminal() && !is_minded && !is_dumb }
    }

    /// Uses no colours.
    pub const fn plain() -> Ink {
        Ink { colours: false }
    }

    /// Returns the text in a tone.
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

/// Prints text and flushes the output.
///
/// # Errors
///
/// The output fails.
pub fn show(text: &str) -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()
}
