//! Grades: points for each student by rules, from the standings of a ladder or final, the times of submissions, and
//! points by hand. The computation knows no database and no pages.

mod file;
mod frozen;
mod given;
mod late;

pub(crate) use file::{Form, spreadsheet_cell, to_csv};
pub(crate) use frozen::{Frozen, all, find, forget, freeze, of_student, release};
pub(crate) use given::{Given, Whom, give, given, withdraw};
pub(crate) use late::{Late, LateKind};

use crate::competition::ladder::Standing;
use crate::people::{Person, Role};
use botyard_league::standings::BotStanding;
use late::Times;
use rusqlite::Transaction;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The rules. All numbers are points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rules {
    /// For a version that passed the gate.
    pub gate: f64,
    /// For each reference that the version beats: the interval of its share against it is above one half.
    pub reference: f64,
    /// For references with other points, by name.
    #[serde(default)]
    pub references: BTreeMap<String, f64>,
    /// For the first place; the last one has 0, and those between them have parts of it.
    pub places: f64,
    /// Whether bots that are not separated get the same points for their places: those of the best place
    /// that the data do not exclude.
    pub by_group: bool,
    /// The most points of these rules. Points by hand come after it.
    pub cap: f64,
    /// What a late version loses.
    #[serde(default)]
    pub late: Option<Late>,
}

/// Points for one thing, or a loss.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Part {
    /// The points, with two decimals at most.
    pub points: f64,
    /// What they are for.
    pub what: String,
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
    /// The same as parts, whose sum the points are; none in copies of earlier versions.
    #[serde(default)]
    pub parts: Vec<Part>,
}

/// What grades follow from.
#[derive(Debug)]
pub(crate) struct Basis<'a> {
    people: &'a [Person],
    standing: &'a Standing,
    times: Times,
    given: Vec<Given>,
}

impl<'a> Basis<'a> {
    /// Reads what grades of a ladder's event follow from besides its people and standings.
    pub(crate) fn read(
        transaction: &Transaction<'_>,
        event: i64,
        (people, standing): (&'a [Person], &'a Standing),
    ) -> rusqlite::Result<Basis<'a>> {
        let given = given(transaction, event)?;
        Ok(Basis { people, standing, times: Times::read(transaction, event, standing)?, given })
    }
}

/// Points that are summed up.
#[derive(Debug, Default)]
struct Sum {
    parts: Vec<Part>,
    reason: String,
}

impl Sum {
    fn points(&self) -> f64 {
        rounded(self.parts.iter().map(|part| part.points).sum())
    }

    /// Adds points, and the words for them after a separator.
    fn add(&mut self, (points, what): (f64, String), separator: &str, words: &str) {
        if !self.reason.is_empty() {
            self.reason.push_str(separator);
        }
        self.reason.push_str(words);
        self.parts.push(Part { points: rounded(points), what });
    }
}

impl Rules {
    /// Computes the grades of all students, in the order in which people are given.
    pub(crate) fn grades(&self, basis: &Basis<'_>) -> Vec<Grade> {
        let students = basis.people.iter().filter(|person| person.role == Role::Student);
        students.map(|person| self.grade(person, basis)).collect()
    }

    fn grade(&self, person: &Person, basis: &Basis<'_>) -> Grade {
        let mut sum = match person.team {
            Some(team) => self.of_team(team, basis),
            None => Sum { reason: "in no team".to_string(), ..Sum::default() },
        };
        for given in basis.given.iter().filter(|given| given.counts_for(person)) {
            let words = format!("by hand ({}): {}", given.reason, rounded(given.points));
            sum.add((given.points, format!("by hand: {}", given.reason)), "; ", &words);
        }
        if sum.points() < 0.0 {
            sum.add((-sum.points(), "no less than 0".to_string()), "; ", "no less than 0");
        }
        Grade {
            student_id: person.student_id.clone().unwrap_or_default(),
            name: person.name.clone(),
            team: person.team_name.clone().unwrap_or_default(),
            points: sum.points(),
            reason: sum.reason,
            parts: sum.parts,
        }
    }

    /// Returns the points of a team by the rules alone.
    fn of_team(&self, team: i64, basis: &Basis<'_>) -> Sum {
        let standing = basis.standing;
        let entrants = &standing.entrants;
        let own = entrants.iter().find(|entrant| entrant.team == Some(team));
        let Some(own) = own else {
            return Sum { reason: "no version passed the gate".to_string(), ..Sum::default() };
        };
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
                let points = self.references.get(&reference.name).unwrap_or(&self.reference);
                parts.push((*points, format!("beats {}", reference.name)));
            }
        }
        let places = own_position.and_then(|own| self.for_place(&bots[own], standing));
        parts.extend(places);
        let mut sum = Sum::default();
        for (points, what) in parts {
            let words = format!("{what}: {}", rounded(points));
            sum.add((points, what), ", ", &words);
        }
        if sum.points() > self.cap {
            let words = format!("at most {}", rounded(self.cap));
            sum.add((self.cap - sum.points(), words.clone()), "; ", &words);
        }
        let late = self.late.as_ref().and_then(|late| {
            late.loss(sum.points(), basis.times.days_late(late, team, own.submission?)?)
        });
        if let Some((points, what)) = late {
            let words = format!("{what}: {}", rounded(points));
            sum.add((points, what), "; ", &words);
        }
        sum
    }

    /// Returns the rules in words.
    pub(crate) fn in_words(&self) -> String {
        let Rules { gate, reference, references, places, by_group, cap, late } = self;
        let by = if *by_group { "by group" } else { "by rank" };
        let others: String =
            references.iter().map(|(name, points)| format!(", {name} {points}")).collect();
        let late = late.as_ref().map_or(String::new(), |late| format!(", {}", late.in_words()));
        format!(
            "gate {gate}, each reference {reference}{others}, first place {places} {by}, at most {cap}{late}"
        )
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
    // A sum of nothing is a negative zero, which would be shown with its sign.
    (points * 100.0).round() / 100.0 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::competition::ladder::LadderEntrant;
    use botyard_league::{Entrant, PlayedGame, SeatKind, Standings, Verdict};

    const RULES: Rules = Rules {
        gate: 40.0,
        reference: 15.0,
        references: BTreeMap::new(),
        places: 50.0,
        by_group: false,
        cap: 100.0,
        late: None,
    };

    fn basis<'a>(people: &'a [Person], standing: &'a Standing, given: Vec<Given>) -> Basis<'a> {
        Basis { people, standing, times: Times::default(), given }
    }

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
        Standing { at: 0, standings, entrants, trends: Default::default() }
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
            ..Person::default()
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
        let grades = RULES.grades(&basis(&people, &standing(), Vec::new()));
        let points: Vec<f64> = grades.iter().map(|grade| grade.points).collect();
        // 40 + 15 + 50 is over the cap; 40 + 15 + 25; 40 for the last one; no version.
        assert_eq!(points, [100.0, 100.0, 80.0, 40.0, 0.0]);
        assert_eq!(
            grades[0].reason,
            "gate: 40, beats reference: 15, place 1 of 3: 50; at most 100"
        );
        assert_eq!(grades[4].reason, "no version passed the gate");
        assert_eq!(grades[4].points.to_string(), "0", "a sum of nothing has no sign");
    }

    #[test]
    fn references_have_points_of_their_own_and_points_by_hand_come_last() {
        let people =
            [Person { id: 5, ..student("a", Some(1)) }, Person { id: 6, ..student("c", Some(2)) }];
        let given = |whom, points, reason: &str| Given::of(whom, points, reason);
        let given =
            vec![given(Whom::Student(5), 2.5, "a report"), given(Whom::Team(2), -200.0, "copied")];
        let references = BTreeMap::from([("reference".to_string(), 5.0)]);
        let rules = Rules { references, ..RULES };
        let grades = rules.grades(&basis(&people, &standing(), given));
        assert_eq!((grades[0].points, grades[1].points), (97.5, 0.0));
        assert_eq!(
            grades[0].reason,
            "gate: 40, beats reference: 5, place 1 of 3: 50; by hand (a report): 2.5"
        );
        for grade in grades {
            let sum: f64 = grade.parts.iter().map(|part| part.points).sum();
            assert_eq!(rounded(sum), grade.points, "{grade:?}");
        }
        assert!(rules.in_words().contains("each reference 15, reference 5, first place 50"));
    }

    #[test]
    fn a_late_version_loses_points_for_each_started_day() {
        let people = [student("c", Some(2))];
        let standing = standing();
        let loss = |kind, extensions| {
            let late = Late { kind, amount: 10.0, due: Some(1000), extensions };
            let times = Times::of(&[(2, 1000 + 86_400 + 1)], &[(2, 90_000)]);
            let basis = Basis { times, ..basis(&people, &standing, Vec::new()) };
            let grade = Rules { late: Some(late), ..RULES }.grades(&basis).remove(0);
            (grade.points, grade.reason.split("; ").nth(1).unwrap_or_default().to_string())
        };
        assert_eq!(loss(LateKind::Points, false), (60.0, "late, day 2: -20".into()));
        assert_eq!(loss(LateKind::Percent, false), (64.0, "late, day 2: -16".into()));
        assert_eq!(loss(LateKind::Cap, false), (10.0, "late, day 2, at most 10: -70".into()));
        assert_eq!(loss(LateKind::Points, true), (80.0, String::new()), "it has an extension");
    }

    #[test]
    fn rules_of_earlier_copies_are_read() {
        let old = r#"{"gate":40.0,"reference":15.0,"places":50.0,"by_group":false,"cap":100.0}"#;
        assert_eq!(serde_json::from_str::<Rules>(old).expect("rules"), RULES);
    }

    #[test]
    fn files_are_for_grade_books_and_have_no_formulas() {
        let grade = Grade {
            student_id: "17".into(),
            name: "=cmd, \"x\"".into(),
            team: "red".into(),
            points: 72.5,
            reason: "gate 40".into(),
            parts: Vec::new(),
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
