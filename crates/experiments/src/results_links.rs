//! Links between the sections of the page of results.

use std::collections::BTreeMap;

/// Texts of the page, each with the experiment that it first stood at. Later ones refer to it.
#[derive(Default)]
pub(crate) struct Said {
    texts: BTreeMap<String, String>,
}

impl Said {
    /// Returns a link to the section of another experiment that has this text, or remembers it as that of this one.
    pub(crate) fn elsewhere(&mut self, text: &str, experiment: &str) -> Option<String> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let first = self.texts.entry(text).or_insert_with(|| experiment.to_string());
        (first != experiment).then(|| format!("[{first}](#{})", anchor(first)))
    }
}

/// Returns the anchor of an experiment's section.
pub(crate) fn anchor(experiment: &str) -> String {
    experiment.chars().filter(|&c| c != '.').collect()
}
