//! Progress bars on standard error, which are hidden unless that is a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt;
use std::time::Duration;

/// The longest time between two redraws of a bar whose work reports seldom.
pub const TICK: Duration = Duration::from_millis(200);

/// Makes a bar of this length, as the template says. `{rate}` is the number of games per second.
pub fn bar(length: Option<u64>, template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr());
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style.with_key("rate", rate)),
        // A template that is not well formed leaves the plain bar.
        Err(_) => bar,
    }
}

/// Makes a bar over the games of a match.
pub fn bar_of_games(games: u32) -> ProgressBar {
    let bar = bar(Some(games.into()), "{bar:24} {pos}/{len} games, {rate}, {eta} left  {msg}");
    bar.tick();
    bar
}

fn rate(state: &ProgressState, out: &mut dyn fmt::Write) {
    // Ignored: a bar that cannot be written changes nothing about the games.
    let _ = write!(out, "{:.1} games/s", state.per_sec());
}
