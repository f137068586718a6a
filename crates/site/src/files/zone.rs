//! The time zone of the course: pages show times in it, and forms take local times of it.

use super::database::now;
use super::statements::Statements;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone};
use rusqlite::{OptionalExtension, Transaction, params};
use std::sync::{PoisonError, RwLock};

/// The name of a course without another zone.
const UTC: &str = "UTC";

/// The first second of the year 10000, which has no usual form.
const END: u64 = 253_402_300_800;

/// The time zone of a course.
#[derive(Debug)]
pub(crate) struct CourseZone(RwLock<TimeZone>);

impl CourseZone {
    /// Returns the zone that a class has stored. UTC, if this version does not know it.
    pub(crate) fn load(transaction: &Transaction<'_>) -> rusqlite::Result<CourseZone> {
        let zone = known(&stored(transaction)?).unwrap_or(TimeZone::UTC);
        Ok(CourseZone(RwLock::new(zone)))
    }

    fn zone(&self) -> TimeZone {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes the zone, once it is stored.
    pub(crate) fn change(&self, zone: TimeZone) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = zone;
    }

    /// Returns its IANA name.
    pub(crate) fn name(&self) -> String {
        self.zone().iana_name().unwrap_or(UTC).to_string()
    }

    /// Returns a writer of moments in this zone: `2026-12-01 18:00 CET`. The moments are seconds since 1970.
    pub(crate) fn writer(&self) -> impl Fn(u64) -> Option<String> + 'static {
        let zone = self.zone();
        move |seconds| {
            let seconds = i64::try_from(seconds).ok().filter(|_| seconds < END)?;
            let moment = Timestamp::from_second(seconds).ok()?.to_zoned_datetime(zone.clone());
            Some(moment.strftime("%Y-%m-%d %H:%M %Z").to_string())
        }
    }

    /// Returns the moment of a local time as in `2026-12-01T18:00`, in seconds since 1970. Of a time that the clocks
    /// show twice it is the later one.
    ///
    /// # Errors
    ///
    /// It is no time, or the clocks skip it.
    pub(crate) fn moment(&self, local: &str) -> Result<i64, String> {
        let time: DateTime = local.parse().map_err(|_| {
            format!("Expected a time as in 2026-12-01T23:59, got {}.", shown(local))
        })?;
        let zone = self.zone();
        let found = zone.to_ambiguous_timestamp(time);
        if let AmbiguousOffset::Gap { before, after } = found.offset() {
            let minutes = (after.seconds() - before.seconds()) / 60;
            return Err(format!(
                "{} does not exist in {}: the clocks are set forward by {minutes} minutes. State another time.",
                time.strftime("%Y-%m-%d %H:%M"),
                self.name()
            ));
        }
        let moment = found.later().map_err(|_| format!("{} is out of range.", shown(local)))?;
        Ok(moment.as_second())
    }

    /// Returns a moment as a field of a form has it: `2026-12-01T18:00`, in this zone.
    pub(crate) fn field(&self, seconds: i64) -> String {
        let moment =
            Timestamp::from_second(seconds).map(|moment| moment.to_zoned_datetime(self.zone()));
        moment.map_or(String::new(), |moment| moment.strftime("%Y-%m-%dT%H:%M").to_string())
    }
}

fn shown(text: &str) -> String {
    format!("{:?}", text.chars().take(60).collect::<String>())
}

/// Returns the zone with this IANA name, such as `Europe/Berlin`.
pub(crate) fn known(name: &str) -> Option<TimeZone> {
    if name.eq_ignore_ascii_case(UTC) {
        return Some(TimeZone::UTC);
    }
    TimeZone::get(name).ok().filter(|zone| zone.iana_name().is_some())
}

/// Returns the IANA names of all zones.
pub(crate) fn names() -> Vec<String> {
    let all = jiff::tz::db().available().map(|name| name.to_string());
    all.filter(|name| name == UTC || name.contains('/')).collect()
}

/// Returns the name of the zone that is stored.
pub(crate) fn stored(transaction: &Transaction<'_>) -> rusqlite::Result<String> {
    let last = transaction.value("SELECT zone FROM time_zones ORDER BY id DESC LIMIT 1", []);
    Ok(last.optional()?.unwrap_or(UTC.to_string()))
}

/// Stores the name of a zone.
pub(crate) fn set(
    transaction: &Transaction<'_>,
    zone: &str,
    reason: &str,
    person: i64,
) -> rusqlite::Result<()> {
    transaction.change(
        "INSERT INTO time_zones(zone, reason, person, at) VALUES (?1, ?2, ?3, ?4)",
        params![zone, reason, person, now()],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(name: &str) -> CourseZone {
        CourseZone(RwLock::new(known(name).expect("a zone")))
    }

    #[test]
    fn moments_are_written_and_read_in_the_zone() {
        let berlin = zone("Europe/Berlin");
        let winter = berlin.moment("2026-12-01T18:00").expect("a time");
        assert_eq!(berlin.writer()(winter.unsigned_abs()).as_deref(), Some("2026-12-01 18:00 CET"));
        assert_eq!(berlin.field(winter), "2026-12-01T18:00");
        assert_eq!(
            zone("UTC").writer()(winter.unsigned_abs()).as_deref(),
            Some("2026-12-01 17:00 UTC")
        );
        let summer = zone("Asia/Kolkata").moment("2026-07-01T00:10:30").expect("with seconds");
        assert_eq!(
            berlin.writer()(summer.unsigned_abs()).as_deref(),
            Some("2026-06-30 20:40 CEST")
        );
        assert_eq!(berlin.writer()(u64::MAX), None);
    }

    #[test]
    fn a_time_that_the_clocks_skip_is_refused_and_of_two_the_later_is_taken() {
        let berlin = zone("Europe/Berlin");
        let skipped = berlin.moment("2026-03-29T02:30").expect_err("it does not exist");
        assert!(skipped.contains("2026-03-29 02:30 does not exist in Europe/Berlin"), "{skipped}");
        let twice = berlin.moment("2026-10-25T02:30").expect("it exists twice");
        assert_eq!(berlin.writer()(twice.unsigned_abs()).as_deref(), Some("2026-10-25 02:30 CET"));
        for wrong in ["", "tomorrow", "2026-13-01T00:00"] {
            assert!(berlin.moment(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn zones_have_names() {
        assert!(known("Europe/Paris").is_some() && known("utc").is_some());
        assert!(known("Middle/Earth").is_none() && known("").is_none());
        let names = names();
        assert!(names.len() > 300 && names.iter().any(|name| name == "America/New_York"));
    }
}
