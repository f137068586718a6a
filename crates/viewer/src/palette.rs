//! The colours, light and dark, and the style sheet that all boards share.
//!
//! The colours of players are those of Okabe and Ito ("Color Universal Design", 2008), which people
//! with any colour vision can tell apart. Nothing is shown by colour alone: players, pawns and
//! tickets also have a letter or a number, and lines have a width and a dash pattern.

use std::fmt::Write;

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Dark drawings on white.
    #[default]
    Light,
    /// Light drawings on dark grey.
    Dark,
}

impl Theme {
    /// Its class: `light` or `dark`.
    pub const fn name(self) -> &'static str {
        match self {
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }
}

/// The custom properties with their values in light and in dark.
const COLOURS: &[(&str, &str, &str)] = &[
    ("paper", "#ffffff", "#181b20"),
    ("ink", "#1c2127", "#e8eaed"),
    ("dim", "#5a6470", "#9ba5b1"),
    ("rule", "#c9d0d8", "#444c57"),
    ("panel", "#f2f4f7", "#242930"),
    ("mark", "#d55e00", "#ff9d4d"),
    ("candidate", "#f0c4dd", "#8c3f6c"),
    ("candidate-edge", "#a8487f", "#e79cc6"),
    ("taxi", "#e0a100", "#c79210"),
    ("bus", "#009e73", "#1fae86"),
    ("underground", "#d55e00", "#e2722a"),
    ("ferry", "#0072b2", "#4ba3dc"),
    ("mr-x", "#111111", "#f4f4f4"),
    ("mr-x-ink", "#ffffff", "#111111"),
    ("light-square", "#efe6d5", "#5d5a55"),
    ("dark-square", "#a98f6d", "#3a3733"),
    ("black-piece", "#26282b", "#0d0e10"),
    ("white-piece", "#fbf8f1", "#f1ede4"),
    ("frame", "#2f6fa8", "#27567f"),
    ("yellow-disc", "#f0c419", "#f0c419"),
    ("red-disc", "#c8391b", "#e0512f"),
    ("player-1", "#e69f00", "#e69f00"),
    ("player-2", "#56b4e9", "#56b4e9"),
    ("player-3", "#009e73", "#14b389"),
    ("player-4", "#f0e442", "#f0e442"),
    ("player-5", "#4f8fd0", "#4f8fd0"),
    ("player-6", "#e0763a", "#e0763a"),
    ("player-7", "#cc79a7", "#cc79a7"),
    ("player-8", "#a6adb5", "#a6adb5"),
    ("on-player", "#14171a", "#14171a"),
    ("border", "#1c2127", "#0c0e10"),
    ("die", "#ffffff", "#f1f1f1"),
    ("die-ink", "#14171a", "#14171a"),
];

/// The custom properties that only the page of a game has, with their values in light and in dark.
const PAGE_COLOURS: &[(&str, &str, &str)] = &[
    ("edge", "#7b8591", "#77818d"),
    ("table", "#f1ece1", "#243029"),
    ("table-edge", "#e4dccb", "#1a231e"),
    ("focus", "#0072b2", "#56b4e9"),
    ("mark-text", "#a84300", "#ff9d4d"),
    ("candidate-strong", "#dd8dbb", "#a8487f"),
    ("square-number", "#1c2127", "#efe6d5"),
    ("bus-ticket", "#2bb58f", "#2bb58f"),
    ("underground-ticket", "#f0803c", "#f0803c"),
];

/// What all boards share. `&` and `<` must not occur here, nor in the style of a game.
pub(crate) const SHARED: &str = "\
.botyard text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',Arial,sans-serif;\
fill:var(--ink);font-size:13px}\
.botyard .paper{fill:var(--paper)}\
.botyard .panel{fill:var(--panel)}\
.botyard .middle{text-anchor:middle}\
.botyard .end{text-anchor:end}\
.botyard .strong{font-weight:700}\
.botyard text.dim{fill:var(--dim)}\
.botyard text.caption{font-size:14px}";

/// What boards of drawings share that come from the program of a game: nothing of it applies in a drawing, whose
/// attributes any rule would overrule.
pub(crate) const AROUND_DRAWINGS: &str = "\
.drawn{color:var(--ink);fill:var(--ink)}\
.drawn .paper{fill:var(--paper)}\
.drawn .caption{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',Arial,sans-serif;font-size:14px}";

/// The style sheet of a page for boards of a class: the colours are custom properties.
pub(crate) fn style_for_pages(class: &str, shared: &str, game: &str) -> String {
    let mut style = String::new();
    for theme in [Theme::Light, Theme::Dark] {
        // Writing to a string cannot fail.
        let _ = write!(style, ".{class}.{}{{", theme.name());
        for (name, light, dark) in COLOURS {
            let value = if theme == Theme::Light { light } else { dark };
            let _ = write!(style, "--{name}:{value};");
        }
        style.push('}');
    }
    style + shared + game
}

/// The colours of the page of a game, as custom properties of the document: light or dark as the
/// reader's system is, or as its attribute `data-theme` says.
pub(crate) fn properties_for_documents() -> String {
    let of = |theme| {
        let both = COLOURS.iter().chain(PAGE_COLOURS);
        let value = |(name, light, dark): &(&str, &str, &str)| {
            format!("--{name}:{};", if theme == Theme::Light { light } else { dark })
        };
        both.map(value).collect::<String>()
    };
    let (light, dark) = (of(Theme::Light), of(Theme::Dark));
    format!(
        ":root{{{light}}}\n@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light])\
         {{{dark}}}}}\n@media screen{{:root[data-theme=dark]{{{dark}}}}}\n"
    )
}

/// The style sheet of a picture: the colours of a theme are written out.
pub(crate) fn style_in(theme: Theme, style: &str) -> String {
    let mut style = style.to_string();
    for (name, light, dark) in COLOURS {
        let value = if theme == Theme::Light { light } else { dark };
        style = style.replace(&format!("var(--{name})"), value);
    }
    style
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::styles;

    #[test]
    fn every_colour_is_known_and_used_and_styles_have_no_markup() {
        let all = SHARED.to_string() + &styles().collect::<String>();
        for (name, light, dark) in COLOURS {
            assert!(all.contains(&format!("var(--{name})")), "--{name} is used nowhere");
            assert!([light, dark].iter().all(|value| value.starts_with('#') && value.len() == 7));
        }
        for style in styles() {
            let style = style_in(Theme::Dark, style);
            assert!(!style.contains("var(") && !style.contains(['&', '<']), "{style}");
        }
    }
}
