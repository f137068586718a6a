//! The plan of a game with a person: checked rules, seats, clock of the bots and place of the
//! replay.

use super::saved::{SavedGame, Settings, settings};
use crate::bots::{check_built, spec};
use crate::message;
use crate::message::Message;
use crate::settings::{AGAINST, MOVE_MS, NAME, SEATS};
use crate::{
    ContainmentConfig, Error, Plan, PlannedBot, Programs, StartConfig, TimeConfig, read_openings,
    tables_within,
};
use crate::{game_models, game_programs};
use botyard_engine::registry::{TableMaker, plain_name, tables_with_rules};
use botyard_engine::rules::did_you_mean;
use botyard_league::replay_names::attempt_name;
use botyard_league::schedule::{Schedule, ScheduledGame};
use botyard_protocol::{Limits, TimeControl, printable};
use botyard_referee::{Backend, SeatClock, Wrapper};
use botyard_replay::{Adjudicator, SeatHolder, replay_file_name};
use std::fs;
use std::path::{Path, PathBuf};

/// The longest name of a person, in characters.
const NAME_CHARACTERS: usize = 60;

/// The configuration of a game with a person.
#[derive(Clone, Debug)]
pub struct PlayConfig {
    /// The name of the game.
    pub game: String,
    /// The names of the person's seats.
    pub seats: Vec<String>,
    /// The bots for the other seats: one for all seats, or one for each, in seat order.
    pub against: Vec<String>,
    /// The bot for all other seats if `against` is empty.
    pub default_bot: Option<String>,
    /// Rules, openings and seed.
    pub start: StartConfig,
    /// The number of the game among those with this start, from 1: each has draws of its own.
    pub number: u32,
    /// The time limit of a bot per move, in milliseconds.
    pub move_ms: u64,
    /// Limits of the protocol that bots must keep.
    pub limits: Limits,
    /// The person's name in the game and its replay.
    pub name: String,
    /// The containment of bots.
    pub containment: ContainmentConfig,
    /// The directory for the replay. `None`: no replay is saved.
    pub out: Option<PathBuf>,
    /// Whether hints and undo are disabled.
    pub rated: bool,
}

/// A game with a person that can be played.
pub struct PlayPlan {
    /// Makes tables of the game under the rules.
    pub tables: TableMaker,
    /// The game: its id, seed and opening.
    pub game: ScheduledGame,
    /// The names of the seats, in seat order.
    pub seats: Vec<String>,
    /// The holder of each seat: 0 is the person, and bots are numbered from 1.
    pub holders: Vec<usize>,
    /// The person's name.
    pub name: String,
    /// The bots.
    pub bots: Vec<PlannedBot>,
    /// The back end that runs the bots.
    pub backend: Backend,
    /// The user's command that runs the bots, if any.
    pub wrapper: Option<Wrapper>,
    /// The clock of the bots.
    pub time: TimeControl,
    /// Limits of the protocol that bots must keep.
    pub limits: Limits,
    /// The directory for the replay. `None`: no replay is saved.
    pub out: Option<PathBuf>,
    /// The executable of `botyard`.
    pub botyard: PathBuf,
    /// What the person should know before the game.
    pub warnings: Vec<Message>,
    /// Whether turns of the bots list the legal actions. Those of the person always do.
    pub(super) send_legal: bool,
    /// Whether bots are stopped outside their turns even if they are not contained.
    pub(super) freeze: bool,
    /// The rules that end a game whose result is clear, if any.
    pub(super) adjudicator: Option<Adjudicator>,
    /// What a save has besides the replay; `None` for a game that is not saved.
    pub(super) settings: Option<Settings>,
}

impl PlayPlan {
    /// Makes the plan of a configuration, and the directory for the replay.
    ///
    /// # Errors
    ///
    /// The configuration makes no game, or the directory cannot be created.
    pub fn new(config: &PlayConfig, programs: &Programs) -> Result<PlayPlan, Error> {
        let game =
            game_programs::named(&config.game, Path::new(""), &config.containment, programs)?;
        let start = &config.start;
        // A single bot may hold any number of seats; several bots hold one seat each.
        let players = Some(config.against.len()).filter(|&bots| bots > 1);
        let players = players.map(|bots| bots + config.seats.len());
        let (game, preset) = ((game.as_str(), &config.containment), start.rules.as_deref());
        let (tables, _) = tables_within(game, preset, &start.changes, players)?;
        let table = tables();
        let seats = table.seats().to_vec();
        let own = own_seats(config, &seats)?;
        let against = against(config, table.game(), seats.len() - own.len(), programs)?;
        let mut bots = spec::commands(&against, table.game(), programs).map_err(Error::usage)?;
        check_built(&bots)?;
        let holders = holders(&own, seats.len(), bots.len());
        if printable(&config.name, NAME_CHARACTERS) != config.name || config.name.is_empty() {
            return Err(Error::usage(message![
                NAME,
                format!(
                    ": expected 1 to {NAME_CHARACTERS} printable characters, got {:?}",
                    printable(&config.name, NAME_CHARACTERS)
                )
            ]));
        }
        if bots.iter().any(|bot| bot.name == config.name) {
            return Err(Error::usage(message![
                format!("a bot is already called {}; choose another name with ", config.name),
                NAME
            ]));
        }
        let time = TimeConfig { move_ms: Some(config.move_ms), ..TimeConfig::default() }.control();
        SeatClock::new(&time).map_err(|error| Error::usage(error).within(MOVE_MS))?;
        let schedule = Schedule {
            game: table.game(),
            draws: start.draws(plain_name(table.game()))?,
            bots: seats.len(),
            games: config.number,
            fixed_seats: true,
            openings: match &start.openings {
                Some(name) => read_openings(name, &mut *tables())?,
                None => Vec::new(),
            },
        };
        if let Some(directory) = &config.out {
            fs::create_dir_all(directory).map_err(|error| {
                let directory = directory.display();
                Error::host(format!("the replay cannot be written to {directory}: {error}"))
            })?;
        }
        let containment = &config.containment;
        let mut warnings = Vec::new();
        let tier = containment.tier(&mut bots, &programs.launcher, &mut warnings)?;
        game_models::give_model(tier, table.game(), &mut bots, programs)?;
        let bots = containment.of_bots(tier, bots, programs, config.out.as_deref())?;
        Ok(PlayPlan {
            backend: containment.backend,
            wrapper: containment.wrapper()?,
            game: schedule.game(config.number),
            name: config.name.clone(),
            limits: config.limits,
            out: config.out.clone(),
            tables,
            seats,
            holders,
            bots,
            time,
            botyard: programs.botyard.clone(),
            warnings,
            send_legal: true,
            freeze: false,
            adjudicator: None,
            settings: Some(settings(against, &config.containment, config.rated)),
        })
    }

    /// Makes the plan of a saved game: the same rules, seed, seats, bots and limits. Nothing of it is
    /// recorded in a directory.
    ///
    /// # Errors
    ///
    /// The rules, a bot or the containment are not available here, or a bot has another name.
    pub fn resume(saved: &SavedGame, programs: &Programs) -> Result<PlayPlan, Error> {
        let SavedGame { header, settings, file, .. } = saved;
        let refuse = |reason: String| Error::usage(format!("{}: line 1: {reason}", file.display()));
        let tables = tables_with_rules(&header.game, &header.rules)
            .map_err(|error| refuse(error.to_string()))?;
        let table = tables();
        let seed = header.seed.ok_or_else(|| refuse("the seed is missing".to_string()))?;
        let mut bots =
            spec::commands(&settings.against, table.game(), programs).map_err(|error| {
                Error::usage(format!(
                    "a bot of the saved game, given in {}: {error}",
                    settings.directory.display()
                ))
            })?;
        let names: Vec<&str> = header.players.iter().map(|player| player.name.as_str()).collect();
        let given: Vec<&str> = bots.iter().map(|bot| bot.name.as_str()).collect();
        let Some((name, recorded)) = names.split_first() else {
            return Err(refuse("the players are missing".to_string()));
        };
        if given != recorded {
            return Err(refuse(format!(
                "expected the bots {}, got {} from the settings beside it",
                recorded.join(", "),
                given.join(", ")
            )));
        }
        let holder = |seat: &SeatHolder| names.iter().position(|name| *name == seat.player);
        let holders: Option<Vec<usize>> = header.seats.iter().map(holder).collect();
        let holders = holders.ok_or_else(|| refuse("a seat has no player".to_string()))?;
        let seats = table.seats().to_vec();
        if holders.len() != seats.len() {
            return Err(refuse(format!(
                "expected {} seats under its rules, got {}",
                seats.len(),
                holders.len()
            )));
        }
        let containment = &settings.containment;
        let mut warnings = Vec::new();
        let tier = containment.tier(&mut bots, &programs.launcher, &mut warnings)?;
        game_models::give_model(tier, table.game(), &mut bots, programs)?;
        let bots = containment.of_bots(tier, bots, programs, None)?;
        Ok(PlayPlan {
            backend: containment.backend,
            wrapper: containment.wrapper()?,
            game: ScheduledGame {
                number: 1,
                block: 1,
                id: header.game_id.clone(),
                seed,
                seats: (0..seats.len()).collect(),
                opening: saved.opening.clone(),
                attempt: 1,
                void_at: None,
            },
            name: name.to_string(),
            limits: header.limits,
            out: None,
            tables,
            seats,
            holders,
            bots,
            time: header.time_control.clone(),
            botyard: programs.botyard.clone(),
            warnings,
            send_legal: true,
            freeze: false,
            adjudicator: None,
            settings: Some(settings.clone()),
        })
    }

    /// Makes the plan of a game under the conditions of a plan, in which the person takes a seat and the plan's
    /// bots the others, each with the start, the containment and the clock that it has there. Its turns, legal
    /// actions and adjudication are those of the plan as well. A contained bot is stopped in the person's turns,
    /// even where bots may ponder: a person has no clock. No replay is written.
    ///
    /// # Errors
    ///
    /// There is no such seat, or the number of bots is not that of the other seats.
    pub fn of_plan(
        plan: Plan,
        game: ScheduledGame,
        seat: &str,
        programs: &Programs,
    ) -> Result<PlayPlan, Error> {
        let seats = plan.seats;
        let Some(own) = seats.iter().position(|its| its == seat) else {
            return Err(Error::usage(format!(
                "there is no seat {}; the seats are {}",
                printable(seat, NAME_CHARACTERS),
                seats.join(", ")
            )));
        };
        if plan.bots.len() + 1 != seats.len() {
            return Err(Error::usage(format!(
                "expected {} bots for the other seats, got {}",
                seats.len() - 1,
                plan.bots.len()
            )));
        }
        let mut name = "person".to_string();
        while plan.bots.iter().any(|bot| bot.name() == name) {
            name.push('+');
        }
        Ok(PlayPlan {
            holders: holders(&[own], seats.len(), plan.bots.len()),
            tables: plan.tables,
            game,
            seats,
            name,
            bots: plan.bots,
            backend: plan.backend,
            wrapper: plan.wrapper,
            time: plan.time,
            limits: plan.limits,
            out: None,
            botyard: programs.botyard.clone(),
            warnings: plan.warnings,
            send_legal: plan.send_legal,
            freeze: plan.freeze,
            adjudicator: plan.adjudicator,
            settings: None,
        })
    }

    /// Returns whether hints and undo are disabled.
    pub fn is_rated(&self) -> bool {
        self.settings.as_ref().is_some_and(|settings| settings.rated)
    }

    /// Returns the path of the replay of an attempt, counted from 1, in a directory.
    pub fn replay_in(&self, directory: &Path, attempt: u32) -> PathBuf {
        directory.join(replay_file_name(&attempt_name(&self.game.id, attempt)))
    }

    /// Returns the indices of the person's seats.
    pub fn own_seats(&self) -> impl Iterator<Item = usize> {
        let holders = self.holders.iter().enumerate();
        holders.filter(|&(_, &holder)| holder == 0).map(|(seat, _)| seat)
    }

    /// Returns the name of a seat's holder.
    pub fn holder_name(&self, seat: usize) -> &str {
        match self.holders.get(seat) {
            Some(0) => "you",
            Some(&bot) => self.bots.get(bot - 1).map_or("", PlannedBot::name),
            None => "",
        }
    }
}

/// Returns the indices of the person's seats.
fn own_seats(config: &PlayConfig, seats: &[String]) -> Result<Vec<usize>, Error> {
    if config.seats.is_empty() {
        let any = Message::joined(seats.iter().map(|seat| SEATS.with(seat)), " or ");
        return Err(Error::usage(message!["no seat selected: add ", any]));
    }
    let mut own = Vec::new();
    for name in &config.seats {
        let Some(seat) = seats.iter().position(|seat| seat == name) else {
            return Err(Error::usage(message![
                SEATS.with(name),
                format!(
                    ": there is no such seat{}; the seats of {} under these rules are {}",
                    did_you_mean(name, seats),
                    config.game,
                    seats.join(", ")
                )
            ]));
        };
        if !own.contains(&seat) {
            own.push(seat);
        }
    }
    Ok(own)
}

/// Returns the bots as the user wrote them: one for all other seats, or one for each.
fn against(
    config: &PlayConfig,
    game: &str,
    others: usize,
    programs: &Programs,
) -> Result<Vec<String>, Error> {
    let strongest = || programs.strongest_at_other_game(game).map(|bot| bot.name.clone());
    Ok(match (&config.against[..], others) {
        ([], 0) => Vec::new(),
        ([], _) => vec![config.default_bot.clone().or_else(strongest).ok_or_else(|| {
            let (bot, game) = (AGAINST.with("BOT"), plain_name(game));
            Error::usage(message![format!("no built-in bot plays {game}; add "), bot])
        })?],
        (given, others) if others > 0 && (given.len() == 1 || given.len() == others) => {
            given.to_vec()
        }
        (given, others) => {
            return Err(Error::usage(message![
                format!("you leave {others} of the seats to bots: expected "),
                if others == 0 { "no " } else { "one " },
                AGAINST,
                match others {
                    0 | 1 => String::new(),
                    others => format!(" for all of them, or {others}"),
                },
                format!(", got {}", given.len())
            ]));
        }
    })
}

/// Assigns the seats: 0 for the person, then each bot in turn, or one bot for all other seats.
fn holders(own: &[usize], seats: usize, bots: usize) -> Vec<usize> {
    let mut others = 0;
    let holder = |seat| {
        if own.contains(&seat) {
            return 0;
        }
        others += 1;
        others.min(bots)
    };
    (0..seats).map(holder).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bots_hold_what_the_person_leaves() {
        for (own, seats, bots, expected) in [
            (&[0][..], 2, 1, &[0, 1][..]),
            (&[1], 2, 1, &[1, 0]),
            (&[2, 4], 6, 1, &[1, 1, 0, 1, 0, 1]),
            (&[2, 4], 6, 4, &[1, 2, 0, 3, 0, 4]),
            (&[1, 0], 2, 0, &[0, 0]),
        ] {
            assert_eq!(holders(own, seats, bots), expected, "{own:?} of {seats}");
        }
    }
}
