//! Steps of Scotland Yard as people type them: a ticket and a station, or keys on a grid. The legal
//! steps are not known here.

use botyard_engine::scotland_yard::{Board, Detective, Shape, Station, Ticket};

/// The parts of a step given in a line. The rest follows from the legal steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Wish {
    /// The detective that moves.
    pub detective: Option<Detective>,
    /// The ticket.
    pub ticket: Option<Ticket>,
    /// The destination.
    pub to: Option<Station>,
    /// The direction: cells to the right and down.
    pub direction: Option<(i32, i32)>,
    /// Whether it is the first half of a double move.
    pub double: bool,
}

impl Wish {
    /// Parses a line as one step: `2 t 45`, `bus 120`, `45`, `w`. `double`: it is the first half of
    /// a double move, as the words before it said.
    ///
    /// # Errors
    ///
    /// A word that is not part of a step, or a missing part.
    pub(super) fn read(line: &str, double: bool, board: &Board) -> Result<Wish, String> {
        let mut wish = Wish { double, ..Wish::default() };
        let is_grid = matches!(board.shape(), Shape::Grid(..));
        let words = words(&line.to_lowercase());
        let mut numbers = Vec::new();
        for (index, word) in words.iter().enumerate() {
            if let Ok(number) = word.parse::<u16>() {
                // A number before another word is a detective's.
                let is_last = index + 1 == words.len();
                numbers.push((number, is_last));
            } else if let Some(ticket) = ticket(word) {
                wish.ticket = Some(ticket);
            } else if let Some(direction) = direction(word).filter(|_| is_grid) {
                wish.direction = Some(direction);
            } else if !(index == 0 && matches!(word.as_str(), "detective" | "det")) && word != "to"
            {
                return Err(format!("{word:?} is neither a ticket nor a station"));
            }
        }
        let station = |number: u16| {
            Station::new(number)
                .filter(|&station| board.has(station))
                .ok_or_else(|| format!("there is no station {number}"))
        };
        let detective = |number: u16| {
            u8::try_from(number)
                .ok()
                .and_then(Detective::new)
                .ok_or_else(|| format!("there is no detective {number}"))
        };
        match numbers[..] {
            [] => {}
            [(number, true)] => wish.to = Some(station(number)?),
            [(number, false)] => wish.detective = Some(detective(number)?),
            [(first, false), (second, true)] => {
                wish.detective = Some(detective(first)?);
                wish.to = Some(station(second)?);
            }
            _ => return Err("too many numbers for one step".into()),
        }
        if wish.to.is_none() && wish.direction.is_none() {
            return Err("expected a station or a direction to go to".into());
        }
        Ok(wish)
    }
}

fn ticket(word: &str) -> Option<Ticket> {
    match word {
        "t" | "taxi" => Some(Ticket::Taxi),
        "b" | "bus" => Some(Ticket::Bus),
        "u" | "ug" | "tube" | "underground" => Some(Ticket::Underground),
        "x" | "bl" | "black" | "ferry" => Some(Ticket::Black),
        _ => None,
    }
}

/// Parses a direction into cells to the right and down: `w` up, `a` left, `s` down, `d` right, two
/// of them for a diagonal.
fn direction(word: &str) -> Option<(i32, i32)> {
    if matches!(word, "stay" | "o") {
        return Some((0, 0));
    }
    let (mut right, mut down) = (0_i32, 0_i32);
    for key in word.chars() {
        match key {
            'w' => down -= 1,
            's' => down += 1,
            'a' => right -= 1,
            'd' => right += 1,
            _ => return None,
        }
    }
    let is_step = word.len() <= 2 && (right, down) != (0, 0) && right.abs() <= 1 && down.abs() <= 1;
    is_step.then_some((right, down))
}

/// Separates letters and digits: `2t45` is `2`, `t`, `45`.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last_kind = None;
    for character in text.chars() {
        let kind = match character {
            '0'..='9' => Some(true),
            character if character.is_alphabetic() => Some(false),
            _ => None,
        };
        match words.last_mut() {
            Some(word) if kind.is_some() && kind == last_kind => word.push(character),
            _ if kind.is_some() => words.push(character.to_string()),
            _ => {}
        }
        last_kind = kind;
    }
    words
}

/// Returns a line without the words for a double move, or `None` if it does not begin with them.
pub(super) fn double(line: &str) -> Option<&str> {
    let line = line.trim();
    let prefix = ["2x", "double"].into_iter().find(|prefix| {
        line.get(..prefix.len()).is_some_and(|front| front.eq_ignore_ascii_case(prefix))
    })?;
    Some(&line[prefix.len()..])
}

/// Splits two steps into the first and the rest: a step ends after its station.
pub(super) fn first_and_rest(steps: &str) -> (&str, &str) {
    let is_digit = |character: char| character.is_ascii_digit();
    let steps = steps.trim_start();
    let end = match steps.find(is_digit) {
        Some(station) => {
            steps[station..].find(|c| !is_digit(c)).map_or(steps.len(), |length| station + length)
        }
        None => steps.find(char::is_whitespace).unwrap_or(steps.len()),
    };
    (&steps[..end], steps[end..].trim_matches([' ', ',', ';']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_double_move_come_first() {
        for (line, expected) in [
            ("2x t 45 b 58", Some((" t 45", "b 58"))),
            ("2X t45b58", Some((" t45", "b58"))),
            (" double bus 120, taxi 3 ", Some((" bus 120", "taxi 3"))),
            ("2x t 45", Some((" t 45", ""))),
            ("2x w a", Some((" w", "a"))),
            ("t 45", None),
            ("2", None),
            ("\u{e9}x", None),
        ] {
            let read = double(line).map(first_and_rest);
            let trimmed = expected.map(|(first, rest): (&str, &str)| (first.trim(), rest));
            assert_eq!(read, trimmed, "{line}");
        }
    }

    #[test]
    fn letters_and_digits_need_no_space() {
        let board = Board::london();
        let tight = Wish::read("2t45", false, &board).unwrap();
        assert_eq!(tight, Wish::read("detective 2: taxi to 45", false, &board).unwrap());
        assert_eq!((tight.ticket, tight.to), (Some(Ticket::Taxi), Station::new(45)));
        assert_eq!(tight.detective, Detective::new(2));
        assert!(Wish::read("w", false, &board).is_err(), "London has no directions");
    }
}
