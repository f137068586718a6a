//! The differences between a tournament's own copies and their originals, the tournament file and
//! the bots. The tournament continues with its copies; each difference is reported with the way to
//! adopt it.

use crate::bot_copies::{Around, bundle_of};
use crate::directory::{Directory, FILE};
use crate::setup::Setup;
use botyard_engine::registry::plain_name;
use botyard_league::store::{Definition, StoredCopies};
use botyard_league::tournament_file::{Remedy, TournamentFile, file_changes};
use botyard_replay::text_file;
use botyard_runner::bots::bundle::Bundle;
use botyard_runner::settings::{EXTEND, RUN_CONCURRENCY, UPDATE};
use botyard_runner::{Error, Message, Programs, message};
use std::io;
use std::path::Path;

/// Returns every difference between the stored copies and the originals, each as a sentence without
/// a full stop. Missing originals are not reported.
pub(crate) fn changes(
    directory: &Directory,
    definition: &Definition,
    kept: &StoredCopies,
    programs: &Programs,
) -> Vec<Message> {
    let mut notes = Vec::new();
    let shown = directory.path().display().to_string();
    let path = Path::new(&kept.path);
    let file = changed_text(path, definition, &mut notes);
    if let Some(text) = &file {
        notes.extend(of_file(&kept.path, definition, text, &shown));
    }
    let copy = directory.path().join(FILE);
    if let Some(text) = changed_text(&copy, definition, &mut notes) {
        let lines = file_changes(&definition.file, &text);
        let lines = lines.iter().map(|change| format!("{}, {change}", copy.display()));
        notes.extend(lines.map(|line| {
            message![line, ": it is ignored, because this file is a copy of ", kept.path]
        }));
    }
    // An invalid file has been reported already.
    let text = file.clone().unwrap_or_else(|| definition.file.clone());
    let is_file = TournamentFile::read(&kept.path, &definition.name, &text).is_ok();
    if !path.exists() || !is_file {
        return notes;
    }
    let base = path.parent().unwrap_or(Path::new("/")).to_path_buf();
    let (name, stem) = (kept.path.as_str(), definition.name.as_str());
    match Setup::new(name, stem, text, base, Some(definition.draws), programs) {
        Ok(setup) => {
            let setup = Setup { path: path.to_path_buf(), ..setup };
            if file.is_none() && setup.digest != definition.digest {
                notes.push(message![
                    "the openings or rules have changed in the files that ",
                    kept.path,
                    " names: the tournament continues with its own copy of them"
                ]);
            }
            let game = plain_name(&definition.game);
            if setup.file.game.value != definition.game
                && plain_name(&setup.file.game.value) == game
            {
                let then = "the tournament continues with its own copy of it";
                notes.push(format!("the program of the game {game} has changed: {then}").into());
            }
            notes.extend(of_bots(&setup, directory, definition, kept, programs));
        }
        Err(error) => notes.push(message![
            "the files that ",
            kept.path,
            " names have changed or are missing: the tournament continues with its own copies\n",
            error.message()
        ]),
    }
    notes
}

/// Returns the text of a file that differs from its copy.
fn changed_text(path: &Path, definition: &Definition, notes: &mut Vec<Message>) -> Option<String> {
    match text_file::read(path) {
        Ok(text) if text == text_file::plain(&definition.file) => None,
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => {
            notes.push(message![
                path.display(),
                " cannot be compared with the tournament's copy of it: ",
                error
            ]);
            None
        }
    }
}

fn of_file(path: &str, definition: &Definition, after: &str, directory: &str) -> Vec<Message> {
    if let Err(problems) = TournamentFile::read(path, &definition.name, after) {
        return vec![message![
            path,
            " has changed and is not a valid tournament file any more; the tournament continues with its \
             own copy\n",
            problems
        ]];
    }
    let changes = file_changes(&definition.file, after);
    if changes.is_empty() {
        return vec![message![path, " has changed in comments or layout only"]];
    }
    let line = |change: &botyard_league::tournament_file::FileChange| {
        let then = match &change.remedy {
            Remedy::Extend => {
                message!["it is not adopted yet; ", EXTEND.with(directory), " adopts it"]
            }
            Remedy::Update(bot) => {
                let update =
                    UPDATE.with(format!("{directory} {}", botyard_runner::words::quoted(bot)));
                message!["it is not adopted yet; ", update, " enters the new version"]
            }
            Remedy::Run => message!["it is ignored; ", RUN_CONCURRENCY, " sets it for a run"],
            Remedy::Nothing => {
                message!["it is ignored: a started tournament cannot adopt it; run a new one"]
            }
        };
        message![path, ", ", change, ": ", then]
    };
    changes.iter().map(line).collect()
}

fn of_bots(
    setup: &Setup,
    directory: &Directory,
    definition: &Definition,
    kept: &StoredCopies,
    programs: &Programs,
) -> Vec<Message> {
    let mut notes = Vec::new();
    let Ok(around) = Around::of(setup, directory) else { return notes };
    for (bot, unusable) in setup.bots.iter().zip(&setup.unusable) {
        let is_current = |other: &&botyard_league::store::KeptBot| {
            other.entry == bot.name && other.replaced_by.is_none()
        };
        let now = kept.bots.iter().find(is_current);
        let was_rejected =
            || definition.rejected.iter().any(|rejected| rejected.entrant.name == bot.name);
        let known = match now {
            Some(now) => bundle_of(now).map(|bundle| bundle.digest).ok(),
            // The name of an unusable bot may have been in its manifest.
            None if unusable.is_some() && !was_rejected() => None,
            None => continue,
        };
        let found = match unusable {
            Some(error) => Err(error.clone()),
            None => Bundle::of(bot, around.of_bot(bot).surroundings(), programs, None)
                .map(|bundle| bundle.digest)
                .map_err(|error| error.in_words(&programs.advice())),
        };
        if known.is_some() && known.as_ref() == found.as_ref().ok() {
            continue;
        }
        let place = bot
            .directory
            .as_deref()
            .map_or(String::new(), |place| format!(" in {}", place.display()));
        let shown = directory.path().display();
        let name = botyard_runner::words::quoted(&bot.name);
        notes.push(match found {
            Ok(_) => message![
                format!(
                    "the bot {}{place} has changed since it was copied for {}: the tournament continues with \
                     its own copy, and ",
                    bot.name, definition.name
                ),
                UPDATE.with(format!("{shown} {name}")),
                " enters the new version"
            ],
            Err(error) => message![format!(
                "the bot {}{place} can no longer be entered ({error}): the tournament continues with its own \
                 copy",
                bot.name
            )],
        });
    }
    notes
}

/// Checks that these remedies adopt every difference.
///
/// # Errors
///
/// The differences that they do not adopt, line by line.
pub(super) fn check_adoptable(
    path: &str,
    before: &str,
    after: &str,
    adopts: impl Fn(&Remedy) -> bool,
    then: &str,
) -> Result<(), Error> {
    let others = file_changes(before, after).into_iter();
    let others: Vec<String> = others
        .filter(|change| change.remedy != Remedy::Run && !adopts(&change.remedy))
        .map(|change| format!("{path}, {change}"))
        .collect();
    if others.is_empty() {
        return Ok(());
    }
    Err(Error::usage(format!("{}\n{then}", others.join("\n"))))
}
