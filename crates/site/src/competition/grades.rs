//! Grades: points for each student by rules, from the standings of the ladder. The computation knows no
//! database and no pages.

use crate::competition::ladder::Standing;
use crate::files::{Json, Statements, now};
use crate::people::{Person, Role};
use botyard_league::standings::BotStanding;
use rusqlite::{OptionalExtension, Transaction, params};
use serde::{Deserialize, Serialize};

/// The rules. All numbers are points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rules {
    /// For a version that passed the gate.
    pub gate: f64,
    /// For each reference that the version beats: the interval of its share against it is above one half.
    pub reference: f64,
    /// For the first place; the last one has 0, and those between them have parts of it.
    pub places: f64,
    /// Whether bots that are not separated get the same points for their places: those of the best place
    /// that the data do not exclude.
    pub by_group: bool,
    /// The most points.
    pub cap: f64,
}

/// The grade of a student.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Grade {
    /// The ID in a grade book.
    pub student_id: String,
    /// The name.
    pub name: String,
    /// The name of the team.
    pub team: String,
    /// The points, with two decimals at most.
    pub points: f64,
    /// Which points for what.
    pub reason: String,
}

impl Rules {
    /// Computes the grades of all students, in the order in which people are given.
    pub(crate) fn grades(&self, people: &[Person], standing: &Standing) -> Vec<Grade> {
        let students = people.iter().filter(|person| person.role == Role::Student);
        let grade = |person: &Person| {
            let (points, reason) = match person.team {
                Some(team) => self.of_team(team, standing),
                None => (0.0, "in no team".to_string()),
            };
            Grade {
                student_id: person.student_id.clone().unwrap_or_default(),
                name: person.name.clone(),
                team: person.team_name.clone().unwrap_or_default(),
                points,
                reason,
            }
        };
        students.map(grade).collect()
    }

    /// Returns the points of a team and what they are for.
    fn of_team(&self, team: i64, standing: &Standing) -> (f64, String) {
        let entrants = &standing.entrants;
        let own = entrants.iter().find(|entrant| entrant.team == Some(team));
        let Some(own) = own else { return (0.0, "no version passed the gate".to_string()) };
        let mut parts = vec![(self.gate, "gate".to_string())];
        let bots = &standing.standings.bots;
        let position = |id: i64| {
            let index = entrants.iter().position(|entrant| entrant.id == id)?;
            bots.iter().position(|bot| bot.entrant == index)
        };
        let own_position = position(own.id);
        for reference in entrants.iter().filter(|entrant| entrant.team.is_none()) {
            let score = own_position
                .zip(position(reference.id))
                .and_then(|(own, other)| standing.standings.head_to_head.get(own)?.get(other));
            let interval = score.and_then(|score| score.interval);
            if interval.is_some_and(|interval| interval.low > 0.5) {
                parts.push((self.reference, format!("beats {}", reference.name)));
            }
        }
        let places = own_position.and_then(|own| self.for_place(&bots[own], standing));
        parts.extend(places);
        let sum: f64 = parts.iter().map(|(points, _)| points).sum();
        let words = parts.iter().map(|(points, what)| format!("{what}: {}", rounded(*points)));
        let mut reason = words.collect::<Vec<_>>().join(", ");
        if sum > self.cap {
            reason.push_str(&format!("; at most {}", rounded(self.cap)));
        }
        (rounded(sum.min(self.cap)), reason)
    }

    /// Returns the points for the place among the versions of teams.
    fn for_place(&self, own: &BotStanding, standing: &Standing) -> Option<(f64, String)> {
        let is_of_team = |bot: &&BotStanding| {
            standing.entrants.get(bot.entrant).is_some_and(|entrant| entrant.team.is_some())
        };
        let teams: Vec<&BotStanding> = standing
            .standings
            .bots
            .iter()
            .filter(is_of_team)
            .filter(|bot| bot.rank.is_some())
            .collect();
        let place_of = |bot: &BotStanding| match self.by_group {
            true => bot.rank_low,
            false => bot.rank,
        };
        let own_place = place_of(own)?;
        // Places count references too, and the points do not.
        let better =
            teams.iter().filter(|bot| place_of(bot).is_some_and(|place| place < own_place)).count();
        let most = teams.len().saturating_sub(1);
        let share = if most == 0 { 1.0 } else { 1.0 - better as f64 / most as f64 };
        let what = if self.by_group { "best place not excluded" } else { "place" };
        Some((self.places * share, format!("{what} {} of {}", better + 1, teams.len())))
    }
}

/// Rounds points to two decimals.
fn rounded(points: f64) -> f64 {
    (points * 100.0).round() / 100.0
}

/// The form of a file of grades.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// For the import of grades into Moodle, by ID number.
    Moodle,
    /// For the import of grades into Canvas, by SIS user ID.
    Canvas,
}

/// Writes grades as CSV.
///
/// # Errors
///
/// Never for what is written to memory.
pub(crate) fn to_csv(grades: &[Grade], rules: &Rules, form: Form) -> csv::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    match form {
        Form::Moodle => {
            writer.write_record(["ID number", "Name", "Botyard", "Feedback"])?;
            for grade in grades {
                let points = grade.points.to_string();
                writer.write_record([
                    &cell(&grade.student_id),
                    &cell(&grade.name),
                    &points,
                    &cell(&grade.reason),
                ])?;
            }
        }
        Form::Canvas => {
            writer.write_record([
                "Student",
                "ID",
                "SIS User ID",
                "SIS Login ID",
                "Section",
                "Botyard",
            ])?;
            writer.write_record(["Points Possible", "", "", "", "", &rules.cap.to_string()])?;
            for grade in grades {
                let points = grade.points.to_string();
                writer.write_record([
                    &cell(&grade.name),
                    "",
                    &cell(&grade.student_id),
                    "",
                    "",
                    &points,
                ])?;
            }
        }
    }
    writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))
}

/// Returns a text that no spreadsheet takes for a formula.
fn cell(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if is_formula { format!("'{text}") } else { text.to_string() }
}

/// Grades that were frozen.
#[derive(Clone, Debug)]
pub(crate) struct Frozen {
    /// The number.
    pub id: i64,
    /// Who froze them.
    pub person: String,
    /// When, in seconds since 1970.
    pub at: i64,
    /// The rules.
    pub rules: Rules,
    /// The grades.
    pub grades: Vec<Grade>,
}

/// Stores grades with the standings that they follow from. Returns their number.
pub(crate) fn freeze(
    transaction: &Transaction<'_>,
    (event, person): (i64, i64),
    rules: &Rules,
    grades: &[Grade],
    standing: &Standing,
) -> rusqlite::Result<i64> {
    let (rules, rows) = (Json(rules), Json(grades));
    let standings = Json(standing.standings.to_json());
    transaction.change(
        "INSERT INTO grades(event, person, at, rules, rows, standings) VALUES (?1, ?2, ?3, ?4, \
         ?5, ?6)",
        params![event, person, now(), rules, rows, standings],
    )?;
    Ok(transaction.last_insert_rowid())
}

/// Returns all frozen grades, the newest first.
pub(crate) fn all(transaction: &Transaction<'_>) -> rusqlite::Result<Vec<Frozen>> {
    let sql = format!("{SELECT} ORDER BY grades.id DESC");
    transaction.rows(&sql, [], frozen)
}

/// Returns the frozen grades with this number.
pub(crate) fn find(transaction: &Transaction<'_>, id: i64) -> rusqlite::Result<Option<Frozen>> {
    let sql = format!("{SELECT} WHERE grades.id = ?1");
    transaction.row(&sql, [id], frozen).optional()
}

const SELECT: &str = "SELECT grades.id, people.name, at, rules, rows FROM grades \
                      JOIN people ON people.id = grades.person";

fn frozen(row: &rusqlite::Row<'_>) -> rusqlite::Result<Frozen> {
    let (Json(rules), Json(grades)) = (row.get(3)?, row.get(4)?);
    Ok(Frozen { id: row.get(0)?, person: row.get(1)?, at: row.get(2)?, rules, grades })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::competition::ladder::LadderEntrant;
    use botyard_league::{Entrant, PlayedGame, SeatKind, Standings, Verdict};

    const RULES: Rules =
        Rules { gate: 40.0, reference: 15.0, places: 50.0, by_group: false, cap: 100.0 };

    fn entrant(id: i64, team: Option<i64>, name: &str) -> LadderEntrant {
        LadderEntrant {
            id,
            team,
            name: name.into(),
            alias: name.into(),
            section: String::new(),
            submission: team,
            version: 1,
        }
    }

    /// Three teams and a reference: the first team wins every game, the second every game but those
    /// against the first, and so on.
    fn standing() -> Standing {
        let entrants = vec![
            entrant(11, Some(1), "red"),
            entrant(12, Some(2), "blue"),
            entrant(13, Some(3), "green"),
            entrant(14, None, "reference"),
        ];
        let order = [0, 1, 3, 2];
        let mut games = Vec::new();
        for (better, &one) in order.iter().enumerate() {
            for &other in &order[better + 1..] {
                for _ in 0..12 {
                    let block = 1 + games.len() as u32 / 2;
                    for seats in [[one, other], [other, one]] {
                        let points = if seats[0] == one { vec![1.0, 0.0] } else { vec![0.0, 1.0] };
                        let places = if seats[0] == one { vec![1, 2] } else { vec![2, 1] };
                        games.push(PlayedGame {
                            block,
                            seats: seats.to_vec(),
                            verdict: Verdict::Scored { points, places },
                            void_at: None,
                            turns: 9,
                            uses: Vec::new(),
                            faults: Vec::new(),
                            replay: None,
                        });
                    }
                }
            }
        }
        let bots: Vec<Entrant> = entrants.iter().map(LadderEntrant::for_statistics).collect();
        let seats = ["first", "second"].map(String::from);
        let standings = Standings::new("it", &seats, SeatKind::Symmetric, &bots, &games, 1);
        Standing { at: 0, standings, entrants }
    }

    fn student(id: &str, team: Option<i64>) -> Person {
        Person {
            id: 0,
            student_id: Some(id.into()),
            name: format!("Student {id}"),
            email: String::new(),
            section: String::new(),
            role: Role::Student,
            team,
            team_name: team.map(|team| format!("team {team}")),
            join_code: None,
            has_joined: true,
        }
    }

    #[test]
    fn points_are_for_the_gate_the_references_and_the_place_among_teams() {
        let people = [
            student("a", Some(1)),
            student("b", Some(1)),
            student("c", Some(2)),
            student("d", Some(3)),
            student("e", Some(4)),
            Person { role: Role::Guest, ..student("g", None) },
        ];
        let grades = RULES.grades(&people, &standing());
        let points: Vec<f64> = grades.iter().map(|grade| grade.points).collect();
        // 40 + 15 + 50 is over the cap; 40 + 15 + 25; 40 for the last one; no version.
        assert_eq!(points, [100.0, 100.0, 80.0, 40.0, 0.0]);
        assert_eq!(
            grades[0].reason,
            "gate: 40, beats reference: 15, place 1 of 3: 50; at most 100"
        );
        assert_eq!(grades[4].reason, "no version passed the gate");
    }

    #[test]
    fn files_are_for_grade_books_and_have_no_formulas() {
        let grade = Grade {
            student_id: "17".into(),
            name: "=cmd, \"x\"".into(),
            team: "red".into(),
            points: 72.5,
            reason: "gate 40".into(),
        };
        let csv = |form| {
            let bytes = to_csv(std::slice::from_ref(&grade), &RULES, form).expect("memory");
            String::from_utf8(bytes).expect("text")
        };
        assert_eq!(
            csv(Form::Moodle),
            "ID number,Name,Botyard,Feedback\n17,\"'=cmd, \"\"x\"\"\",72.5,gate 40\n"
        );
        let canvas = csv(Form::Canvas);
        assert!(canvas.contains("Points Possible,,,,,100\n"), "{canvas}");
        assert!(canvas.ends_with("\"'=cmd, \"\"x\"\"\",,17,,,72.5\n"), "{canvas}");
    }
}
