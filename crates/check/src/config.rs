//! The configuration of the checks of a bot.

use botyard_runner::ContainmentConfig;

/// The bot to check, and the conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckConfig {
    /// The bot, as a user writes it.
    pub bot: String,
    /// The games. Empty: all games that the bot lists in its `hello`.
    pub games: Vec<String>,
    /// The preset of the rules of the games; `None`: the default of each.
    pub rules: Option<String>,
    /// Changed rules.
    pub changes: Vec<(String, String)>,
    /// Whether the bot's files are a tournament's copy, so that the check `files` needs none.
    pub is_copy: bool,
    /// The time per move of the check `deadline`, in milliseconds. In all other games the bot is
    /// given a tenth of it and is forgiven ten times as much.
    pub move_ms: u64,
    /// Whether turns list the legal actions. A bot that needs the list fails without it.
    pub legal: bool,
    /// The sandbox.
    pub containment: ContainmentConfig,
}

impl CheckConfig {
    /// Returns the configuration for a bot in all its games, in the best sandbox of the host.
    pub fn new(bot: impl Into<String>) -> CheckConfig {
        CheckConfig {
            bot: bot.into(),
            games: Vec::new(),
            rules: None,
            changes: Vec::new(),
            is_copy: false,
            move_ms: 1000,
            legal: true,
            containment: ContainmentConfig::default(),
        }
    }
}
