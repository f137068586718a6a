//! The log of something that a class watches while it is done: text in lines, stored in parts.

use crate::files::Class;
use botyard_protocol::printable;
use botyard_runner::Error;
use rusqlite::Transaction;
use std::time::{Duration, Instant};

/// How long text waits for more before it is stored.
const TOGETHER: Duration = Duration::from_millis(300);

/// The longest line, in characters.
pub(crate) const LINE: usize = 1000;

/// Stores a part of a log.
type Store<'a> = Box<dyn Fn(&Transaction<'_>, &str) -> rusqlite::Result<()> + 'a>;

/// A log that is being written.
pub(crate) struct Log<'a> {
    class: &'a Class,
    store: Store<'a>,
    /// A directory of the class, which is left out of the paths of its files.
    place: String,
    text: String,
    /// Since when text waits.
    since: Option<Instant>,
}

impl<'a> Log<'a> {
    /// Begins a log whose parts `store` stores. Paths in the directory `place` are shown without it.
    pub(crate) fn new(
        class: &'a Class,
        place: &str,
        store: impl Fn(&Transaction<'_>, &str) -> rusqlite::Result<()> + 'a,
    ) -> Log<'a> {
        let place = place.to_string();
        Log { class, store: Box::new(store), place, text: String::new(), since: None }
    }

    /// Adds text, in lines.
    ///
    /// # Errors
    ///
    /// The database cannot be used.
    pub(crate) fn add(&mut self, text: &str) -> Result<(), Error> {
        for line in text.replace(&self.place, "").split_inclusive('\n') {
            match line.strip_suffix('\n') {
                Some(line) => self.text.push_str(&format!("{}\n", printable(line, LINE))),
                None => self.text.push_str(&printable(line, LINE)),
            }
        }
        let since = *self.since.get_or_insert_with(Instant::now);
        if since.elapsed() >= TOGETHER { self.flush() } else { Ok(()) }
    }

    /// Stores what waits.
    ///
    /// # Errors
    ///
    /// The database cannot be used.
    pub(crate) fn flush(&mut self) -> Result<(), Error> {
        self.since = None;
        let text = std::mem::take(&mut self.text);
        if text.is_empty() {
            return Ok(());
        }
        let stored = self.class.database.write(|transaction| (self.store)(transaction, &text));
        self.class.announce();
        stored
    }
}
