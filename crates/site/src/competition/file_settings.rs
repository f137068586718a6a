//! The settings of an event's file that a form changes: a line each, so that comments and all else stay as they are.

/// A setting that the form has: its section, its key, its label, and whether its value is text.
pub(crate) struct Setting {
    /// The section; empty: the first lines of the file.
    pub(crate) section: &'static str,
    /// The key.
    pub(crate) key: &'static str,
    /// What people call it.
    pub(crate) label: &'static str,
    /// Whether the value stands in quotes.
    pub(crate) is_text: bool,
}

const fn setting(
    section: &'static str,
    key: &'static str,
    label: &'static str,
    is_text: bool,
) -> Setting {
    Setting { section, key, label, is_text }
}

/// The settings of the form.
pub(crate) const SETTINGS: [Setting; 8] = [
    setting("", "game", "Game", true),
    setting("", "rules", "Preset of its rules", true),
    setting("time", "move_ms", "Time for a move, in milliseconds", false),
    setting("time", "bank_ms", "Time for a game, in milliseconds", false),
    setting("sandbox", "memory_mib", "Memory of a bot, in MiB", false),
    setting("gate", "blocks", "Blocks of the gate against each opponent", false),
    setting("gate", "score", "Share of the points that the gate needs", false),
    setting("run", "concurrency", "Games at once on this host", false),
];

impl Setting {
    /// Returns its name in forms.
    pub(crate) fn name(&self) -> String {
        match self.section {
            "" => self.key.to_string(),
            section => format!("{section}.{}", self.key),
        }
    }

    /// Returns its value in a file; empty if it is not there.
    pub(crate) fn value(&self, text: &str) -> String {
        let found = self.find(text).key.and_then(|line| text.lines().nth(line));
        let value = found.and_then(|line| line.split_once('=')).map_or("", |(_, value)| value);
        let value = value.trim();
        match value.strip_prefix('"').or(value.strip_prefix('\'')) {
            Some(quoted) => quoted.split(['"', '\'']).next().unwrap_or_default().to_string(),
            None => value.split('#').next().unwrap_or_default().trim().to_string(),
        }
    }

    /// Returns a file with this value; an empty one removes the line.
    pub(crate) fn with_value(&self, text: &str, value: &str) -> String {
        if self.value(text) == value {
            return text.to_string();
        }
        let shown = if self.is_text { format!("{value:?}") } else { value.to_string() };
        let line = format!("{} = {shown}", self.key);
        let mut lines: Vec<String> = text.lines().map(String::from).collect();
        let found = self.find(text);
        match (found.key, value.is_empty()) {
            (Some(at), true) => drop(lines.remove(at)),
            (Some(at), false) => lines[at] = line,
            (None, true) => {}
            (None, false) => match found.start {
                Some(at) => lines.insert(at, line),
                None => lines.extend([String::new(), format!("[{}]", self.section), line]),
            },
        }
        lines.join("\n") + "\n"
    }

    /// Finds the line of the key, and the first line of its section.
    fn find(&self, text: &str) -> Found {
        let mut section = String::new();
        let mut found = Found { key: None, start: self.section.is_empty().then_some(0) };
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if let Some(header) = line.strip_prefix('[') {
                section = header.split(']').next().unwrap_or_default().trim().to_string();
                if section == self.section && !header.starts_with('[') {
                    found.start = Some(number + 1);
                }
            } else if section == self.section {
                let key = line.split('=').next().unwrap_or_default().trim();
                if key == self.key && line.contains('=') {
                    found.key = Some(number);
                }
            }
        }
        found
    }
}

struct Found {
    key: Option<usize>,
    start: Option<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_changes_its_line_alone() {
        let text = "# Ours.\ngame = \"nim\" # short\n\n[time]\n# Fast.\nmove_ms = 100\n";
        let of = |name: &str| SETTINGS.iter().find(|it| it.name() == name).expect("a setting");
        assert_eq!(
            (of("game").value(text), of("time.move_ms").value(text)),
            ("nim".into(), "100".into())
        );
        assert_eq!(of("time.move_ms").with_value(text, "50"), text.replace("100", "50"));
        assert_eq!(of("time.move_ms").with_value(text, ""), text.replace("move_ms = 100\n", ""));
        let bank = of("time.bank_ms").with_value(text, "9000");
        assert_eq!(bank, text.replace("[time]\n", "[time]\nbank_ms = 9000\n"));
        let run = of("run.concurrency").with_value(text, "2");
        assert_eq!(run, format!("{text}\n[run]\nconcurrency = 2\n"));
        assert_eq!(of("rules").with_value(text, ""), text);
        assert_eq!(of("rules").with_value(text, "short"), format!("rules = \"short\"\n{text}"));
    }
}
