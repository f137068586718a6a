//! The files that pages load: they are part of the program.

use crate::web::{Asked, Refusal, Reply};

/// The style of the site alone.
const STYLE: &str = include_str!("../../assets/site.css");

/// Returns the style sheet: that of the pages of games and tournaments, and what only the site has.
pub(super) fn style(_: &Asked<'_>) -> Result<Reply, Refusal> {
    let style = botyard_viewer::shared_style() + botyard_pages::STYLE + STYLE;
    Ok(Reply::file("text/css; charset=utf-8", style.into_bytes()))
}

/// Returns the script that follows the log of a submission.
pub(super) fn log_script(_: &Asked<'_>) -> Result<Reply, Refusal> {
    let script = include_str!("../../assets/log.js");
    Ok(Reply::file("text/javascript; charset=utf-8", script.into()))
}

/// Returns the script of a table of bots, which follows the standings.
pub(super) fn standings_script(_: &Asked<'_>) -> Result<Reply, Refusal> {
    let script = [botyard_pages::board::SCRIPT, include_str!("../../assets/standings.js")].concat();
    Ok(Reply::file("text/javascript; charset=utf-8", script.into()))
}

/// Returns the script that shows times in the zone of the visitor.
pub(super) fn times_script(_: &Asked<'_>) -> Result<Reply, Refusal> {
    let script = include_str!("../../assets/times.js");
    Ok(Reply::file("text/javascript; charset=utf-8", script.into()))
}

/// Returns the mark of Botyard.
pub(super) fn icon(_: &Asked<'_>) -> Result<Reply, Refusal> {
    Ok(Reply::file("image/svg+xml", include_str!("../../assets/icon.svg").into()))
}
