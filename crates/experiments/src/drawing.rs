//! The distributions of an experiment's figures as one SVG document: a panel for each row, on the same
//! scale of values, with the source's peaks.

use crate::distribution::Distribution;
use crate::figures::{Figure, RowFigures};
use maud::{Markup, PreEscaped, html};
use std::ops::RangeInclusive;

/// The width of a panel's bars, the height of the highest one, and the height of a panel.
const WIDTH: f64 = 480.0;
const BARS: f64 = 90.0;
const PANEL: f64 = 150.0;
/// The margins to the left and above, in which the title of a panel is.
const LEFT: f64 = 44.0;
const TOP: f64 = 34.0;
/// The most labels below the bars.
const LABELS: u32 = 16;

const STYLE: &str = "\
text{font:12px sans-serif;fill:#222}.title{font-weight:bold}.end{text-anchor:end}\
.value{text-anchor:middle}.axis{stroke:#888}.bar{fill:#3b6fb6}.peak{fill:#1d3f73}\
.source{stroke:#c2571a;stroke-width:2;stroke-dasharray:5 3}\
@media(prefers-color-scheme:dark){text{fill:#ddd}.bar{fill:#5b8fd6}.peak{fill:#bcd3f5}}";

/// Draws every distribution of these rows. `None`: no figure has one with a game.
pub(crate) fn distributions(title: &str, rows: &[RowFigures]) -> Option<String> {
    let panels: Vec<(&RowFigures, &Figure, &Distribution)> = rows
        .iter()
        .flat_map(|row| row.figures.iter().map(move |figure| (row, figure)))
        .filter_map(|(row, figure)| Some((row, figure, figure.distribution.as_ref()?)))
        .collect();
    let range = Distribution::range(panels.iter().map(|panel| panel.2))?;
    let height = PANEL * panels.len() as f64 + 28.0;
    let width = LEFT + WIDTH + 16.0;
    let document = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {width} {height}"))
            width=(width) height=(height) role="img" {
            title { (title) }
            style { (PreEscaped(STYLE)) }
            @for (index, (row, figure, distribution)) in panels.iter().enumerate() {
                g transform=(format!("translate({LEFT} {})", PANEL * index as f64 + TOP)) {
                    (panel(row, figure, distribution, &range))
                }
            }
            text x=(LEFT) y=(height - 10.0) {
                "Games by value. Dark: peaks. Dashed: peaks of the source."
            }
        }
    };
    Some(document.into_string() + "\n")
}

/// Draws one distribution from 0, 0 at the top left of the bars.
fn panel(
    row: &RowFigures,
    figure: &Figure,
    distribution: &Distribution,
    range: &RangeInclusive<u32>,
) -> Markup {
    let highest = distribution.counts().map(|(_, count)| count).max().unwrap_or(0).max(1);
    let last = range.end() - range.start();
    let step = WIDTH / (f64::from(last) + 1.0);
    let x = |value: u32| (f64::from(value) - f64::from(*range.start())) * step;
    let tall = |count: u32| f64::from(count) / f64::from(highest) * BARS;
    let peaks = distribution.peaks();
    let digits = |number: f64| format!("{number:.1}");
    let every = (last / LABELS + 1) as usize;
    let on_scale = figure.published.peaks.iter().filter(|peak| range.contains(peak));
    html! {
        text class="title" x="0" y="-10" {
            (row.label) ": " (figure.published.in_words()) ", " (distribution.games()) " games"
        }
        @for (value, count) in distribution.counts() {
            rect class=(if peaks.contains(&value) { "bar peak" } else { "bar" })
                x=(digits(x(value) + 0.1 * step)) y=(digits(BARS - tall(count)))
                width=(digits(0.8 * step)) height=(digits(tall(count))) {
                title { (value) ": " (count) }
            }
        }
        @for &peak in on_scale {
            @let at = digits(x(peak) + 0.5 * step);
            line class="source" x1=(at) x2=(at) y1="0" y2=(BARS) {}
        }
        line class="axis" x1="0" x2=(WIDTH) y1=(BARS) y2=(BARS) {}
        text class="end" x="-6" y="10" { (highest) }
        text class="end" x="-6" y=(BARS) { "0" }
        @for value in range.clone().step_by(every) {
            text class="value" x=(digits(x(value) + 0.5 * step)) y=(BARS + 16.0) { (value) }
        }
    }
}
