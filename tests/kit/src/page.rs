//! Documentation pages under test: their tables and their marked examples, for comparison with the
//! engine.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The text of a page in Markdown.
#[derive(Clone, Copy, Debug)]
pub struct Page(pub &'static str);

impl Page {
    /// Returns the rows of the first table whose first column has this heading, starting with the
    /// headings.
    ///
    /// # Panics
    ///
    /// If there is no such table.
    pub fn rows(self, heading: &str) -> Vec<Vec<&'static str>> {
        let start = format!("| {heading} |");
        let mut lines = self.0.lines().skip_while(|line| !line.starts_with(&start));
        let head = cells(lines.next().unwrap_or_else(|| panic!("no table of {heading}")));
        let body = lines.skip(1).take_while(|line| line.starts_with('|')).map(cells);
        std::iter::once(head).chain(body).collect()
    }

    /// Returns the fenced blocks of JSON that are marked with this kind.
    pub fn blocks(self, kind: &str) -> Vec<&'static str> {
        let blocks = self.0.split("```").skip(1).step_by(2);
        blocks.filter_map(|block| block.strip_prefix(&format!("json {kind}\n"))).collect()
    }

    /// Reads every example of a kind, and checks that writing it gives the same JSON.
    ///
    /// # Panics
    ///
    /// If an example does not, or there is none.
    pub fn examples<T: Serialize + DeserializeOwned>(self, kind: &str) -> Vec<T> {
        let read = |block: &&str| {
            let value: T =
                serde_json::from_str(block).unwrap_or_else(|e| panic!("{kind}: {e} in {block}"));
            let ours = serde_json::to_value(&value).map_err(|e| e.to_string());
            let theirs = serde_json::from_str::<Value>(block).map_err(|e| e.to_string());
            assert_eq!(ours, theirs, "{kind}: {block}");
            value
        };
        let examples: Vec<T> = self.blocks(kind).iter().map(read).collect();
        assert!(!examples.is_empty(), "no example of {kind}");
        examples
    }
}

/// Returns the cells of a table's row.
fn cells(row: &str) -> Vec<&str> {
    row.trim_matches('|').split('|').map(str::trim).collect()
}
