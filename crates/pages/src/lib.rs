//! The pages of a tournament, as a directory of files that needs no server: `index.html` with the
//! standings, a page for each bot, and pages of recorded games. They look like the pages of games,
//! load nothing, and can be read without scripts.
//!
//! * [`make`] reads a tournament and writes its pages. Every file is replaced atomically, the index
//!   last.
//! * [`Site`] is the same without files: the texts of the pages.
//!
//! Names, teams, versions, reasons and the evidence of faults are untrusted. They become text alone
//! ([`maud`] escapes them), with characters that act unseen made visible ([`printable`]), isolated
//! from the direction of the text around them, and shortened where a table has no room.
//!
//! The pages are public: they have no ID of a student, no standard error and, before it is revealed,
//! no secret. The page of a game shows the whole game.
//!
//! ```no_run
//! use botyard_pages::{Options, make};
//!
//! let made = make("class.tournament".as_ref(), "pages".as_ref(), Options::default(), &mut |_, _| {})?;
//! println!("{} bots: {}", made.bots, made.index.display());
//! # Ok::<(), botyard_pages::PagesError>(())
//! ```
//!
//! [`printable`]: botyard_protocol::printable

#![deny(clippy::unwrap_used)]
#![warn(unreachable_pub)]

pub mod board;
mod bot;
pub mod chart;
pub mod games;
mod index;
mod output;
pub mod pieces;
mod site;

pub use games::{Games, ShownFault, ShownGame};
pub use pieces::STYLE;
pub use site::Site;

use botyard_tournament::Report;
use output::Output;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// What is made, and where.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The games that have a page.
    pub games: Games,
    /// Whether to write into a directory with other files, which stay.
    pub force: bool,
}

/// Pages that were written.
#[derive(Clone, Debug)]
pub struct Made {
    /// The page to open first.
    pub index: PathBuf,
    /// The number of bots, each of which has a page.
    pub bots: usize,
    /// The number of pages of games.
    pub games: usize,
    /// The number of games with a fault that have no page, because there are too many.
    pub left_out: usize,
    /// What a user should know, such as replays that cannot be read: sentences without a full stop.
    pub warnings: Vec<String>,
}

/// Why there are no pages.
#[derive(Debug, thiserror::Error)]
pub enum PagesError {
    /// The tournament cannot be read.
    #[error(transparent)]
    Tournament(#[from] botyard_runner::Error),
    /// The place for the pages is a file.
    #[error("{} is not a directory", .0.display())]
    NotADirectory(PathBuf),
    /// The directory for the pages has other files.
    #[error("the directory {} is not empty, and its files are not pages of a tournament", .0.display())]
    Foreign(PathBuf),
    /// A file cannot be written.
    #[error("cannot write {}: {error}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
}

/// Makes the pages of the tournament in a directory, which may be being played, and writes them to
/// `out`. `progress` gets the number of games that were read and the number of those to read.
///
/// The directory `out` must be new, empty, or that of an earlier call, whose files are replaced;
/// those that are no longer needed are removed.
///
/// # Errors
///
/// The directory has no tournament, `out` has other files, or a file cannot be written.
pub fn make(
    directory: &Path,
    out: &Path,
    options: Options,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Made, PagesError> {
    let report = Report::read(directory)?;
    let selected = games::selected(&report.games, options.games);
    let with_fault = report.games.iter().filter(|game| !game.faults.is_empty()).count();
    let shown_faults = selected.iter().filter(|&&game| !report.games[game].faults.is_empty());
    let left_out = with_fault - shown_faults.count();
    let pages = match options.games {
        Games::None => &[][..],
        Games::Faults | Games::All => &selected[..],
    };
    let mut files = site::bot_files(&report.entrants);
    files.extend(pages.iter().filter_map(|&game| games::page_name(&report.games[game])));
    files.push(INDEX.into());
    let mut output = Output::open(out, &report.results.definition.name, files, options.force)?;

    let mut tiers: BTreeSet<String> = games::tiers(directory, &report.games);
    let mut shown = Vec::with_capacity(selected.len());
    let mut warnings = Vec::new();
    for (done, &game) in selected.iter().enumerate() {
        progress(done, selected.len());
        let with_page = options.games != Games::None;
        let read = games::read(directory, game, &report.games[game], with_page);
        if let (Some(name), Some(html)) = (&read.game.page, &read.html) {
            output.write(name, html)?;
        }
        tiers.extend(read.tier);
        warnings.extend(read.game.problem.clone());
        shown.push(read.game);
    }
    progress(selected.len(), selected.len());
    let games = shown.iter().filter(|game| game.page.is_some()).count();
    let site = Site::new(report, shown, tiers, left_out);
    for (name, html) in site.bots() {
        output.write(&name, &html)?;
    }
    output.write(INDEX, &site.index())?;
    let index = output.finish(INDEX)?;
    Ok(Made { index, bots: site.report.entrants.len(), games, left_out, warnings })
}

/// The name of the page with the standings.
const INDEX: &str = "index.html";

/// Returns the usual place for the pages of the tournament in a directory: `NAME.pages` in the
/// current directory.
pub fn default_place(directory: &Path) -> PathBuf {
    let absolute = std::path::absolute(directory).unwrap_or_else(|_| directory.to_path_buf());
    let stem = absolute.file_stem().unwrap_or("tournament".as_ref()).to_string_lossy();
    PathBuf::from(format!("{stem}.pages"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_the_name_of_the_tournament() {
        for (directory, expected) in [
            ("class.tournament", "class.pages"),
            ("/srv/class.of.2026.tournament/", "class.of.2026.pages"),
            ("/", "tournament.pages"),
        ] {
            assert_eq!(default_place(Path::new(directory)), Path::new(expected));
        }
    }
}
