//! The office: the time zone, the audit, grades that are released, announcements and questions.

use crate::client::Class;
use crate::games::class_with_games;
use crate::people::number;

#[test]
fn times_are_shown_and_taken_in_the_zone_of_the_course() {
    let (class, mut admin) = Class::joined();
    let wrong = admin.post("/settings/zone", &[("zone", "Middle/Earth"), ("reason", "x")]);
    assert!(wrong.status == 400 && wrong.text.contains("value=\"Middle/Earth\""), "{}", wrong.text);
    let fields = [("zone", "Europe/Berlin"), ("reason", "we live there")];
    assert_eq!(admin.post("/settings/zone", &fields).status, 303);
    let skipped = [("until", "2030-03-31T02:30"), ("reason", "x")];
    let refused = admin.post("/deadline", &skipped);
    assert!(
        refused.text.contains("2030-03-31 02:30 does not exist in Europe/Berlin"),
        "{}",
        refused.text
    );
    for until in ["2030-10-27T02:30", "2030-12-01T18:00"] {
        assert_eq!(admin.post("/deadline", &[("until", until), ("reason", "x")]).status, 303);
    }
    let page = admin.get("/deadline").text;
    assert!(
        page.contains("2030-12-01 18:00 CET") && page.contains("2030-10-27 02:30 CET"),
        "{page}"
    );
    assert!(page.contains("in the time zone Europe/Berlin"), "{page}");
    let audit = admin.get("/audit").text;
    for words in [
        "from UTC to Europe/Berlin: we live there",
        "from never to 2030-10-27 02:30 CET: x",
        "from 2030-10-27 02:30 CET to 2030-12-01 18:00 CET: x",
    ] {
        assert!(audit.contains(words), "{words}: {audit}");
    }
    // The zone is kept.
    let class = class.restarted(false);
    assert!(class.signed_in("9").get("/deadline").text.contains("2030-12-01 18:00 CET"));
}

#[test]
fn the_audit_is_searched_in_pages_and_written_as_a_file() {
    let (class, _) = Class::joined();
    let class = class.with_rows(|database, _| {
        for number in 0..250 {
            let sql = "INSERT INTO audit(at, person, what, subject, detail) VALUES (?1, NULL, 'tried', 'red', ?2)";
            database.execute(sql, (number, format!("=entry {number}."))).expect("a row");
        }
    });
    let mut tea = class.signed_in("9");
    let first = tea.get("/audit?what=tried").text;
    assert!(first.contains("250 entries") && first.contains("page 1 of 3"), "{first}");
    assert!(first.contains("=entry 249.") && !first.contains("=entry 149."), "{first}");
    let last = tea.get("/audit?what=tried&page=3").text;
    assert!(last.contains("=entry 0.") && last.contains("what=tried&amp;page=2"), "{last}");
    let one = tea.get("/audit?text=ENTRY+17.&person=0").text;
    assert!(one.contains("1 entry.") && one.contains("=entry 17."), "{one}");
    assert!(tea.get("/audit?what=tried&from=1970-01-02").text.contains("0 entries"));
    assert_eq!(tea.get("/audit?from=yesterday").status, 400);
    let file = tea.get("/audit.csv?text=entry+17.").text;
    assert_eq!(
        file,
        "time,who,what,about,detail\n1970-01-01 00:00 UTC,the site,tried,red,'=entry 17.\n"
    );
}

#[test]
fn a_student_sees_released_grades_of_their_own_with_points_by_hand() {
    let (class, mut admin) = class_with_games();
    let mut anna = class.signed_in("1");
    let page = admin.get("/grades").text;
    let option =
        page.split("<option value=\"student-").find(|part| part.contains(">Cy")).expect("Cy");
    let cy = format!("student-{}", option.split('"').next().expect("a number"));
    let give = |admin: &mut crate::client::Visitor, whom: &str, points: &str, reason: &str| {
        admin.post("/grades/points", &[("whom", whom), ("points", points), ("reason", reason)])
    };
    let refused = give(&mut admin, &cy, "many", "a fine report");
    assert!(refused.status == 400 && refused.text.contains("a fine report"), "{}", refused.text);
    assert_eq!(give(&mut admin, "team-1", "2.5", "a report").status, 303);
    assert_eq!(give(&mut admin, &cy, "-3", "copied").status, 303);
    let rules =
        [("cap", "10"), ("gate", "5"), ("reference", "1"), ("places", "0"), ("games", "ladder")];
    let frozen = admin.post("/grades", &rules);
    let copy = frozen.header("location").to_string();
    assert!(anna.get("/my-grades").text.contains("No grades of yours are released yet"));
    let release = |admin: &mut crate::client::Visitor, value: &str| {
        admin.post(&format!("{copy}/release"), &[("release", value), ("reason", "all is checked")])
    };
    assert_eq!(release(&mut admin, "yes").status, 303);
    let own = anna.get("/my-grades").text;
    for words in ["connect-four</bdi>: 7.5 points", "by hand: a report", "place 1 of 2"] {
        assert!(own.contains(words), "{words}: {own}");
    }
    assert!(
        !own.contains("copied")
            && class.signed_in("3").get("/my-grades").text.contains("by hand: copied")
    );
    assert_eq!(release(&mut admin, "no").status, 303);
    assert!(anna.get("/my-grades").text.contains("No grades of yours are released yet"));
    // Taken back, they count no longer, and the copy stays.
    assert_eq!(admin.post("/grades/points/1/withdraw", &[("reason", "a mistake")]).status, 303);
    assert!(!admin.get("/grades").text.contains("by hand (a report)"));
    assert!(admin.get(&copy).text.contains("by hand (a report)"));
    let audit = admin.get("/audit").text;
    for words in [
        "+2.5: a report",
        "+2.5 (a report): a mistake",
        "from hidden from students to shown to students: all is checked",
        "4 students, by the games of the ladder: gate 5, each reference 1",
    ] {
        assert!(audit.contains(words), "{words}: {audit}");
    }
}

#[test]
fn announcements_are_posted_changed_and_withdrawn() {
    let (class, _) = Class::joined();
    let (mut tea, mut gus) = (class.signed_in("9"), class.signed_in("7"));
    let refused = tea.post("/announcements", &[("title", ""), ("text", "typed *text*")]);
    assert!(refused.status == 400 && refused.text.contains("typed *text*"), "{}", refused.text);
    let fields = [("title", "The room"), ("text", "It is **another** one.")];
    assert_eq!(tea.post("/announcements", &fields).status, 303);
    for path in ["/", "/announcements"] {
        let page = gus.get(path).text;
        assert!(page.contains("It is <strong>another</strong> one."), "{page}");
    }
    tea.post("/announcements/1", &[("title", "The room"), ("text", "It is room 7.")]);
    assert!(gus.get("/").text.contains("room 7") && gus.get("/").text.contains("changed"));
    tea.post("/announcements/1/withdraw", &[("withdraw", "yes"), ("reason", "it was wrong")]);
    assert!(
        !gus.get("/").text.contains("room 7") && !gus.get("/announcements").text.contains("room 7")
    );
    assert!(tea.get("/announcements").text.contains("; withdrawn"));
    assert!(tea.get("/audit").text.contains("announcement 1: it was wrong"));
}

#[test]
fn a_question_is_answered_for_a_team_or_for_all() {
    let (class, _) = Class::joined();
    let (mut anna, mut ben, mut cy) =
        (class.signed_in("1"), class.signed_in("2"), class.signed_in("3"));
    let mut asa = class.signed_in("8");
    let wrong = anna.post("/questions", &[("subject", "lunch"), ("text", "When?")]);
    assert!(wrong.status == 400 && wrong.text.contains("When?"), "{}", wrong.text);
    assert_eq!(
        anna.post("/questions", &[("subject", "rules"), ("text", "May it draw?")]).status,
        303
    );
    assert!(ben.get("/questions").text.contains("May it draw?"), "it is of his team");
    assert!(!cy.get("/questions").text.contains("May it draw?"));
    assert!(asa.get("/").text.contains("1 question</a> without an answer"));
    assert!(asa.get("/questions").text.contains("Anna &lt;b&gt;"));
    asa.post("/questions/1/answers", &[("text", "Yes, for you."), ("to", "team")]);
    assert!(!asa.get("/").text.contains("without an answer"));
    assert!(ben.get("/questions").text.contains("Yes, for you."));
    assert!(!cy.get("/questions").text.contains("May it draw?"));
    asa.post("/questions/1/answers", &[("text", "Yes, for **all**."), ("to", "all")]);
    let seen = cy.get("/questions").text;
    assert!(seen.contains("May it draw?") && seen.contains("for <strong>all</strong>"), "{seen}");
    assert!(!seen.contains("Anna") && !seen.contains("for you"), "{seen}");
    let statuses: Vec<u16> =
        (0..5).map(|_| anna.post("/questions", &[("text", "And?")]).status).collect();
    assert_eq!(statuses, [303, 303, 303, 303, 429]);
}

#[test]
fn frozen_grades_lose_the_name_and_id_of_a_deleted_person_and_keep_the_points() {
    let (class, mut admin) = class_with_games();
    let rules = [("cap", "10"), ("gate", "5"), ("reference", "1"), ("places", "4")];
    let person = format!("/people/{}", number(&admin.get("/roster").text, "Cy"));
    let first = admin.post("/grades", &rules).header("location").to_string();
    let other = [("name", "Cyrus"), ("student_id", "3303"), ("role", "student"), ("team", "Zed")];
    assert_eq!(admin.post(&person, &other).status, 200);
    let second = admin.post("/grades", &rules).header("location").to_string();
    let file = |admin: &mut crate::client::Visitor, copy: &str| {
        let text = admin.get(&format!("{copy}/moodle.csv")).text;
        let row = |words: &str| text.lines().find(|line| line.contains(words)).map(String::from);
        (row("Cy"), row("Person "), text.lines().count())
    };
    let points = |row: &str| row.split(',').skip(2).map(String::from).collect::<Vec<_>>();
    let before = [&first, &second].map(|copy| file(&mut admin, copy));
    assert_eq!(
        admin
            .post(&format!("{person}/remove"), &[("reason", "asked"), ("history", "deleted")])
            .status,
        200
    );
    for (copy, (row, _, lines)) in [&first, &second].into_iter().zip(before) {
        let (named, unnamed, left) = file(&mut admin, copy);
        let (row, unnamed) = (row.expect("a row"), unnamed.expect("a row without a name"));
        assert_eq!((named, left), (None, lines), "{unnamed}");
        assert_eq!(points(&row), points(&unnamed), "{row} {unnamed}");
        let page = admin.get(copy).text;
        for words in ["Cy", "3303", "Zed"] {
            assert!(!page.contains(words), "{words} in {page}");
        }
    }
    let class = class.with_rows(|database, _| {
        let mut statement = database.prepare("SELECT standings FROM grades").expect("a table");
        let all = statement.query_map([], |row| row.get::<_, String>(0)).expect("rows");
        for standings in all.map(|text| text.expect("a text")) {
            assert!(standings.contains("Team ") && !standings.contains("Cy"), "{standings}");
        }
    });
    drop(class);
}
