//! The names of settings in errors and warnings: the fields of configurations, in backticks. A front end whose
//! users know a setting by another name (an option of a command line, a field of a form) replaces them.

/// `StartConfig::seed`.
pub const SEED: &str = "`start.seed`";
/// A changed rule: `StartConfig::changes`.
pub const RULE: &str = "`start.changes`";
/// `StartConfig::openings`.
pub const OPENINGS: &str = "`start.openings`";
/// How many games: `Config::games`.
pub const GAMES: &str = "`config.games`";
/// An option of a bot: `Config::options`.
pub const BOT_OPTION: &str = "`config.options`";
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
/// `RunConfig::concurrency`.
pub const CONCURRENCY: &str = "`running.concurrency`";
/// `RunConfig::oversubscribe`.
pub const OVERSUBSCRIBE: &str = "`running.oversubscribe`";
/// `RunConfig::pin`.
pub const PIN: &str = "`running.pin`";
/// Bots stopped between their turns: `BetweenTurns::Stop`.
pub const STOP: &str = "`running.between_turns`";
/// `ContainmentConfig::sandbox`.
pub const SANDBOX: &str = "`containment.sandbox`";
/// `ContainmentConfig::memory_mib`.
pub const MEMORY: &str = "`containment.memory_mib`";
/// A command of the user that runs bots: `ContainmentConfig::command`.
pub const WRAPPER: &str = "`containment.command`";
/// `ContainmentConfig::read`.
pub const READ: &str = "`containment.read`";
/// The directory for replays or results.
pub const DIRECTORY: &str = "`replays.directory`";
/// `BuildConfig::output_mib`.
pub const OUTPUT: &str = "`build.output_mib`";
/// The person's seats: `PlayConfig::seats`.
pub const SEATS: &str = "`play.seats`";
/// The bots that a person plays against: `PlayConfig::against`.
pub const AGAINST: &str = "`play.against`";
/// The person's name: `PlayConfig::name`.
pub const NAME: &str = "`play.name`";
/// `Choice::bots` of a rejudging.
pub const CHOSEN_BOTS: &str = "`choice.bots`";
/// `Choice::games` of a rejudging.
pub const CHOSEN_GAMES: &str = "`choice.games`";
/// `Choice::faults` of a rejudging.
pub const CHOSEN_FAULTS: &str = "`choice.faults`";
/// New results of a rejudging are applied.
pub const APPLY: &str = "`rejudge.apply`";
/// New results of a rejudging are dropped.
pub const DROP: &str = "`rejudge.drop`";
/// A tournament is resumed with other programs.
pub const ACCEPT_CHANGES: &str = "`resume.accept_changes`";
/// What this host offers: `botyard_sandbox::Host`.
pub const HOST: &str = "`Host::detect`";
/// What there is to know about games: `botyard_engine::registry`.
pub const GAMES_LIST: &str = "`registry::info`";
