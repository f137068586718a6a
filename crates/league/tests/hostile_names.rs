//! Names in the standings: none can do harm to a reader, whatever the format.

use crate::standings::{csv, entrants, game, seats, written};
use botyard_league::{SeatKind, Standings};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::Value;

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 96,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_name_is_harmful(name in any::<String>(), version in ".*", replay in any::<String>()) {
        assert_harmless(&name, &version, &replay);
    }
}

#[test]
fn hostile_names_are_harmless() {
    let long = "x".repeat(10_000);
    for name in [
        "<script>alert(1)</script>",
        "=cmd()",
        "=HYPERLINK(\"http://evil\",\"x\")",
        "+1+1",
        "-2+3",
        "@SUM(A1)",
        "\t=1+1",
        "  =1+1",
        "\",\"",
        "a\r\nb,c\n\n# d",
        "a | b \\| c ` d",
        "[x](javascript:alert(1))",
        "![x](http://evil/y.png)",
        "\u{202e}gnp.exe",
        "\u{2066}\u{200b}\u{feff}",
        "\u{1b}[2J\u{1b}]0;title\u{7}",
        "'\"><img src=x onerror=alert(1)>",
        "&lt;b&gt;",
        "",
        "\u{ff1d}1+1",
        &long,
    ] {
        assert_harmless(name, name, name);
    }
}

fn assert_harmless(name: &str, version: &str, replay: &str) {
    let mut bots = entrants(&[name, "other", name]);
    for bot in &mut bots {
        bot.version = version.into();
        bot.digest = name.into();
        bot.team = name.into();
    }
    let mut games = vec![game(1, &[0, 1], &[1.0, 0.0]), game(2, &[1, 2], &[1.0, 0.0])];
    games[0].replay = Some(replay.into());
    let seats = seats(&["white", "black"]);
    let found = Standings::new("draughts", &seats, SeatKind::Symmetric, &bots, &games, 1);

    for text in written(&found) {
        let shown = text.replace("\r\n", "\n").replace('\n', " ");
        let hidden = |c: char| {
            c.is_control()
                || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
        };
        assert!(!shown.contains(hidden), "{text:?}");
    }
    let longest = found.to_table().lines().map(|line| line.chars().count()).max();
    assert!(longest <= Some(120), "{}", found.to_table());

    let rows = csv(&found.to_csv());
    assert_eq!(rows.len(), 4);
    for row in &rows {
        assert_eq!(row.len(), rows[0].len(), "{row:?}");
        for cell in row.iter().filter(|cell| cell.parse::<f64>().is_err()) {
            let first = cell.trim_start().chars().next();
            assert!(
                !first
                    .is_some_and(|first| "=+-@|%\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}".contains(first)),
                "{cell:?}"
            );
        }
    }

    let html = found.to_html(name, version);
    // Without our own tags, no character remains that could start one.
    for (open, _) in html.match_indices('<') {
        let tag: String = html[open + 1..]
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || "/!".contains(*c))
            .collect();
        let tag = tag.trim_start_matches('/');
        assert!(
            [
                "!DOCTYPE", "html", "head", "meta", "title", "style", "body", "h1", "h2", "p",
                "table", "thead", "tbody", "tr", "th", "td", "ul", "li", "a", "svg", "line",
                "text", "circle", "pre"
            ]
            .contains(&tag),
            "<{tag}"
        );
    }
    for (at, _) in html.match_indices("href=\"") {
        let address: String = html[at + 6..].chars().take_while(|&c| c != '"').collect();
        assert!(address.starts_with("./") && !address.contains([':', ' ', '\'']), "{address}");
    }

    let markdown = found.to_markdown();
    for table in markdown.split("\n\n").filter(|part| part.starts_with('|')) {
        let bars = |line: &str| line.replace("\\\\", "").replace("\\|", "").matches('|').count();
        let expected = table.lines().next().map(bars);
        assert!(
            table.lines().all(|line| !line.starts_with('|') || Some(bars(line)) == expected),
            "{table}"
        );
    }
    assert!(!markdown.contains('<') && !markdown.contains("]("), "{markdown}");
    let json: Value = serde_json::from_str(&found.to_json().to_string()).unwrap();
    assert_eq!(json["bots"].as_array().unwrap().len(), 3);
}
