//! The person's terminal: lines in, text out, and colours if they are supported. At a real terminal
//! lines are edited (`editor.rs`); a pipe is read line by line.

#[cfg(unix)]
use crate::editor::Editor;
use crossbeam_channel::{Receiver, bounded};
use std::io::{self, BufRead, IsTerminal, Read, Write};

/// The longest line that is read, in bytes. A longer one is split, and its parts are not valid
/// moves.
const LINE_BYTES: u64 = 4096;

/// Input from the keyboard.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(unix), allow(dead_code))]
pub(crate) enum Typed {
    /// A line, without its end.
    Line(String),
    /// The end of the input: Ctrl-D, or a file at its end.
    End,
    /// Ctrl-C at the prompt of the editor. Elsewhere it is a signal.
    Interrupt,
}

/// What Tab completes: lists of whole lines. The first list with a line that begins as typed is
/// used.
pub(crate) type Completions = Vec<Vec<String>>;

/// The person's terminal.
pub(crate) enum Terminal {
    /// A pipe or a file, or a terminal that cannot be controlled.
    Lines(Receiver<Typed>),
    /// A terminal whose lines are edited.
    #[cfg(unix)]
    Edited(Editor),
}

impl Terminal {
    /// Opens standard input and output: with an editor if both are a terminal.
    pub(crate) fn open() -> Terminal {
        #[cfg(unix)]
        if io::stdin().is_terminal()
            && io::stdout().is_terminal()
            && !is_dumb()
            && let Some(editor) = Editor::open()
        {
            return Terminal::Edited(editor);
        }
        Terminal::Lines(typed())
    }

    /// Returns the input. At most one line is read ahead.
    pub(crate) fn typed(&self) -> &Receiver<Typed> {
        match self {
            Terminal::Lines(typed) => typed,
            #[cfg(unix)]
            Terminal::Edited(editor) => editor.typed(),
        }
    }

    /// Shows a prompt for one line.
    ///
    /// # Errors
    ///
    /// The output fails.
    pub(crate) fn ask(&self, prompt: &str, ink: Ink, completions: Completions) -> io::Result<()> {
        match self {
            Terminal::Lines(_) => {
                drop(completions);
                show(&ink.paint(Tone::Bold, prompt))
            }
            #[cfg(unix)]
            Terminal::Edited(editor) => editor.ask(prompt, ink, completions),
        }
    }

    /// Prints text; at the end of the line that is being edited, if any.
    ///
    /// # Errors
    ///
    /// The output fails.
    pub(crate) fn show(&self, text: &str) -> io::Result<()> {
        match self {
            Terminal::Lines(_) => show(text),
            #[cfg(unix)]
            Terminal::Edited(editor) => editor.show(text),
        }
    }

    /// Ends all input and gives the terminal back as it was. A line that is being edited is
    /// dropped.
    pub(crate) fn close(&self) {
        match self {
            Terminal::Lines(_) => {}
            #[cfg(unix)]
            Terminal::Edited(editor) => editor.close(),
        }
    }
}

/// Reads standard input on a thread that ends with the program.
fn typed() -> Receiver<Typed> {
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

/// Returns whether the terminal understands no control sequences.
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_none_or(|term| term == "dumb")
}

/// The style of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
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
    /// A further group.
    Green,
    /// A further group.
    Blue,
    /// A further group.
    Magenta,
}

/// Applies colours to text, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ink {
    colours: bool,
}

impl Ink {
    /// Uses colours if standard output is a terminal that supports them and `NO_COLOR` is not set.
    pub(crate) fn of_terminal() -> Ink {
        let is_minded = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Ink { colours: io::stdout().is_terminal() && !is_minded && !is_dumb() }
    }

    /// Uses no colours.
    #[cfg(test)]
    pub(crate) const fn plain() -> Ink {
        Ink { colours: false }
    }

    /// Uses colours.
    #[cfg(test)]
    pub(crate) const fn colourful() -> Ink {
        Ink { colours: true }
    }

    /// Returns the text in a tone.
    pub(crate) fn paint(self, tone: Tone, text: impl std::fmt::Display) -> String {
        let code = match tone {
            Tone::Bold => 1,
            Tone::Dim => 2,
            Tone::Red => 31,
            Tone::Cyan => 36,
            Tone::Yellow => 33,
            Tone::Green => 32,
            Tone::Blue => 34,
            Tone::Magenta => 35,
        };
        if self.colours { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_string() }
    }
}

/// Prints text and flushes the output.
///
/// # Errors
///
/// The output fails.
pub(crate) fn show(text: &str) -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()
}
