//! The captions of the pictures in `docs/pictures`: a count in a caption is in the table `captions.txt` beside them,
//! with the words of the maker that it follows from, and no page shows a picture twice.

use crate::page_commands::pages;
use crate::repository;
use std::collections::BTreeSet;
use std::fs;

/// The words for counts in captions.
const COUNTS: [&str; 12] = [
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "fifty",
    "hundred",
];

/// The source of a count that the rules of a game fix.
const RULES: &str = "rules";

/// A picture on a page.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Shown {
    page: String,
    picture: String,
    caption: String,
}

/// A row of the table.
struct Count {
    picture: String,
    words: String,
    from: String,
}

/// Returns the pictures of `docs/pictures` that a page shows.
fn shown(page: &str, text: &str) -> Vec<Shown> {
    let starts = text.split("![").skip(1);
    let picture_of = |start: &str| {
        let (caption, rest) = start.split_once("](")?;
        let (_, picture) = rest.split_once(')')?.0.split_once("pictures/")?;
        let caption = caption.split_whitespace().collect::<Vec<_>>().join(" ");
        Some(Shown { page: page.into(), picture: picture.into(), caption })
    };
    starts.filter_map(picture_of).collect()
}

fn table(text: &str) -> Vec<Count> {
    let rows = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let count_of = |row: &str| {
        let cells: Vec<&str> = row.splitn(3, '|').map(str::trim).collect();
        let [picture, words, from] = cells[..] else { panic!("a row has three cells: {row}") };
        Count { picture: picture.into(), words: words.into(), from: from.into() }
    };
    rows.map(count_of).collect()
}

/// Returns the counts of a caption, as words. A capital within it belongs to a name, such as Connect Four.
fn counts(caption: &str) -> Vec<&str> {
    let words = caption.split(|c: char| !c.is_alphanumeric() && c != '%');
    let is_count = |(place, word): &(usize, &str)| {
        let is_word = COUNTS.contains(&word.to_lowercase().as_str());
        let is_name = *place > 0 && word.starts_with(char::is_uppercase);
        word.starts_with(|c: char| c.is_ascii_digit()) || is_word && !is_name
    };
    words.enumerate().filter(is_count).map(|(_, word)| word).collect()
}

/// Returns what is wrong with the captions.
fn faults(all: &[Shown], table: &[Count], make: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut once = BTreeSet::new();
    for Shown { page, picture, caption } in all {
        if !once.insert((page, picture)) {
            found.push(format!("{page}: shows {picture} twice"));
        }
        let stated: Vec<&Count> = table
            .iter()
            .filter(|row| row.picture == *picture && caption.contains(&row.words))
            .collect();
        let is_stated = |count: &&str| stated.iter().any(|row| counts(&row.words).contains(count));
        let unknown = counts(caption).into_iter().filter(|count| !is_stated(count));
        found.extend(
            unknown.map(|count| format!("{page}: {picture}: {count:?} is not in the table")),
        );
    }
    for Count { picture, words, from } in table {
        if !all.iter().any(|one| one.picture == *picture && one.caption.contains(words)) {
            found.push(format!("{picture}: no caption has {words:?}"));
        }
        let (times, from) = match from.split_once(" x ") {
            Some((times, from)) => (times.parse().ok(), from),
            None => (None, from.as_str()),
        };
        let made = make.matches(from).count();
        if from != RULES && (made == 0 || times.is_some_and(|times: usize| times != made)) {
            found.push(format!("{picture}: the maker has {from:?} {made} times"));
        }
    }
    found
}

#[test]
fn the_counts_in_captions_are_those_of_the_maker() {
    let mut all = Vec::new();
    for path in pages() {
        let text = fs::read_to_string(&path).expect("a page");
        let page = path.strip_prefix(repository("")).expect("a page of the repository");
        all.extend(shown(&page.display().to_string(), &text));
    }
    assert!(all.len() > 20, "{} pictures", all.len());
    let read = |name: &str| fs::read_to_string(repository("docs/pictures").join(name)).expect(name);
    let found = faults(&all, &table(&read("captions.txt")), &read("make"));
    assert!(found.is_empty(), "docs/pictures/captions.txt:\n{}", found.join("\n"));
}

#[test]
fn wrong_captions_are_found() {
    let rows =
        table("# a comment\ncup.png | six bots | 6 x [[bot]]\nend.png | two discs | rules\n");
    let make = "[[bot]]\n".repeat(6);
    let page = "![A Connect Four cup of six\nbots.](../pictures/cup.png)\n![The two discs.](pictures/end.png)\n";
    assert_eq!(faults(&shown("a.md", page), &rows, &make), [""; 0]);
    for (page, make, expected) in [
        (page.replace("six", "five"), make.clone(), "\"five\" is not in the table"),
        (page.replace("six", "the"), make.clone(), "no caption has \"six bots\""),
        (page.to_string(), "[[bot]]\n".repeat(5), "\"[[bot]]\" 5 times"),
        (page.repeat(2), make, "shows cup.png twice"),
    ] {
        let found = faults(&shown("a.md", &page), &rows, &make);
        assert!(found.iter().any(|fault| fault.contains(expected)), "{expected}: {found:?}");
    }
}
