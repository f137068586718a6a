//! The file with the conditions of the games, as people get it: it names the game as it lies beside the file at home.

use crate::web::{Asked, Refusal, Reply};
use axum::http::header;
use botyard_engine::registry::{digest_of, plain_name};
use botyard_league::tournament_file::TournamentFile;

pub(super) fn download(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let event = &asked.competition().event;
    let text = &event.setup.text;
    let text = match digest_of(event.game()) {
        Some(_) => at_home(text, plain_name(event.game())),
        None => text.clone(),
    };
    Ok(Reply::file("application/toml; charset=utf-8", text.into_bytes())
        .with(header::CONTENT_DISPOSITION, "attachment; filename=\"event.toml\""))
}

/// Returns a tournament file that names the game as the directory `name` beside it.
fn at_home(text: &str, name: &str) -> String {
    let read = |text: &str| TournamentFile::read("event.toml", "event", text).ok();
    let wanted = format!("./{name}");
    let replaced = read(text).map(|file| {
        let lines =
            text.lines().enumerate().map(|(number, line)| match number + 1 == file.game.line {
                true => format!("game = \"{wanted}\"\n"),
                false => format!("{line}\n"),
            });
        lines.collect::<String>()
    });
    // A value of several lines stays as it is.
    let is_right = |replaced: &String| read(replaced).is_some_and(|file| file.game.value == wanted);
    replaced.filter(is_right).unwrap_or_else(|| text.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_names_the_game_beside_it_and_nothing_else_changes() {
        let rest = "format = \"round-robin\" # all\n[[bot]]\ncommand = \"random\"\n[[bot]]\ncommand = \"./game\"\n";
        for game in
            ["game = \"../games/nim\"", "game = '/srv/nim' # ours", "\"game\"   = \"./nim\""]
        {
            let text = format!("# The conditions.\n{game}\n{rest}");
            assert_eq!(
                at_home(&text, "nim"),
                format!("# The conditions.\ngame = \"./nim\"\n{rest}"),
                "{game}"
            );
        }
        let long = format!("game = \"\"\"\n../nim\"\"\"\n{rest}");
        assert_eq!(at_home(&long, "nim"), long);
    }
}
