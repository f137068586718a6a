//! Options whose value is a time: a whole number of milliseconds, or a number with a unit. Some have a
//! time for all bots and others for single ones, as one argument or several words.

use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// The units, in milliseconds. A longer name comes before one that it ends with.
const UNITS: [(&str, f64); 3] = [("ms", 1.0), ("s", 1_000.0), ("m", 60_000.0)];

/// The options whose value is [`Times`].
pub(crate) const TIMES: [&str; 3] = ["--move-time", "--bank", "--increment"];

/// The value of an option such as `--move-time`, in milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// The time of all bots without one of their own.
    pub of_all: Option<u64>,
    /// The times of single bots, by their names.
    pub of_bots: Vec<(String, u64)>,
}

/// Parses `40`, `mine=120` or several of them with commas between them.
impl FromStr for Times {
    type Err = String;

    fn from_str(text: &str) -> Result<Times, String> {
        let mut times = Times::default();
        for part in text.split(',') {
            let before = match part.rsplit_once('=') {
                Some(("", _)) => return Err(format!("expected NAME=MS, got {part:?}")),
                Some((bot, _)) if times.of_bots.iter().any(|(other, _)| other == bot) => Some(bot),
                Some((bot, ms)) => {
                    let ms = parse(ms).map_err(|error| format!("{bot}: {error}"))?;
                    times.of_bots.push((bot.into(), ms));
                    None
                }
                None => times.of_all.replace(parse(part)?).map(|_| "all bots"),
            };
            if let Some(before) = before {
                return Err(format!("expected one time for {before}, got two"));
            }
        }
        Ok(times)
    }
}

/// Returns whether a word is the time of a single bot: `mine=120`. `alpha-beta:depth=6` is a bot with
/// an option. The time of a bot that is named so follows a comma.
pub(crate) fn is_time_of_bot(word: &OsString) -> bool {
    let word = word.to_str().and_then(|word| word.rsplit_once('='));
    word.is_some_and(|(bot, ms)| {
        !bot.is_empty() && !bot.starts_with('-') && !bot.contains(':') && parse(ms).is_ok()
    })
}

/// Makes the parser of an option in milliseconds within `range`: `500`, `500ms`, `1.5s`, `2m`.
pub fn milliseconds(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync + 'static {
    move |text| {
        let ms = parse(text)?;
        let (least, most) = (range.start(), range.end());
        match range.contains(&ms) {
            true => Ok(ms),
            false if *most == u64::MAX => Err(format!("expected at least {least} ms, got {ms} ms")),
            false => Err(format!("expected {least} to {most} ms, got {ms} ms")),
        }
    }
}

fn parse(text: &str) -> Result<u64, String> {
    let wrong = |why: String| {
        format!(
            "expected milliseconds, such as 500, or a time with a unit, such as 500ms, 1.5s or 2m{why}"
        )
    };
    let given = text.trim();
    let unit = UNITS.iter().find_map(|(unit, ms)| Some((given.strip_suffix(unit)?.trim(), ms)));
    let Some((number, in_ms)) = unit else {
        return given.parse().map_err(|_| match given.parse::<f64>() {
            Ok(number) if number > 0.0 => wrong(format!(
                "; without a unit, {given} is no whole number of milliseconds: is it {given}s?"
            )),
            _ => wrong(String::new()),
        });
    };
    match number.parse::<f64>().map(|number| number * in_ms) {
        Ok(ms) if !number.starts_with(['+', '-']) && (0.0..9e15).contains(&ms) => {
            let whole = ms.round();
            match (ms - whole).abs() < 1e-6 {
                true => Ok(whole as u64),
                false => Err(wrong(format!("; {given} is no whole number of milliseconds"))),
            }
        }
        _ => Err(wrong(String::new())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_for_all_bots_or_for_one() {
        for (text, of_all, of_bots) in [
            ("1.5s", Some(1500), &[][..]),
            ("a=40,b=2m", None, &[("a", 40), ("b", 120_000)]),
            ("100,x=y=40", Some(100), &[("x=y", 40)]),
        ] {
            let of_bots = of_bots.iter().map(|&(bot, ms)| (bot.to_string(), ms)).collect();
            assert_eq!(text.parse(), Ok(Times { of_all, of_bots }), "{text}");
        }
        for (text, words) in [
            ("40,50", "expected one time for all bots, got two"),
            ("a=40,b=1,a=50", "expected one time for a, got two"),
            ("", "expected milliseconds"),
            ("a=fast", "a: expected milliseconds"),
            ("=40", "expected NAME=MS, got \"=40\""),
        ] {
            let error = text.parse::<Times>().unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn a_time_has_a_unit_or_is_in_milliseconds() {
        let parse = milliseconds(1..=3_600_000);
        for (text, expected) in [
            ("500", Ok(500)),
            ("500ms", Ok(500)),
            ("500 ms", Ok(500)),
            ("1s", Ok(1000)),
            ("0.5s", Ok(500)),
            ("1.234s", Ok(1234)),
            ("2m", Ok(120_000)),
            ("0.5", Err("is it 0.5s?")),
            ("0.5ms", Err("no whole number")),
            ("0", Err("expected 1 to 3600000 ms, got 0 ms")),
            ("2000s", Ok(2_000_000)),
            ("61m", Err("got 3660000 ms")),
            ("-1s", Err("such as 500ms")),
            ("nans", Err("such as 500ms")),
            ("infs", Err("such as 500ms")),
            ("1h", Err("such as 500ms")),
            ("s", Err("such as 500ms")),
            ("", Err("such as 500ms")),
        ] {
            match (parse(text), expected) {
                (Ok(ms), Ok(expected)) => assert_eq!(ms, expected, "{text}"),
                (Err(error), Err(words)) => assert!(error.contains(words), "{text}: {error}"),
                (got, _) => panic!("{text}: {got:?}"),
            }
        }
    }
}
