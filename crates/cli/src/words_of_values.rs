//! Options whose value is several words, such as `--draw movecount=8 score=0.1`: the words are joined to
//! one argument before clap parses them.

use crate::adjudication_arguments::is_word_of_rule;
use crate::time_arguments::{TIMES, is_time_of_bot};
use std::ffi::OsString;

/// Returns the test of the words that follow the first word of this option's value; `None` if its value
/// is one word.
fn more_words(option: &OsString) -> Option<fn(&OsString) -> bool> {
    match option.to_str()? {
        "--draw" | "--resign" => Some(is_word_of_rule),
        option if TIMES.contains(&option) => Some(is_time_of_bot),
        _ => None,
    }
}

/// Joins the words of each value to one argument, with commas between them.
pub(crate) fn joined_words(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::new();
    let mut is_more: Option<fn(&OsString) -> bool> = None;
    for argument in arguments {
        let follows = joined.last().and_then(more_words);
        match joined.last_mut() {
            Some(value) if follows.is_none() && is_more.is_some_and(|is| is(&argument)) => {
                value.push(",");
                value.push(argument);
            }
            _ => {
                is_more = follows;
                joined.push(argument);
            }
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_value_are_one_argument() {
        for (line, expected) in [
            ("--draw movecount=8 score=0.1 -n 2", "--draw|movecount=8,score=0.1|-n|2"),
            ("--move-time a=40 b=120 --json", "--move-time|a=40,b=120|--json"),
            ("--move-time 40 x=1.5s a=python", "--move-time|40,x=1.5s|a=python"),
            ("--move-time 40 game a b=2", "--move-time|40|game|a|b=2"),
            ("--move-time 40 mcts:nodes=5 b", "--move-time|40|mcts:nodes=5|b"),
            ("--move-time 40,mcts:nodes=5=9 b", "--move-time|40,mcts:nodes=5=9|b"),
            ("--bank a=1 --increment a=2 b=3", "--bank|a=1|--increment|a=2,b=3"),
            ("--option a=1 b=2", "--option|a=1|b=2"),
        ] {
            let joined = joined_words(line.split(' ').map(OsString::from));
            assert_eq!(joined.join("|".as_ref()), *expected, "{line}");
        }
    }
}
