//! The page as text: markup, style and scripts of `assets/` in one file that loads nothing.

use crate::palette::properties_for_documents;
use botyard_protocol::printable;
use sha2::{Digest, Sha256};

/// The scripts of every page with a game, each after those that it imports from. In a page they are
/// one module.
const SCRIPTS: &[(&str, &str)] = &[
    ("dom.js", include_str!("../../assets/dom.js")),
    ("record.js", include_str!("../../assets/record.js")),
    ("values.js", include_str!("../../assets/values.js")),
    ("marks.js", include_str!("../../assets/marks.js")),
    ("draughts.js", include_str!("../../assets/draughts.js")),
    ("routes.js", include_str!("../../assets/routes.js")),
    ("scotland_yard.js", include_str!("../../assets/scotland_yard.js")),
    ("dice_wars.js", include_str!("../../assets/dice_wars.js")),
    ("connect_four.js", include_str!("../../assets/connect_four.js")),
    ("liars_dice.js", include_str!("../../assets/liars_dice.js")),
    ("program_drawing.js", include_str!("../../assets/program_drawing.js")),
    ("any_game.js", include_str!("../../assets/any_game.js")),
    ("games.js", include_str!("../../assets/games.js")),
    ("graph.js", include_str!("../../assets/graph.js")),
    ("analysis.js", include_str!("../../assets/analysis.js")),
    ("zoom.js", include_str!("../../assets/zoom.js")),
    ("panels.js", include_str!("../../assets/panels.js")),
];

/// The script that plays a recorded game, after those above.
const PLAYER_SCRIPTS: &[(&str, &str)] = &[("player.js", include_str!("../../assets/player.js"))];

const STYLES: &[&str] = &[
    include_str!("../../assets/page.css"),
    include_str!("../../assets/boards.css"),
    include_str!("../../assets/any_game.css"),
];

const BODY: &str = include_str!("../../assets/page.html");

/// The script that a page of a running game has besides.
const LIVE_SCRIPTS: &[(&str, &str)] = &[("live.js", include_str!("../../assets/live.js"))];

/// The scripts that a page has besides on which a person plays.
const PLAY_SCRIPTS: &[(&str, &str)] = &[
    ("choices.js", include_str!("../../assets/choices.js")),
    ("choice_list.js", include_str!("../../assets/choice_list.js")),
    ("estimates.js", include_str!("../../assets/estimates.js")),
    ("levels.js", include_str!("../../assets/levels.js")),
    ("review.js", include_str!("../../assets/review.js")),
    ("play.js", include_str!("../../assets/play.js")),
];

/// Whether a script has a row for a game: `draughts: ` or `"dice-wars": `.
fn has_row(script: &str, game: &str) -> bool {
    let key = |line: &str| {
        Some(line.strip_prefix("  ")?.split_once(": ")?.0.trim_matches('"').to_string())
    };
    script.lines().filter_map(key).any(|key| key == game)
}

/// Returns whether pages have a drawing of a game. Others show its views as text.
pub fn has_page_drawing(game: &str) -> bool {
    has_row(include_str!("../../assets/games.js"), game)
}

/// Returns whether a person picks the actions of a game on its drawing. Others have a list of them.
pub fn has_picks(game: &str) -> bool {
    has_row(include_str!("../../assets/choices.js"), game)
}

const PLAY_STYLE: &str = include_str!("../../assets/play.css");

const PLAY_BODY: &str = include_str!("../../assets/play.html");

/// The parts of the page on which a person plays, for a site that serves its scripts and styles as files.
#[derive(Clone, Debug)]
pub struct PlayParts {
    /// The script, a module.
    pub script: String,
    /// The style of the whole page.
    pub style: String,
    /// The link to the person's move, which is first in the body: markup.
    pub skip: &'static str,
    /// What the body has after it, but for the data: markup.
    pub body: &'static str,
}

impl PlayParts {
    /// Returns the parts.
    pub fn new() -> PlayParts {
        // The rest is about `botyard play`.
        let all = PLAY_BODY.split("<noscript>").next().unwrap_or_default();
        let (skip, body) = all.split_at(all.find("<header").unwrap_or_default());
        PlayParts {
            script: script(&[SCRIPTS, PLAY_SCRIPTS]),
            style: properties_for_documents() + &STYLES.concat() + PLAY_STYLE,
            skip,
            body,
        }
    }

    /// Returns the element with the data of a page, which are JSON: markup. `play.js` says what they are.
    pub fn data(json: &str) -> String {
        let data = inert(json);
        format!("<script type=\"application/json\" id=\"replay\">{data}</script>")
    }
}

impl Default for PlayParts {
    fn default() -> PlayParts {
        PlayParts::new()
    }
}

/// The scripts that a list of games needs of those above.
const LIST_SCRIPTS: &[(&str, &str)] = &[
    ("dom.js", include_str!("../../assets/dom.js")),
    ("record.js", include_str!("../../assets/record.js")),
    ("list.js", include_str!("../../assets/list.js")),
];

const LIST_BODY: &str = include_str!("../../assets/list.html");

/// The parts of a page around its data.
struct Kind {
    body: &'static str,
    scripts: &'static [&'static [(&'static str, &'static str)]],
    /// The style that the page has besides.
    style: &'static str,
    /// Whether the page may connect to the server that it comes from.
    connects: bool,
}

/// A page, and the policy that it has to be served with.
#[derive(Clone, Debug)]
pub struct Document {
    /// An HTML document.
    pub html: String,
    /// The value of `Content-Security-Policy`. The page itself says the same.
    pub policy: String,
}

/// The page of a recorded game.
pub(super) fn recorded_game(title: &str, data: &str) -> Document {
    let scripts = &[SCRIPTS, PLAYER_SCRIPTS];
    Kind { body: BODY, scripts, style: "", connects: false }.document(title, data)
}

/// The page of a running game.
pub(super) fn live_game(title: &str, data: &str) -> Document {
    let scripts = &[SCRIPTS, PLAYER_SCRIPTS, LIVE_SCRIPTS];
    Kind { body: BODY, scripts, style: "", connects: true }.document(title, data)
}

/// The page of a list of games.
pub(super) fn list_of_games(title: &str, data: &str) -> Document {
    let scripts = &[LIST_SCRIPTS];
    Kind { body: LIST_BODY, scripts, style: "", connects: true }.document(title, data)
}

/// The page on which a person plays.
pub(super) fn game_to_play(title: &str, data: &str) -> Document {
    let scripts = &[SCRIPTS, PLAY_SCRIPTS];
    Kind { body: PLAY_BODY, scripts, style: PLAY_STYLE, connects: true }.document(title, data)
}

impl Kind {
    /// Assembles a page around its data, which is JSON.
    fn document(&self, title: &str, data: &str) -> Document {
        let style = properties_for_documents() + &STYLES.concat() + self.style;
        let script = script(self.scripts);
        let connects = if self.connects { "; connect-src 'self'; img-src data:" } else { "" };
        let policy = format!(
            "default-src 'none'; script-src '{}'; style-src '{}'; base-uri 'none'; \
             form-action 'none'{connects}",
            integrity(&script),
            integrity(&style)
        );
        let title = escaped(&printable(title, 120));
        let data = inert(data);
        let body = self.body;
        // Without an icon of its own, a browser asks the server for one.
        let icon = if self.connects { "<link rel=\"icon\" href=\"data:,\">\n" } else { "" };
        let html = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n\
             <meta name=\"generator\" content=\"botyard {}\">\n\
             {icon}<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}\
             <script type=\"application/json\" id=\"replay\">{data}</script>\n\
             <script type=\"module\">{script}</script>\n</body>\n</html>\n",
            env!("CARGO_PKG_VERSION"),
        );
        Document { html, policy }
    }
}

/// The scripts as one module: each is a function with its own names, which returns what it exports.
fn script(scripts: &[&[(&str, &str)]]) -> String {
    let mut script = String::from("\n");
    for (_, source) in scripts.iter().copied().flatten() {
        let exported: Vec<&str> = source.lines().filter_map(exported_function).collect();
        let exported = exported.join(", ");
        script.push_str(&format!("const {{ {exported} }} = (() => {{\n"));
        for line in source.lines().filter(|line| !line.starts_with("import ")) {
            script.push_str(line.strip_prefix("export ").unwrap_or(line));
            script.push('\n');
        }
        script.push_str(&format!("return {{ {exported} }};\n}})();\n"));
    }
    script
}

/// The name of the function that a line exports; scripts export functions only.
fn exported_function(line: &str) -> Option<&str> {
    line.strip_prefix("export function ")?.split('(').next()
}

/// JSON that cannot end the element that it is in. The characters occur in strings only.
fn inert(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            other => out.push(other),
        }
    }
    out
}

pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The hash of an inline element, as a policy names it.
pub(super) fn integrity(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text.as_bytes())))
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * place) & 63) as usize];
            out.push(if place <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn base64_has_the_values_of_rfc_4648() {
        for (text, expected) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(text.as_bytes()), expected);
        }
    }

    #[test]
    fn assets_are_plain_text_that_cannot_end_their_element() {
        let live = script(&[LIVE_SCRIPTS, LIST_SCRIPTS, PLAY_SCRIPTS]);
        assert!(!live.contains("</") && !live.contains("innerHTML"), "markup in a script");
        let script = script(&[SCRIPTS, PLAYER_SCRIPTS]);
        for line in script.lines() {
            assert!(!line.starts_with("import ") && !line.contains("export "), "{line}");
        }
        assert!(!script.contains("</") && !script.contains("<!--"), "markup in a script");
        assert!(!STYLES.concat().contains('<') && !PLAY_STYLE.contains('<'));
        // No script writes markup, and none reaches for the network.
        for word in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "new Function",
            "fetch(",
            "XMLHttpRequest",
            "WebSocket",
            "EventSource",
            "sendBeacon",
            "import(",
        ] {
            assert!(!script.contains(word), "{word}");
        }
        for (name, source) in [SCRIPTS, PLAYER_SCRIPTS, LIVE_SCRIPTS, PLAY_SCRIPTS].concat() {
            for line in source.lines() {
                let is_import = line.starts_with("import ");
                assert!(!is_import || line.ends_with("\";"), "{name}: several lines: {line}");
                let is_export = line.starts_with("export ");
                assert!(!is_export || exported_function(line).is_some(), "{name}: {line}");
            }
        }
    }

    #[test]
    fn games_are_found_in_the_tables_of_the_scripts() {
        for (game, expected) in [("draughts", true), ("dice-wars", true), ("any-game", false)] {
            assert_eq!([has_page_drawing(game), has_picks(game)], [expected; 2], "{game}");
        }
    }

    #[test]
    fn data_cannot_end_its_element() {
        let data = serde_json::json!("</script><!--&\u{2028}\u{2029}");
        let inert = inert(&data.to_string());
        assert_eq!(inert, r#""\u003c/script\u003e\u003c!--\u0026\u2028\u2029""#);
        assert_eq!(serde_json::from_str::<Value>(&inert).unwrap(), data);
    }
}
