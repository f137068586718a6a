//! A game in the viewer, and its replay as a file. While the event runs, a team sees its own games of the
//! ladder as its own seat saw them, and no others; the staff sees everything. Once the replays of the
//! final are published, everybody sees the games of the final and of the ladder. What a bot wrote for its
//! authors, to standard error or in `log` and `info`, is for its team and the staff alone.

use crate::competition::finals;
use crate::competition::ladder::{FoundGame, find_game};
use crate::competition::rejudges;
use crate::web::{Asked, Refusal, Reply};
use axum::http::header;
use botyard_league::PlayedGame;
use botyard_replay::kept_stderr;
use botyard_replay::{Header, ReplayReader, compressed_path, export, publish, registered_table};
use botyard_runner::game_programs::load_for_replay;
use botyard_viewer::{PageOptions, Perspective, Theme, page, picture};
use std::path::PathBuf;

/// A game that the visitor may see.
struct Shown {
    id: String,
    replay: PathBuf,
    /// The number of the seat, from 1, whose view is shown. `None`: everything.
    seat: Option<String>,
    players: usize,
    /// The seats, counted from 0, of whose bots the visitor sees what they wrote for their authors: to
    /// standard error, and in `log` and `info`. `None`: all.
    heard: Option<Vec<usize>>,
}

impl Shown {
    /// Returns whether the visitor hears the bot of a player: all of its seats are heard.
    fn hears(&self, header: &Header, player: &str) -> bool {
        let Some(heard) = &self.heard else { return true };
        let is_heard =
            |name: &String| header.find_seat(name).is_ok_and(|seat| heard.contains(&seat.index()));
        let its = header.players.iter().find(|its| its.name == player);
        its.is_some_and(|player| player.seats.iter().all(is_heard))
    }

    /// Returns the replay as the visitor may have it: a copy without what other teams' bots wrote for
    /// their authors. `None`: the stored file as it is.
    fn public(&self) -> Result<Option<Vec<u8>>, Refusal> {
        if self.heard.is_none() || self.seat.is_some() {
            return Ok(None);
        }
        let reader = ReplayReader::open(&self.replay).map_err(unreadable)?;
        let header = reader.header().clone();
        let mut copy = Vec::new();
        publish(reader, &|player| self.hears(&header, player), &mut copy).map_err(unreadable)?;
        Ok(Some(copy))
    }
}

fn asked_for(asked: &Asked<'_>) -> Result<Shown, Refusal> {
    let person = &asked.visitor()?.person;
    let id = asked.parts.get("game").to_string();
    let (found, rejudged) = asked.database().transaction(|transaction| {
        Ok::<_, rusqlite::Error>((
            find_game(transaction, &id)?,
            rejudges::find_game(transaction, &id)?.filter(|_| person.role.is_staff()),
        ))
    })?;
    // What is no result, or no longer, is the staff's.
    if let (None, Some(game)) = (&found, rejudged) {
        return shown(asked, id, &game, None, None);
    }
    let FoundGame { game, teams, kind, ladder } = found.ok_or(Refusal::NotFound)?;
    let is_released =
        kind != "practice" && asked.database().transaction(|it| finals::is_released(it, ladder))?;
    let seat = match person.role.is_staff() || is_released {
        true => None,
        // A final is hidden until its replays are published.
        false if kind == "final" => return Err(Refusal::NotFound),
        false => {
            let own = teams.iter().position(|team| team.is_some() && *team == person.team);
            Some((own.ok_or(Refusal::NotFound)? + 1).to_string())
        }
    };
    let heard = match person.role.is_staff() {
        true => None,
        false => {
            let is_own = |seat: &usize| teams[*seat].is_some() && teams[*seat] == person.team;
            Some((0..teams.len()).filter(is_own).collect())
        }
    };
    shown(asked, id, &game, seat, heard)
}

/// Returns a game whose view from a seat is shown, or all of it.
fn shown(
    asked: &Asked<'_>,
    id: String,
    game: &PlayedGame,
    seat: Option<String>,
    heard: Option<Vec<usize>>,
) -> Result<Shown, Refusal> {
    Ok(Shown {
        id,
        replay: stored_replay(asked, game).ok_or(Refusal::NotFound)?,
        seat,
        players: game.seats.len(),
        heard,
    })
}

/// Returns the file of the replay of a game, if it is there.
fn stored_replay(asked: &Asked<'_>, game: &PlayedGame) -> Option<PathBuf> {
    // The name is the site's own, and was stored with the result.
    let plain = asked.site.class.directory.path().join(game.replay.as_deref()?);
    [compressed_path(&plain), plain].into_iter().find(|path| path.is_file())
}

/// Returns the drawing of a position as a file.
pub(super) fn picture_file(svg: String) -> Reply {
    Reply::file("image/svg+xml", svg.into_bytes()).with(
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    )
}

fn unreadable(error: impl std::fmt::Display) -> Refusal {
    Refusal::Host(format!("The replay cannot be read: {error}."))
}

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let shown = asked_for(asked)?;
    // The game of an earlier event is found by its digest. Without it, the page lists what was recorded.
    let loaded = load_for_replay(&shown.replay, None, &asked.site.class.programs);
    if let Err(error) = &loaded {
        asked.site.class.report(error);
    }
    let reader = ReplayReader::open(&shown.replay).map_err(unreadable)?;
    let mut stderr = kept_stderr(&shown.replay, shown.players);
    let header = reader.header();
    stderr.retain(|(player, _)| {
        header.players.get(*player).is_some_and(|player| shown.hears(header, &player.name))
    });
    let options = PageOptions { seat: shown.seat.as_deref(), stderr, analyses: Vec::new() };
    let page = match shown.public()? {
        Some(copy) => {
            let reader = ReplayReader::of_bytes(&copy).map_err(unreadable)?;
            page(reader, &registered_table, &options)
        }
        None => page(reader, &registered_table, &options),
    };
    let page = page.map_err(unreadable)?;
    let page = match asked.visitor()?.person.team {
        Some(team) => page.with_way_back(&format!("/teams/{team}"), "Results of my team"),
        None => page.with_way_back("/standings", "Standings"),
    };
    // The page has a policy of its own, which allows its script by its hash.
    Ok(Reply::file("text/html; charset=utf-8", page.html.into_bytes())
        .with(header::CONTENT_SECURITY_POLICY, "frame-ancestors 'none'"))
}

/// Draws the last position, as the visitor may see the game.
pub(super) fn position(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let shown = asked_for(asked)?;
    let theme = if asked.query.get("theme") == "dark" { Theme::Dark } else { Theme::Light };
    // Without the rules there is no drawing, and the page says so.
    let _loaded = load_for_replay(&shown.replay, None, &asked.site.class.programs);
    let perspective = shown.seat.as_deref().map_or(Perspective::Truth, Perspective::Seat);
    // The caption may quote what a bot sent.
    let drawn = match shown.public()? {
        Some(copy) => {
            let reader = ReplayReader::of_bytes(&copy).map_err(unreadable)?;
            picture(reader, &registered_table, perspective, None, theme)
        }
        None => {
            let reader = ReplayReader::open(&shown.replay).map_err(unreadable)?;
            picture(reader, &registered_table, perspective, None, theme)
        }
    };
    // A game that was played does not change; who may see it may.
    Ok(picture_file(drawn.map_err(unreadable)?.svg)
        .with(header::CACHE_CONTROL, "private, max-age=86400"))
}

pub(super) fn download(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let shown = asked_for(asked)?;
    let (copy, name) = match (&shown.seat, shown.public()?) {
        (Some(seat), _) => {
            let reader = ReplayReader::open(&shown.replay).map_err(unreadable)?;
            let mut copy = Vec::new();
            export(reader, seat, &mut copy).map_err(unreadable)?;
            (copy, format!("{}.view.ndjson", shown.id))
        }
        (None, Some(copy)) => (copy, format!("{}.ndjson", shown.id)),
        (None, None) => {
            let is_compressed = shown.replay.extension().is_some_and(|it| it == "gz");
            let ending = if is_compressed { ".gz" } else { "" };
            (std::fs::read(&shown.replay)?, format!("{}.ndjson{ending}", shown.id))
        }
    };
    Ok(Reply::file("application/octet-stream", copy)
        .with(header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")))
}
