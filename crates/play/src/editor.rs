//! Lines edited at a terminal, with history and completion. `rustyline` reads and draws a line on a
//! thread of its own while the session waits for news, signals and the line.
//!
//! A line is read only on request. Between requests the terminal neither echoes nor edits: keys that
//! are typed while a bot thinks wait, and appear at the next prompt. The terminal is given back as
//! it was when the editor is closed or dropped, also by a panic, and also while a line is being
//! edited: `rustyline` cannot be interrupted, so its thread is left waiting for a key until the
//! program ends. Its external printer, which prints above the line, is not used: with it, version 18
//! leaves keys that arrive together waiting for the next key.
//!
//! Ctrl-C is a key while a line is edited. A SIGINT that another program sends then is caught by
//! `rustyline` and has no effect; SIGTERM and SIGHUP end the game at once.

use crate::terminal::{Completions, Ink, Tone, Typed, show};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr,
};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Helper};
use std::cell::RefCell;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The longest wait for a requested line to be on the screen. It is there at once unless the
/// terminal is gone.
const PATIENCE: Duration = Duration::from_secs(2);

type Line = rustyline::Editor<Words, DefaultHistory>;

/// An editor of lines at standard input and output.
pub(crate) struct Editor {
    typed: Receiver<Typed>,
    requests: Sender<Request>,
    stage: Arc<Stage>,
    /// Text that waits for the end of the line that is being edited.
    waiting: RefCell<String>,
    /// The modes of the terminal before.
    before: Termios,
}

/// A request for one line.
struct Request {
    /// Without and with colours.
    prompt: (String, String),
    completions: Completions,
}

impl Editor {
    /// Takes over the terminal. `None` if it cannot be controlled.
    pub(crate) fn open() -> Option<Editor> {
        let before = tcgetattr(io::stdin()).ok()?;
        let config = Config::builder()
            .auto_add_history(true)
            .completion_type(CompletionType::List)
            .bracketed_paste(false)
            .build();
        let stage = Arc::new(Stage::default());
        let mut line = Line::with_config(config).ok()?;
        line.set_helper(Some(Words { completions: Vec::new(), stage: Arc::clone(&stage) }));
        let (requests, requested) = unbounded();
        let (sender, typed) = bounded(0);
        let editor = Editor {
            typed,
            requests,
            stage: Arc::clone(&stage),
            waiting: RefCell::default(),
            before: before.clone(),
        };
        let mut between = before.clone();
        between.local_modes -= LocalModes::ICANON | LocalModes::ECHO;
        between.special_codes[SpecialCodeIndex::VMIN] = 1;
        between.special_codes[SpecialCodeIndex::VTIME] = 0;
        // Ctrl-\ would end the program without giving the terminal back.
        between.special_codes[SpecialCodeIndex::VQUIT] =
            before.special_codes[SpecialCodeIndex::VINTR];
        tcsetattr(io::stdin(), OptionalActions::Now, &between).ok()?;
        std::thread::spawn(move || {
            read(line, &requested, &sender, &stage);
            if *stage.lock() == Progress::Closed {
                // `rustyline` has put the terminal into the state between requests.
                let _ = tcsetattr(io::stdin(), OptionalActions::Now, &before);
            }
        });
        Some(editor)
    }

    /// Returns the input.
    pub(crate) fn typed(&self) -> &Receiver<Typed> {
        &self.typed
    }

    /// Requests a line, unless one is being edited.
    ///
    /// # Errors
    ///
    /// The output fails.
    pub(crate) fn ask(&self, prompt: &str, ink: Ink, completions: Completions) -> io::Result<()> {
        let mut progress = self.stage.lock();
        if *progress != Progress::Idle {
            return Ok(());
        }
        show(&self.waiting.take())?;
        let prompt = (prompt.to_string(), ink.paint(Tone::Bold, prompt));
        let request = Request { prompt, completions };
        if self.requests.send(request).is_ok() {
            *progress = Progress::Requested;
        }
        Ok(())
    }

    /// Prints text, after the line that is being edited, if any. The session does not print while a
    /// person is asked, so this rarely waits.
    ///
    /// # Errors
    ///
    /// The output fails.
    pub(crate) fn show(&self, text: &str) -> io::Result<()> {
        self.waiting.borrow_mut().push_str(text);
        match self.stage.settled() {
            Progress::Editing | Progress::Requested => Ok(()),
            Progress::Idle | Progress::Closed => show(&self.waiting.take()),
        }
    }

    /// Gives the terminal back. Later requests are ignored.
    pub(crate) fn close(&self) {
        let progress = self.stage.settled();
        *self.stage.lock() = Progress::Closed;
        // Also if it is closed already: the line may have ended in between. There is nothing to be
        // done if the terminal is gone.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.before);
        if progress == Progress::Editing {
            let _ = show("\n");
        }
        let _ = show(&self.waiting.take());
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        self.close();
    }
}

/// Reads the requested lines until the input ends or the editor is dropped.
fn read(mut line: Line, requests: &Receiver<Request>, typed: &Sender<Typed>, stage: &Stage) {
    for request in requests {
        if let Some(words) = line.helper_mut() {
            words.completions = request.completions;
        }
        let read = match line.readline(&request.prompt) {
            Ok(line) => Typed::Line(line.trim().to_string()),
            Err(ReadlineError::Interrupted) => Typed::Interrupt,
            // A key that is not text in UTF-8.
            Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                Typed::Line(String::new())
            }
            Err(_) => Typed::End,
        };
        let is_closed = stage.advance(Progress::Idle) == Progress::Closed;
        let is_end = !matches!(read, Typed::Line(_));
        if is_closed || typed.send(read).is_err() || is_end {
            return;
        }
    }
}

/// The progress of the requested line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Progress {
    /// No line is requested.
    #[default]
    Idle,
    /// The thread has not taken over the terminal yet.
    Requested,
    /// The line is on the screen.
    Editing,
    /// The terminal was given back.
    Closed,
}

/// The progress, shared by the threads.
#[derive(Debug, Default)]
struct Stage {
    progress: Mutex<Progress>,
    advanced: Condvar,
}

impl Stage {
    fn lock(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes progress, unless the editor is closed. Returns the progress then.
    fn advance(&self, to: Progress) -> Progress {
        let mut progress = self.lock();
        if *progress != Progress::Closed {
            *progress = to;
        }
        self.advanced.notify_all();
        *progress
    }

    /// Returns the progress as soon as a requested line is on the screen.
    fn settled(&self) -> Progress {
        let waited = self
            .advanced
            .wait_timeout_while(self.lock(), PATIENCE, |progress| *progress == Progress::Requested);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

/// What `rustyline` asks about a line: its completions.
struct Words {
    completions: Completions,
    stage: Arc<Stage>,
}

impl Helper for Words {}

impl Validator for Words {}

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok((0, beginning_with(&self.completions, line.get(..position).unwrap_or(line))))
    }
}

/// Returns the lines of the first list that has any beginning with `typed`, whatever their case.
fn beginning_with(completions: &Completions, typed: &str) -> Vec<String> {
    let typed = typed.trim_start().to_lowercase();
    let fitting = completions.iter().map(|lines| {
        lines.iter().filter(|line| line.to_lowercase().starts_with(&typed)).cloned().collect()
    });
    fitting.into_iter().find(|lines: &Vec<String>| !lines.is_empty()).unwrap_or_default()
}

impl Hinter for Words {
    type Hint = String;

    /// Gives no hints. It is called for the first time when the prompt is drawn.
    fn hint(&self, _line: &str, _position: usize, _context: &Context<'_>) -> Option<String> {
        self.stage.advance(Progress::Editing);
        None
    }
}

impl Highlighter for Words {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_list_with_a_fitting_line_completes() {
        let list = |lines: &[&str]| lines.iter().map(ToString::to_string).collect::<Vec<_>>();
        let completions = vec![list(&["taxi 45", "taxi 46", "board"]), list(&["t 45", "t 46"])];
        for (typed, expected) in [
            ("ta", &["taxi 45", "taxi 46"][..]),
            ("  TA", &["taxi 45", "taxi 46"]),
            ("t 4", &["t 45", "t 46"]),
            ("", &["taxi 45", "taxi 46", "board"]),
            ("x", &[]),
        ] {
            assert_eq!(beginning_with(&completions, typed), expected, "{typed:?}");
        }
    }
}
