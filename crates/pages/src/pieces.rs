//! The parts that the pages share: names, tables, numbers in words, and the frame around a page.

use botyard_league::score::Interval;
use botyard_league::standings::words::{NOTHING, letter, percent, percents};
use botyard_league::standings::{BotStanding, ScoreSummary};
use botyard_protocol::printable;
use botyard_viewer::Shell;
use maud::{Markup, html};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, SystemTime};

/// The length to which a name is shortened, in characters.
const SHORT: usize = 60;

/// The length to which any text is shortened, in characters: the longest name as a whole.
const WHOLE: usize = 12_000;

/// The style of the pages, besides that of the pages of games.
pub const STYLE: &str = include_str!("../assets/report.css");
const SCRIPT: &str =
    concat!(include_str!("../assets/board.js"), include_str!("../assets/report.js"));

/// Returns a page around its header and its main part.
pub fn document(title: &str, skip: (&str, &str), header: &Markup, main: &Markup) -> String {
    let (target, words) = skip;
    let body = html! {
        a class="skip" href=(format!("#{target}")) { (words) }
        header class="top" {
            div class="names" { (header) }
            div class="choices" { button type="button" id="theme" hidden { "Dark" } }
        }
        main class="report" id="main" { (main) }
    };
    Shell { title, body: &body.into_string(), style: STYLE, script: SCRIPT }.document().html
}

/// Returns an untrusted name: isolated from the direction of the text around it, and shortened, with
/// the whole name in its title.
pub fn name(full: &str) -> Markup {
    let (short, whole) = (printable(full, SHORT), printable(full, WHOLE));
    html! { bdi title=[(short != whole).then_some(whole)] { (short) } }
}

/// Returns a whole untrusted name.
pub fn whole_name(full: &str) -> Markup {
    html! { bdi { (printable(full, WHOLE)) } }
}

/// Returns an untrusted text of one line, of at most this number of characters.
pub fn text(text: &str, most: usize) -> Markup {
    html! { bdi { (printable(text, most)) } }
}

/// Returns an untrusted text of several lines, each of at most this number of characters.
pub fn lines(text: &str, most: usize) -> Markup {
    html! {
        pre { @for (number, line) in text.trim_end().lines().enumerate() {
            @if number > 0 { "\n" }
            bdi { (printable(line, most)) }
        } }
    }
}

/// Returns a row of a list of facts.
pub fn fact(label: &str, value: &Markup) -> Markup {
    html! { div { dt { (label) } dd { (value) } } }
}

/// Returns the start of a table. On a narrow screen each of its rows is a card, in which every cell
/// has its label; the roles keep it a table for assistive technology.
pub fn table(caption: &str, header: &[&str], body: &Markup) -> Markup {
    html! {
        table class="results" role="table" {
            caption { (caption) }
            thead role="rowgroup" { tr role="row" {
                @for label in header { th scope="col" role="columnheader" { (label) } }
            } }
            tbody role="rowgroup" { (body) }
        }
    }
}

/// Returns a cell with the label of its column.
pub fn cell(label: &str, content: &Markup) -> Markup {
    html! { td role="cell" data-label=(label) { span class="value" { (content) } } }
}

/// Returns a cell of plain text.
pub fn plain(label: &str, content: impl ToString) -> Markup {
    let content = content.to_string();
    cell(label, &html! { (content) })
}

/// Returns the cell that names its row.
pub fn row_name(content: &Markup) -> Markup {
    html! { th scope="row" role="rowheader" { (content) } }
}

/// Returns games, won, drawn and lost games, the share and its interval as four cells.
pub fn score_cells(score: &ScoreSummary, interval: Option<Interval>) -> Markup {
    html! {
        (plain("games", score.games))
        (plain("won / drawn / lost", won_drawn_lost(score)))
        (plain("share", percent(score.share)))
        (plain("95% of the share", percents(interval)))
    }
}

/// The header of [`score_cells`].
pub const SCORE_HEADER: [&str; 4] = ["games", "won / drawn / lost", "share", "95% of the share"];

/// Returns `12 / 0 / 8`.
pub fn won_drawn_lost(score: &ScoreSummary) -> String {
    if score.games == 0 {
        return NOTHING.into();
    }
    format!("{} / {} / {}", score.wins, score.draws, score.losses)
}

/// Returns the letters of the groups of a bot, each as a mark.
pub fn groups(bot: &BotStanding) -> Markup {
    html! {
        @if bot.groups.is_empty() { (NOTHING) }
        @for (number, &group) in bot.groups.iter().enumerate() {
            @if number > 0 { " " }
            span class="group" { (letter(group)) }
        }
    }
}

/// Writes a moment, in seconds since 1970, to the minute and with its time zone, if it has a usual form.
type Writer = Rc<dyn Fn(u64) -> Option<String>>;

thread_local! {
    static WRITER: RefCell<Option<Writer>> = const { RefCell::new(None) };
}

/// Sets the writer of this thread, and the one before it when it is dropped.
struct Written(Option<Writer>);

impl Written {
    fn by(writer: Option<Writer>) -> Written {
        Written(WRITER.replace(writer))
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        WRITER.set(self.0.take());
    }
}

/// Runs work in which [`moment`] and [`moment_text`] show moments as the writer writes them, in place of UTC.
pub fn with_moments<T>(
    writer: impl Fn(u64) -> Option<String> + 'static,
    work: impl FnOnce() -> T,
) -> T {
    let _written = Written::by(Some(Rc::new(writer)));
    work()
}

/// Returns a moment, in seconds since 1970, to the minute and with its time zone, as text: in UTC, unless
/// [`with_moments`] says otherwise.
pub fn moment_text(seconds: u64) -> String {
    if let Some(writer) = WRITER.with_borrow(Clone::clone) {
        return writer(seconds).unwrap_or(NOTHING.into());
    }
    let Some(written) = written(seconds) else { return NOTHING.into() };
    let (date, time) = (written.get(..10).unwrap_or(NOTHING), written.get(11..16));
    format!("{date} {} UTC", time.unwrap_or_default())
}

/// Returns a moment, in seconds since 1970, as [`moment_text`] does.
pub fn moment(seconds: u64) -> Markup {
    match written(seconds) {
        Some(written) => html! { time datetime=(written) { (moment_text(seconds)) } },
        None => html! { (NOTHING) },
    }
}

/// Returns a moment as in `2026-11-23T18:24:15Z`, if it has such a form.
fn written(seconds: u64) -> Option<String> {
    /// The first second of the year 10000, which has no such form.
    const END: u64 = 253_402_300_800;
    if seconds >= END {
        return None;
    }
    let moment = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    Some(humantime::format_rfc3339_seconds(moment).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_text_isolated_and_shortened() {
        assert_eq!(name("anna").into_string(), "<bdi>anna</bdi>");
        let script = name("<script>alert(\"1\")</script>").into_string();
        assert_eq!(script, "<bdi>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;</bdi>");
        assert_eq!(name("\u{202e}gnp").into_string(), "<bdi>\\u{202e}gnp</bdi>");
        let long = "\"x".repeat(5000);
        let shown = name(&long).into_string();
        assert!(shown.ends_with("...</bdi>") && shown.contains(&"&quot;x".repeat(5000)), "{shown}");
        assert_eq!(whole_name("a\nb").into_string(), "<bdi>a\\nb</bdi>");
        assert_eq!(
            lines("a\n<b>\n\n", 9).into_string(),
            "<pre><bdi>a</bdi>\n<bdi>&lt;b&gt;</bdi></pre>"
        );
    }

    #[test]
    fn assets_are_plain_text_that_cannot_end_their_element_and_loads_nothing() {
        assert!(!SCRIPT.contains("</") && !SCRIPT.contains("<!--") && !STYLE.contains('<'));
        assert!(!STYLE.contains("url(") && !STYLE.contains("@import"));
        for word in
            ["innerHTML", "outerHTML", "document.write", "eval(", "fetch(", "import", "http"]
        {
            assert!(!SCRIPT.contains(word), "{word}");
        }
    }

    #[test]
    fn moments_are_written_in_utc() {
        let expected = "<time datetime=\"2026-11-22T03:30:03Z\">2026-11-22 03:30 UTC</time>";
        assert_eq!(moment(1_795_318_203).into_string(), expected);
        assert_eq!(moment(u64::MAX).into_string(), "-");
    }

    #[test]
    fn moments_are_written_in_another_zone_while_work_runs() {
        let writer = |seconds| Some(format!("{seconds} LMT"));
        let expected = "<time datetime=\"1970-01-01T00:00:07Z\">7 LMT</time>";
        assert_eq!(with_moments(writer, || moment(7).into_string()), expected);
        assert_eq!(with_moments(|_| None, || moment_text(7)), "-");
        assert!(std::panic::catch_unwind(|| with_moments(writer, || panic!("work"))).is_err());
        assert_eq!(moment_text(7), "1970-01-01 00:00 UTC");
    }
}
