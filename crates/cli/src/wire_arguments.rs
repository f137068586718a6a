//! The options that show what a bot reads and writes, and that prepare one for a debugger.

use crate::text::eprint_line;
use botyard_referee::{Stream, Wiretap};
use botyard_replay::wire_line;
use clap::{Args, ValueEnum};

/// The options that show the wire.
#[derive(Clone, Debug, Args)]
pub struct WireArgs {
    /// Print every line between the referee and the bots to standard error: `>` to a bot, `<` from
    /// it. Lines of more than 400 characters are shortened and end in `(N bytes)`, unless --trace=full
    #[arg(long, value_enum, value_name = "LENGTH", num_args = 0..=1, require_equals = true, default_missing_value = "short", help_heading = "Debugging")]
    pub trace: Option<Length>,

    /// Print the standard error of the bots as they write it, with `!` and their names in front
    #[arg(long, help_heading = "Debugging")]
    pub stderr: bool,

    /// Prepare this bot, by its name in the match, for a debugger: no clock, no limit of start-up and
    /// set-up, no sandbox, and its standard error as with --stderr
    #[arg(long, value_name = "BOT", help_heading = "Debugging")]
    pub debug: Option<String>,
}

/// How much of a line is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Length {
    /// 400 characters: long arrays end in `... N more`
    Short,
    /// The whole line
    Full,
}

impl WireArgs {
    /// Whether anything is printed.
    pub fn prints(&self) -> bool {
        self.trace.is_some() || self.stderr || self.debug.is_some()
    }

    /// The tap that prints it.
    pub fn wiretap(&self) -> Option<Wiretap> {
        let WireArgs { trace, stderr, debug } = self.clone();
        self.prints().then(|| {
            Wiretap::new(move |bot, stream, line| {
                let is_shown = match stream {
                    Stream::Stdin | Stream::Stdout => trace.is_some(),
                    Stream::Stderr => stderr || debug.as_deref() == Some(bot),
                };
                if is_shown {
                    let full = trace == Some(Length::Full) || stream == Stream::Stderr;
                    eprint_line(&wire_line(stream, bot, line, full));
                }
            })
        })
    }
}
