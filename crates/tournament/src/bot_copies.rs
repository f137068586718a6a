//! The copies of the bots that a tournament plays with: made at its start, checked when it is
//! resumed.

use crate::directory::Directory;
use crate::game_copy::{bundle_of_game, keep_game};
use crate::setup::Setup;
use botyard_engine::registry::plain_name;
use botyard_league::schedule::{Format, Stage};
use botyard_league::store::{Definition, KeptBot, KeptGame, StoredCopies};
use botyard_referee::{BotCommand, Interrupt, Source};
use botyard_runner::bots::bundle::{Bundle, BundleError, Copies, Surroundings};
use botyard_runner::{Error, Programs};
use std::path::{Path, PathBuf};

/// The bots of a tournament file, copied.
#[derive(Debug)]
pub struct KeptBots {
    /// The bundle of each bot in the file, or why there is none, in words for its author.
    pub bots: Vec<Result<Bundle, String>>,
    /// The bundles of the gate's bots.
    pub gate: Vec<Bundle>,
    /// The game, if its rules are a program.
    game: Option<KeptGame>,
    copies: Copies,
}

impl KeptBots {
    /// Copies every bot of a file and of its gate, and makes the setup run the copies. The files
    /// `apart` belong to no bot.
    ///
    /// # Errors
    ///
    /// A bot of the gate makes no bundle, the host fails, or an interrupt. All copies are removed
    /// then.
    pub fn copy(
        setup: &mut Setup,
        directory: &Directory,
        apart: &[PathBuf],
        programs: &Programs,
        interrupt: Option<&Interrupt>,
    ) -> Result<KeptBots, Error> {
        let copies = Copies::create(&directory.bundles())?;
        let mut kept = KeptBots { bots: Vec::new(), gate: Vec::new(), game: None, copies };
        match kept.copy_all(setup, directory, apart, programs, interrupt) {
            Ok(()) => Ok(kept),
            Err(error) => {
                kept.discard();
                Err(error)
            }
        }
    }

    fn copy_all(
        &mut self,
        setup: &mut Setup,
        directory: &Directory,
        apart: &[PathBuf],
        programs: &Programs,
        interrupt: Option<&Interrupt>,
    ) -> Result<(), Error> {
        self.game = keep_game(
            &setup.file.game.value,
            (&setup.seats, setup.scores),
            &mut self.copies,
            &setup.containment(),
            programs,
            interrupt,
        )?;
        let mut around = Around::of(setup, directory)?;
        around.others.extend(apart.iter().filter_map(|path| path.canonicalize().ok()));
        self.copy_bots(setup, &around, programs, interrupt)?;
        for bot in &mut setup.gate_bots {
            let around = around.of_bot(bot);
            let kept = self.copies.keep(bot, around.surroundings(), programs, interrupt);
            let bundle = kept.map_err(|error| match error.of_author() {
                Ok(error) => {
                    let error = error.in_words(&programs.advice());
                    Error::usage(format!("[gate], bot {}: {error}", bot.name))
                }
                Err(error) => error,
            })?;
            *bot = bundle.command(&bot.name, self.copies.path(), programs);
            self.gate.push(bundle);
        }
        Ok(())
    }

    fn copy_bots(
        &mut self,
        setup: &mut Setup,
        around: &Around,
        programs: &Programs,
        interrupt: Option<&Interrupt>,
    ) -> Result<(), Error> {
        for (bot, unusable) in setup.bots.iter_mut().zip(&setup.unusable) {
            if let Some(error) = unusable {
                self.bots.push(Err(error.clone()));
                continue;
            }
            let around = around.of_bot(bot);
            let kept = self.copies.keep(bot, around.surroundings(), programs, interrupt);
            self.bots.push(match kept {
                Ok(bundle) => {
                    let command = bundle.command(&bot.name, self.copies.path(), programs);
                    *bot = BotCommand { time: bot.time, ..command };
                    Ok(bundle)
                }
                Err(error) => Err(error.of_author()?.in_words(&programs.advice())),
            });
        }
        Ok(())
    }

    /// Copies these bots of a file, without its gate, and returns a setup of them alone that runs
    /// the copies.
    ///
    /// # Errors
    ///
    /// A failure of the host, or an interrupt. All copies are removed then.
    pub(super) fn copy_some(
        setup: &Setup,
        chosen: &[usize],
        directory: &Directory,
        programs: &Programs,
        interrupt: Option<&Interrupt>,
    ) -> Result<(Setup, KeptBots), Error> {
        let around = Around::of(setup, directory)?;
        let mut some = setup.only(chosen);
        let copies = Copies::create(&directory.bundles())?;
        let mut kept = KeptBots { bots: Vec::new(), gate: Vec::new(), game: None, copies };
        match kept.copy_bots(&mut some, &around, programs, interrupt) {
            Ok(()) => Ok((some, kept)),
            Err(error) => {
                kept.discard();
                Err(error)
            }
        }
    }

    /// Removes the copies that were made.
    pub fn discard(self) {
        self.copies.discard();
    }

    /// Returns what a tournament between these bots of the file stores.
    ///
    /// # Panics
    ///
    /// Never: every field of a bundle is JSON.
    pub fn kept(&self, setup: &Setup, entrants: &[usize]) -> StoredCopies {
        let bot = |entry: &BotCommand, bundle: &Bundle| KeptBot {
            entry: entry.name.clone(),
            bundle: serde_json::to_value(bundle).expect("a bundle is JSON: see its fields"),
            replaced_by: None,
        };
        let entrants_kept = entrants
            .iter()
            .filter_map(|&index| Some(bot(&setup.bots[index], self.bots[index].as_ref().ok()?)));
        let gate = setup.gate_bots.iter().zip(&self.gate).map(|(entry, it)| bot(entry, it));
        StoredCopies {
            gate: gate.collect(),
            game: self.game.clone(),
            ..setup.copies(entrants_kept.collect(), setup.stage(entrants))
        }
    }
}

/// The surroundings of the bots in a tournament file.
pub(crate) struct Around {
    readable: Vec<PathBuf>,
    /// The tournament file, the tournament's directory, and the directories of bots.
    others: Vec<PathBuf>,
}

/// The surroundings of one bot.
pub(crate) struct AroundBot<'a> {
    readable: &'a [PathBuf],
    without: Vec<PathBuf>,
}

impl Around {
    /// Returns the surroundings of a file's bots before they are copied.
    ///
    /// # Errors
    ///
    /// A path in `read` does not exist.
    pub(crate) fn of(setup: &Setup, directory: &Directory) -> Result<Around, Error> {
        let own = |bot: &BotCommand| match bot.source {
            Source::CommandLine => None,
            Source::Directory | Source::Manifest => bot.directory.clone(),
        };
        let others = [setup.path.clone(), directory.path().to_path_buf()].into_iter();
        let game = botyard_runner::game_programs::loaded(&setup.file.game.value);
        let others = others.chain(game.map(|game| game.directory.clone()));
        let others = others.chain(setup.bots.iter().filter_map(own));
        Ok(Around {
            readable: setup.readable()?,
            others: others.filter_map(|path| path.canonicalize().ok()).collect(),
        })
    }

    /// Returns the surroundings of one bot.
    pub(crate) fn of_bot(&self, bot: &BotCommand) -> AroundBot<'_> {
        let own = bot.directory.as_deref().and_then(|own| own.canonicalize().ok());
        let without = self.others.iter().filter(|path| own.as_ref() != Some(path));
        AroundBot { readable: &self.readable, without: without.cloned().collect() }
    }
}

impl AroundBot<'_> {
    /// Returns the same in the form that a bundle takes.
    pub(crate) fn surroundings(&self) -> Surroundings<'_> {
        Surroundings { readable: self.readable, without: &self.without, sources_alone: false }
    }
}

/// Reads the bundle of a bot from its stored form.
///
/// # Errors
///
/// This version cannot read it.
pub(crate) fn bundle_of(bot: &KeptBot) -> Result<Bundle, Error> {
    serde_json::from_value(bot.bundle.clone()).map_err(|error| {
        Error::host(format!("the stored bundle of the bot {:?} cannot be read: {error}", bot.entry))
    })
}

/// Checks that the copies of the active bots have not changed.
///
/// # Errors
///
/// A copy is damaged or missing, and the message names its bot; or an interrupt.
pub(crate) fn check_copies(
    directory: &Path,
    definition: &Definition,
    kept: &StoredCopies,
    interrupt: Option<&Interrupt>,
) -> Result<(), Error> {
    match damaged_copies(directory, definition, kept, interrupt)?.first() {
        None => Ok(()),
        Some(damage) => Err(Error::host(format!(
            "{damage}\nRestore it from a backup of the tournament's directory"
        ))),
    }
}

/// Returns what is wrong with each damaged or missing copy of an active bot, as text.
///
/// # Errors
///
/// This version cannot read a stored bundle, or an interrupt.
pub(super) fn damaged_copies(
    directory: &Path,
    definition: &Definition,
    kept: &StoredCopies,
    interrupt: Option<&Interrupt>,
) -> Result<Vec<String>, Error> {
    let copies = crate::directory::bundles(directory);
    let mut damaged = Vec::new();
    let mut bundles = Vec::new();
    if let Some(game) = &kept.game {
        bundles.push((format!("game {}", plain_name(&definition.game)), bundle_of_game(game)?));
    }
    for (entrant, bot) in definition.entrants.iter().zip(&kept.bots) {
        if bot.replaced_by.is_none() {
            bundles.push((format!("bot {}", entrant.name), bundle_of(bot)?));
        }
    }
    for (owner, bundle) in bundles {
        let Some(files) = &bundle.files else { continue };
        if let Err(error) = Copies::check_in(&copies, &bundle, interrupt) {
            let what = match error {
                BundleError::Interrupted => return Err(Error::Interrupted),
                BundleError::Damaged { found, .. } => {
                    format!("has changed (its files have the digest {found})")
                }
                error => format!("cannot be used: {error}"),
            };
            damaged.push(format!(
                "the copy of the {owner} in {} {what}",
                copies.join(files).display()
            ));
        }
    }
    Ok(damaged)
}

/// Returns the stage in which these of a file's bots play the file's format.
pub(super) fn stage(setup: &Setup, entrants: &[usize]) -> Stage {
    let format = setup.format(entrants);
    Stage {
        bots: (0..entrants.len()).collect(),
        challengers: match &format {
            Format::Gauntlet { challengers } => challengers.clone(),
            _ => Vec::new(),
        },
        blocks: setup.file.blocks,
        rounds: match format {
            Format::Swiss { rounds } => Some(rounds),
            _ => None,
        },
    }
}
