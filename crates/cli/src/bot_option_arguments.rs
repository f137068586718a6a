//! The argument `--option` of commands that play games between bots.

use botyard_runner::BotOption;
use clap::Args;

/// Options of bots.
#[derive(Clone, Debug, Args)]
pub struct BotOptionArgs {
    /// Set an option of one of your bots; BOT is its name in the match; may be repeated
    #[arg(long = "option", value_name = "BOT:KEY=VALUE", value_parser = bot_option)]
    pub options: Vec<BotOption>,
}

fn bot_option(text: &str) -> Result<BotOption, String> {
    // The name of a bot may contain a colon, the name of an option may not.
    let split = text.split_once('=').and_then(|(front, value)| {
        let (bot, key) = front.rsplit_once(':')?;
        Some((bot, key, value))
    });
    match split {
        Some((bot, key, value)) if !bot.is_empty() && !key.is_empty() => {
            Ok(BotOption { bot: bot.into(), key: key.into(), value: value.into() })
        }
        _ => Err("expected BOT:KEY=VALUE, such as mine:depth=3".into()),
    }
}
