//! The book: its summary names every page once, each page ends with the reader's next step, and the page of the kits has
//! the names and the code of their READMEs.

use crate::page_commands::pages;
use crate::repository;
use std::collections::BTreeSet;
use std::fs;

/// Pages without a next step: the first one, those that programs write, terms, and records of decisions.
const WITHOUT_NEXT: [&str; 6] = [
    "introduction.md",
    "reference/commands",
    "reference/bots.md",
    "results.md",
    "glossary.md",
    "decisions/",
];

/// The kits: the directory in `sdk`, and the heading of its section on the page of the kits.
const KITS: [(&str, &str); 6] = [
    ("python", "Python"),
    ("javascript", "JavaScript and TypeScript"),
    ("go", "Go"),
    ("cpp", "C++"),
    ("java", "Java"),
    ("c", "C"),
];

#[test]
fn the_summary_names_every_page_once() {
    let summary = summary();
    let named: BTreeSet<&str> = summary.iter().map(String::as_str).collect();
    assert_eq!(named.len(), summary.len(), "a page is in the summary twice: {summary:#?}");
    let docs = repository("docs");
    let found = pages()
        .into_iter()
        .filter_map(|path| Some(path.strip_prefix(&docs).ok()?.to_str()?.replace('\\', "/")));
    let found: BTreeSet<String> = found.filter(|page| page != "SUMMARY.md").collect();
    let found: BTreeSet<&str> = found.iter().map(String::as_str).collect();
    assert_eq!(named, found, "docs/SUMMARY.md and the pages differ");
}

#[test]
fn every_page_ends_with_the_next_step() {
    let mut without = Vec::new();
    for page in summary() {
        if WITHOUT_NEXT.iter().any(|listed| page.starts_with(listed)) {
            continue;
        }
        let text = fs::read_to_string(repository("docs").join(&page)).expect("a page");
        let heading = text.rsplit_once("\n## ").map(|(_, section)| section);
        let last = text.trim_end().rsplit_once("\n\n").map(|(_, paragraph)| paragraph);
        let next = [heading.and_then(|text| text.strip_prefix("Next\n")), last];
        let leads_on = |text: &str| text.contains("](");
        if !next[0].is_some_and(leads_on)
            && !next[1].and_then(|text| text.strip_prefix("Next: ")).is_some_and(leads_on)
        {
            without.push(page);
        }
    }
    assert!(
        without.is_empty(),
        "no section `## Next` or last line `Next: ` with a link at the end of {without:#?}"
    );
}

#[test]
fn the_page_of_the_kits_has_what_their_readmes_have() {
    let page = fs::read_to_string(repository("docs/reference/kits.md")).expect("a page");
    let table = section(&page, "A turn");
    for (number, (kit, heading)) in KITS.into_iter().enumerate() {
        let readme = repository("sdk").join(kit).join("README.md");
        let readme = fs::read_to_string(readme).expect("the README of a kit");
        let own = section(&page, heading);
        let mut code = own.split("```").skip(1).step_by(2);
        assert!(code.all(|block| readme.contains(block)), "{kit}: its README has other code");
        let cells = table.lines().filter_map(|line| line.split(" | ").nth(number + 1));
        let rows = if kit == "c" { own.to_string() } else { cells.collect::<Vec<_>>().join("\n") };
        let missing: Vec<&str> =
            names(&rows).filter(|name| !readme.contains(name.trim_end_matches(')'))).collect();
        assert!(missing.is_empty(), "{kit}: its README does not have {missing:?}");
    }
    let python = fs::read_to_string(repository("sdk/python/README.md")).expect("a README");
    for row in section(&page, "Games").lines().filter(|line| line.starts_with("| `")) {
        assert!(python.contains(row), "sdk/python/README.md does not have {row}");
    }
}

/// Returns the text below a heading of the second level.
fn section<'a>(page: &'a str, heading: &str) -> &'a str {
    let (_, text) = page.split_once(&format!("\n## {heading}\n")).expect(heading);
    text.split("\n## ").next().unwrap_or_default()
}

/// Returns the names of a text that stand in code.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Returns the pages of the summary, in its order.
fn summary() -> Vec<String> {
    let text = fs::read_to_string(repository("docs/SUMMARY.md")).expect("the summary");
    let links = text.lines().filter_map(|line| line.trim().strip_suffix(')')?.rsplit_once("]("));
    links.map(|(_, page)| page.to_string()).collect()
}
