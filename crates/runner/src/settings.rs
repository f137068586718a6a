//! The names of settings in errors and warnings: configuration fields, in backticks. A front end
//! replaces them by its own names, such as options of a command line or fields of a form. A remedy
//! with arguments has no closing backtick: the arguments follow, and then the backtick.

/// `StartConfig::seed`.
pub const SEED: &str = "`start.seed`";
/// `StartConfig::rules`: a preset of rules.
pub const PRESET: &str = "`start.rules`";
/// `StartConfig::changes`: a changed rule.
pub const RULE: &str = "`start.changes`";
/// `StartConfig::openings`.
pub const OPENINGS: &str = "`start.openings`";
/// `Config::games`: the number of games.
pub const GAMES: &str = "`config.games`";
/// `MatchGames::new`: the other games are played too if a bot cannot be started.
pub const KEEP_GOING: &str = "`match.keep_going`";
/// `Config::options`: an option of a bot.
pub const BOT_OPTION: &str = "`config.options`";
/// `Config::debug`: the name of a bot follows.
pub const DEBUG: &str = "`config.debug`";
/// `TimeConfig::clock`.
pub const CLOCK: &str = "`time.clock`";
/// `TimeConfig::move_ms`.
pub const MOVE_MS: &str = "`time.move_ms`";
/// `TimeConfig::bank_ms`.
pub const BANK_MS: &str = "`time.bank_ms`";
/// `TimeConfig::increment_ms`.
pub const INCREMENT_MS: &str = "`time.increment_ms`";
/// `TimeConfig::grace_ms`.
pub const GRACE_MS: &str = "`time.grace_ms`";
/// `AdjudicationConfig::draw`.
pub const DRAW: &str = "`adjudication.draw`";
/// `AdjudicationConfig::resign`.
pub const RESIGN: &str = "`adjudication.resign`";
/// `AdjudicationConfig::egdb`.
pub const EGDB: &str = "`adjudication.egdb`";
/// `RunConfig::concurrency`.
pub const CONCURRENCY: &str = "`running.concurrency`";
/// `RunConfig::oversubscribe`.
pub const OVERSUBSCRIBE: &str = "`running.oversubscribe`";
/// `RunConfig::pin`.
pub const PIN: &str = "`running.pin`";
/// `BetweenTurns::Stop`: bots are stopped between their turns.
pub const STOP: &str = "`running.between_turns`";
/// `ContainmentConfig::backend`.
pub const BACKEND: &str = "`containment.backend`";
/// `ContainmentConfig::sandbox`.
pub const SANDBOX: &str = "`containment.sandbox`";
/// `ContainmentConfig::memory_mib`.
pub const MEMORY: &str = "`containment.memory_mib`";
/// `ContainmentConfig::command`: a command of the user that runs bots.
pub const WRAPPER: &str = "`containment.command`";
/// `ContainmentConfig::read`.
pub const READ: &str = "`containment.read`";
/// The directory for replays or results.
pub const DIRECTORY: &str = "`replays.directory`";
/// `BuildConfig::output_mib`.
pub const OUTPUT: &str = "`build.output_mib`";
/// `PlayConfig::seats`: the person's seats.
pub const SEATS: &str = "`play.seats`";
/// `PlayConfig::against`: the bots that a person plays against.
pub const AGAINST: &str = "`play.against`";
/// `PlayConfig::name`: the person's name.
pub const NAME: &str = "`play.name`";
/// `Choice::bots` of a rejudge.
pub const CHOSEN_BOTS: &str = "`choice.bots`";
/// `Choice::games` of a rejudge.
pub const CHOSEN_GAMES: &str = "`choice.games`";
/// `Choice::faults` of a rejudge.
pub const CHOSEN_FAULTS: &str = "`choice.faults`";
/// Applies the new results of a rejudge.
pub const APPLY: &str = "`rejudge.apply`";
/// Drops the new results of a rejudge.
pub const DROP: &str = "`rejudge.drop`";
/// Resumes a tournament with changed programs.
pub const ACCEPT_CHANGES: &str = "`resume.accept_changes`";
/// `botyard_sandbox::Host`: the abilities of this host.
pub const HOST: &str = "`Host::detect`";
/// `botyard_engine::registry`: the list of games, presets and rules.
pub const GAMES_LIST: &str = "`registry::info`";
/// `botyard_engine::registry`: one game, whose name and a backtick follow.
pub const GAME_INFO: &str = "`registry::info_of";
/// A match: its game and bots follow.
pub const MATCH: &str = "`Config::new`";
/// `RunConfig::concurrency`: the number of games at once follows.
pub const GAMES_AT_ONCE: &str = "`config.running.concurrency`";
/// `Tournament::plan`: the number of games at once, for one run of a tournament.
pub const RESUME_CONCURRENCY: &str = "`plan.concurrency`";
/// `Addition::extend`: the tournament's directory and a backtick follow.
pub const EXTEND: &str = "`Addition::extend";
/// `Addition::update`: the tournament's directory, a bot and a backtick follow.
pub const UPDATE: &str = "`Addition::update";
/// The path of a tournament file that has moved.
pub const MOVED_FILE: &str = "`addition.file`";
