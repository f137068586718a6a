//! The pages as texts: what a reader needs is there, and no name or evidence becomes markup.

use botyard_league::schedule::{Draws, GameKey};
use botyard_league::store::{Definition, MemoryStore, Rejected, Store, StoredGame};
use botyard_league::{Entrant, PlayedGame, Verdict};
use botyard_pages::{ShownFault, ShownGame, Site};
use botyard_protocol::{Fault, FaultKind};
use botyard_tournament::Report;

const FILE: &str = "game = \"draughts\"\n[time]\nmove_ms = 250\n\
    [[bot]]\nname = \"anna\"\nstudent_id = \"s0815\"\ncommand = \"random\"\n\
    [[bot]]\nname = \"ben\"\ncommand = \"random\"\n";

const REASON: &str =
    "it failed as white against random: crash <b>\n    last lines:\n      | \u{202e}Error";

fn entrant(name: &str) -> Entrant {
    Entrant { name: name.into(), gate_passed: Some(true), ..Entrant::default() }
}

/// A tournament in which the first bot beats every other one in `blocks` blocks, and the others draw.
fn store(names: &[&str], blocks: u32, draws: Draws) -> MemoryStore {
    let carla = Entrant { gate_passed: Some(false), ..entrant("carla") };
    let rejected = Rejected { entrant: carla, reason: REASON.into() };
    let mut store = MemoryStore::new(Definition {
        name: "class <i>".into(),
        game: "draughts".into(),
        draws,
        commitment: draws.commitment(),
        file: FILE.into(),
        directory: "/srv".into(),
        digest: String::new(),
        version: "0.1.0".into(),
        entrants: names.iter().map(|name| entrant(name)).collect(),
        rejected: vec![rejected],
        kept: None,
    });
    store.note("began", "").expect("a note");
    let mut block = 0;
    for one in 0..names.len() {
        for other in one + 1..names.len() {
            for _ in 0..blocks {
                block += 1;
                for (rotation, seats) in (0..).zip([[one, other], [other, one]]) {
                    let points = match seats {
                        [0, _] => [1.0, 0.0],
                        [_, 0] => [0.0, 1.0],
                        _ => [0.5, 0.5],
                    };
                    let places = points.map(|points| if points < 0.5 { 2 } else { 1 });
                    let key = GameKey { generation: 0, block, rotation };
                    let game = PlayedGame {
                        block,
                        seats: seats.to_vec(),
                        verdict: Verdict::Scored {
                            points: points.to_vec(),
                            places: places.to_vec(),
                        },
                        void_at: None,
                        turns: 50,
                        uses: Vec::new(),
                        faults: Vec::new(),
                        replay: None,
                    };
                    let id = u64::from(block * 2 + rotation);
                    store.record(&[StoredGame { key, id, attempts: 1, game }]).expect("a game");
                }
            }
        }
    }
    store
}

fn site(names: &[&str], blocks: u32, shown: Vec<ShownGame>) -> Site {
    let store = store(names, blocks, Draws::numbered(771_177_711, "cup"));
    site_of(&store, shown)
}

fn site_of(store: &MemoryStore, shown: Vec<ShownGame>) -> Site {
    let report = Report::of(store).expect("a report");
    Site::new(report, shown, ["B".to_string()].into(), 0)
}

/// All pages with their names.
fn pages(site: &Site) -> Vec<(String, String)> {
    let mut pages: Vec<(String, String)> = site.bots().collect();
    pages.push(("index.html".into(), site.index()));
    pages
}

/// The text of a page without its elements, style and script.
fn words(html: &str) -> String {
    let body = html.split("<body>").nth(1).expect("a body");
    let body = body.split("<script type=\"module\">").next().expect("a part");
    let mut words = String::new();
    for part in body.split('<') {
        words.push_str(part.split_once('>').map_or(part, |(_, text)| text));
    }
    words.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

#[test]
fn the_index_has_every_bot_with_intervals_groups_and_the_reason_of_the_gate_first() {
    let site = site(&["anna", "ben", "dora"], 20, Vec::new());
    let index = site.index();
    let text = words(&index);
    for name in ["anna", "ben", "dora", "carla"] {
        assert_eq!(index.matches(&format!("data-name=\"{name}\"")).count(), 1, "{name}");
    }
    // Anna is separated; the others are not, and share a letter.
    assert_eq!(index.matches("data-separated=\"1\"").count(), 1);
    assert_eq!(index.matches("<span class=\"group\">a</span>").count(), 1);
    assert_eq!(index.matches("<span class=\"group\">b</span>").count(), 2);
    assert!(index.contains("<option value=\"2\">b: ben, dora</option>"), "{text}");
    assert!(text.contains("80 / 0 / 0") && text.contains("100.0%"), "{text}");
    for fact in ["draughts", "250 ms per move (wall-clock time)", "a fault forfeits", "tier B"] {
        assert!(text.contains(fact), "{fact}: {text}");
    }
    for fact in [
        "round-robin",
        "3, and 1 rejected",
        "120 games, none void",
        "a seed, which is shown here when",
    ] {
        assert!(text.contains(fact), "{fact}: {text}");
    }
    assert!(text.contains("class <i>") && index.contains("<time datetime=\"2"), "{text}");
    assert!(
        !index.contains("771177711"),
        "no one knows whether further games are drawn from the seed"
    );
    let (gate, table) = (text.find("it failed as white"), text.find("won / drawn / lost"));
    assert!(gate.is_some() && gate < table, "rejections come first");
    assert!(text.contains("crash <b>") && text.contains("last lines:"), "{text}");
    let intervals = index.matches("class=\"interval\"").count();
    assert!(intervals >= 3 * 3, "shares, ratings and their lines: {intervals}");
}

#[test]
fn the_page_of_a_bot_has_opponents_seats_a_curve_and_a_way_back() {
    let site = site(&["anna", "ben", "dora"], 5, Vec::new());
    let pages = pages(&site);
    let (_, anna) = pages.iter().find(|(name, _)| name == "bots/1-anna.html").expect("a page");
    let text = words(anna);
    let curves = ["Rating over its games", "Share over its games"];
    for fact in ["By opponent", "By seat", "white", "black", "1 of 3"].iter().chain(&curves) {
        assert!(text.contains(fact), "{fact}: {text}");
    }
    assert_eq!(anna.matches("class=\"band\"").count(), 2);
    // The curve of the ratings ends in the rating above it.
    let (_, label) = anna.split_once("Rating after parts of the tournament: ").expect("a curve");
    let last = label.split(", ").nth(1).expect("two ends").split(' ').next().expect("a rating");
    assert!(label.contains("after 20 games\"") && text.contains(last), "{last}: {text}");
    assert!(anna.contains("href=\"../bots/2-ben.html\"") && anna.contains("href=\"../index.html#"));
    assert!(anna.contains("100.0% after 20 games\""), "{text}");
    assert!(anna.contains("<polyline") && anna.contains("<polygon"));
    let (_, carla) = pages.iter().find(|(name, _)| name == "bots/4-carla.html").expect("a page");
    assert!(words(carla).contains("Rejected by the gate") && !carla.contains("<polyline"));
    assert!(words(carla).contains("| \\u{202e}Error"), "{}", words(carla));
}

#[test]
fn faults_are_shown_with_their_evidence() {
    let mut store = store(&["anna", "ben"], 3, Draws::numbered(1, "cup"));
    let faulty = |block, seat| {
        let key = GameKey { generation: 0, block, rotation: 0 };
        let game = PlayedGame {
            block,
            seats: vec![0, 1],
            verdict: Verdict::Scored { points: vec![1.0, 0.0], places: vec![1, 2] },
            void_at: None,
            turns: 7,
            uses: Vec::new(),
            faults: vec![(seat, FaultKind::Protocol)],
            replay: None,
        };
        StoredGame { key, id: u64::from(block), attempts: 1, game }
    };
    store.record(&[faulty(100, 1), faulty(101, 1)]).expect("games");
    let fault = Fault {
        kind: FaultKind::Protocol,
        seat: "white".into(),
        turn: 6,
        message: "expected <em>, got \u{7}".into(),
        got: Some("</code><script>alert(2)</script>".into()),
    };
    let shown = vec![
        ShownGame {
            index: 6,
            id: "draughts-0b1b".into(),
            page: Some("games/draughts-0b1b.html".into()),
            faults: vec![ShownFault { seat: 1, fault, fatal: true }],
            problem: None,
        },
        ShownGame {
            index: 7,
            problem: Some("its replay is missing".into()),
            ..ShownGame::default()
        },
    ];
    let site = site_of(&store, shown);
    let pages = pages(&site);
    let page = |part: &str| &pages.iter().find(|(name, _)| name.contains(part)).expect("a page").1;
    let (ben, text) = (page("ben"), words(page("ben")));
    assert!(text.contains("protocol 2") && text.contains("protocol, at move 6"), "{text}");
    assert!(text.contains("expected <em>, got \\u{7}"), "{text}");
    assert!(text.contains("</code><script>alert(2)</script>"), "{text}");
    assert!(!ben.contains("<script>alert") && !ben.contains("<em>"), "{text}");
    assert!(ben.contains("href=\"../games/draughts-0b1b.html\""));
    assert!(text.contains("its replay is missing") && text.contains("white: ben"), "{text}");
    // The game of a fault is listed for its opponent too, and the fault is not.
    let anna = words(page("anna"));
    assert!(anna.contains("Games with a page") && !anna.contains("at move 6"), "{anna}");
}

#[test]
fn the_secret_and_the_ids_of_students_stay_out() {
    let draws = Draws::secret([0xab; 32], 5);
    let (secret, hash) = ("ab".repeat(32), draws.commitment().expect("a hash"));
    let mut store = store(&["anna", "ben"], 2, draws);
    let hidden = pages(&site_of(&store, Vec::new()));
    for (name, html) in &hidden {
        assert!(!html.contains(&secret) && !html.contains("s0815"), "{name}");
    }
    let index = |pages: &[(String, String)]| words(&pages.last().expect("an index").1);
    assert!(index(&hidden).contains(&hash) && index(&hidden).contains("is published when"));
    store.note("secret revealed", "").expect("a note");
    let shown = index(&pages(&site_of(&store, Vec::new())));
    assert!(shown.contains(&hash) && shown.contains(&secret), "{shown}");
    // A grade book has the IDs.
    let report = Report::of(&store).expect("a report");
    let csv = report.results.standings.to_csv();
    assert!(csv.contains("s0815") && csv.contains("it failed as white"), "{csv}");
}

#[test]
fn hostile_names_are_text_only() {
    let long = "<x>".repeat(3400);
    let names = [
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "\u{202e}gnp.exe\u{2066}",
        "' onfocus='alert(1)",
        "javascript:alert(1)",
        "]]><!--",
        "\u{1b}[2J\0\n",
        "",
        &long,
    ];
    let site = site(&names, 1, Vec::new());
    let allowed = [
        "!doctype",
        "a",
        "bdi",
        "body",
        "button",
        "caption",
        "circle",
        "code",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "figcaption",
        "figure",
        "h1",
        "h2",
        "head",
        "header",
        "html",
        "input",
        "kbd",
        "label",
        "li",
        "line",
        "main",
        "meta",
        "option",
        "p",
        "polygon",
        "polyline",
        "pre",
        "script",
        "section",
        "select",
        "span",
        "style",
        "summary",
        "svg",
        "table",
        "tbody",
        "td",
        "text",
        "th",
        "thead",
        "time",
        "title",
        "tr",
        "ul",
    ];
    for (name, html) in pages(&site) {
        assert_eq!(html.matches("<script").count(), 1, "{name}");
        let markup = html.split("<script").next().expect("a part");
        for part in markup.split('<').skip(1) {
            let tag: String = part
                .trim_start_matches('/')
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric() || *c == '!')
                .collect();
            assert!(allowed.contains(&tag.as_str()), "{name}: <{tag}");
            let attributes = part.split('>').next().unwrap_or_default();
            // Outside the quotes of values.
            let bare: String = attributes.split('"').step_by(2).collect();
            assert!(!bare.contains(" on") && !bare.contains(" style="), "{name}: {attributes}");
        }
        for (at, _) in markup.match_indices("href=\"") {
            let target = markup[at + 6..].split('"').next().expect("a target");
            assert!(!target.contains(':') && !target.starts_with('/'), "{name}: {target}");
        }
        let hidden = |c: char| {
            (c.is_control() && c != '\n')
                || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        };
        assert!(!html.contains(hidden), "{name}");
        let markup = markup.replace("img src=x", "");
        for part in ["unsafe", "http-equiv=\"refresh\"", " src=", "@import", "url("] {
            assert!(!markup.contains(part), "{name}: {part}");
        }
    }
    // The whole name is on the page of its bot, and a short one in the table.
    let whole = long.replace('<', "&lt;").replace('>', "&gt;");
    let (_, page) = site.bots().find(|(name, _)| name.contains("/9-")).expect("a page");
    assert!(page.contains(&format!("<dt>Full name</dt><dd><bdi>{whole}</bdi>")));
    assert!(words(&site.index()).lines().all(|line| !line.contains(&long)));
}

#[test]
fn a_tournament_without_a_game_has_pages() {
    let site = site(&["anna", "ben"], 0, Vec::new());
    for (name, html) in pages(&site) {
        assert!(!html.contains("NaN") && !html.contains("inf\""), "{name}");
    }
    assert!(words(&site.index()).contains("0 games"));
}
