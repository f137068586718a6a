//! People one by one: added, changed, locked, removed; and the preview of a roster.

use crate::client::{Class, PASSWORD, codes};

/// Returns the number of the person with this name.
/// Returns the number of a person on the roster.
pub fn number(roster: &str, name: &str) -> String {
    let row =
        roster.split("<tr").skip(1).find(|row| row.contains(&format!(">{name}<"))).expect("a row");
    let digits = |rest: &str| rest.chars().take_while(char::is_ascii_digit).collect();
    row.split("/people/").nth(1).map(digits).expect("a link")
}

#[test]
fn a_roster_shows_what_it_changes_before_it_does() {
    let (class, mut admin) = Class::joined();
    let export = "\u{feff}\"First name\";Surname;\"ID number\";Department;Groups;;\r\nBen;Example;2;Maths;c;;\r\n\
                  New;\"<script>alert(7)</script>\";30;;c;;\r\n";
    let shown = admin.upload("/roster", "roster.csv", export.as_bytes());
    for expected in [
        "<strong>1 added, 1 changed, 0 the same.</strong> Nothing is stored yet.",
        "Columns that are not read: <bdi>Department</bdi>",
        "<bdi>Ben Example</bdi>",
        "New &lt;script&gt;",
        "Not in this file, and still in the class",
    ] {
        assert!(shown.text.contains(expected), "{expected}: {}", shown.text);
    }
    assert!(!admin.get("/roster").text.contains("Ben Example"), "nothing was stored");
    let old = admin.post("/roster/import", &[("changes", "0123")]);
    assert!(old.text.contains("The class has changed since you looked"), "{}", old.text);
    let imported = admin.import_roster(&export[3..]);
    assert!(imported.text.contains("Imported: 1 added, 1 changed"), "{}", imported.text);
    let roster = admin.get("/roster").text;
    assert!(roster.contains("Ben Example") && roster.contains("ben@x.org"), "no column, no change");
    assert!(admin.get("/audit").text.contains("name from Ben to Ben Example"));
    let again = admin.post("/roster/import", &[("changes", "0123")]);
    assert!(again.status == 400 && again.text.contains("choose the file again"), "{}", again.text);
    let undone = admin.post("/roster/undo", &[("reason", "the wrong file")]);
    assert!(undone.text.contains("The import was undone."), "{}", undone.text);
    let roster = admin.get("/roster").text;
    assert!(!roster.contains("Ben Example") && roster.contains("ben@x.org"), "{roster}");
    assert!(admin.get("/audit").text.contains("1 removed, 1 changed back: the wrong file"));
    let refused = admin.post("/roster/undo", &[("reason", "all of it")]);
    assert!(refused.status == 400 && refused.text.contains("has joined since"), "{}", refused.text);
    let binary = admin.upload("/roster", "roster.xlsx", b"PK\x03\x04");
    assert!(binary.status == 400 && binary.text.contains("is a spreadsheet"), "{}", binary.text);
    drop(class);
}

#[test]
fn people_are_added_changed_locked_and_removed_one_by_one() {
    let (class, mut admin) = Class::joined();
    let new = [
        ("name", "Dora"),
        ("student_id", "40"),
        ("email", "no"),
        ("team", "red"),
        ("role", "student"),
    ];
    let refused = admin.post("/people", &new);
    assert!(
        refused.status == 400 && refused.text.contains("expected an email address"),
        "{}",
        refused.text
    );
    assert!(refused.text.contains("value=\"Dora\""), "what was typed stays: {}", refused.text);
    let new =
        new.map(|(name, value)| if name == "email" { (name, "dora@x.org") } else { (name, value) });
    assert_eq!(admin.post("/people", &new).status, 200);
    let code = codes(&admin.get("/roster/codes").text).pop().expect("a code");
    let slips = admin.get("/roster/codes").text;
    assert!(slips.contains("<svg class=\"qr\"") && slips.contains("/join</bdi>"), "{slips}");
    let file = admin.get("/roster/codes.csv").text;
    assert!(
        file.contains(&format!("Dora,dora@x.org,40,,red,student,{code},http://127.0.0.1:")),
        "{file}"
    );
    let page = class.visitor().get(&format!("/join?code={code}")).text;
    assert!(page.contains(&format!("value=\"{code}\"")), "{page}");
    let mut dora = class.visitor();
    assert_eq!(dora.post("/join", &[("code", &code), ("password", PASSWORD)]).status, 303);

    // A teacher changes the ID, the team and the name.
    let mut teacher = class.signed_in("9");
    let path = format!("/people/{}", number(&teacher.get("/roster").text, "Dora"));
    assert!(teacher.get(&path).text.contains("value=\"dora@x.org\""));
    let other = [("name", "Dora D."), ("student_id", "41"), ("team", "blue"), ("role", "student")];
    let saved = teacher.post(&path, &other);
    assert!(
        saved.text.contains("from 40 to 41") && saved.text.contains("team from red to blue"),
        "{}",
        saved.text
    );
    assert!(dora.get("/").status == 200 && class.signed_in("41").get("/team").status == 200);
    assert_eq!(teacher.post(&path, &[("name", "Dora"), ("student_id", "02")]).status, 400);
    assert_eq!(
        teacher.post(&path, &[("name", "D"), ("student_id", "41"), ("role", "teacher")]).status,
        400
    );

    // A lock ends the session, and no password opens it.
    let lock = format!("{path}/lock");
    assert_eq!(teacher.post(&lock, &[("locked", "1")]).status, 400, "without a reason");
    assert_eq!(teacher.post(&lock, &[("locked", "1"), ("reason", "spam")]).status, 303);
    assert_eq!(dora.get("/").header("location"), "/login");
    let refused = class.visitor().post("/login", &[("account", "41"), ("password", PASSWORD)]);
    assert!(
        refused.status == 400 && refused.text.contains("This account is locked"),
        "{}",
        refused.text
    );
    assert_eq!(teacher.post(&lock, &[("locked", "0"), ("reason", "sorry")]).status, 303);
    class.signed_in("41");

    // No account is taken away by a lesser role, or by oneself.
    let roster = admin.get("/roster").text;
    let staff = format!("/people/{}", number(&roster, "Tea"));
    assert_eq!(teacher.get(&staff).status, 403);
    let own = format!("/people/{}", number(&roster, "Administrator"));
    assert_eq!(admin.post(&format!("{own}/remove"), &[("reason", "x")]).status, 400);

    let kept = [("reason", "left"), ("history", "kept")];
    assert_eq!(teacher.post(&format!("{path}/remove"), &kept).status, 200);
    let roster = teacher.get("/roster").text;
    assert_eq!((roster.matches("Dora").count(), roster.contains("Removed people")), (1, true));
    let lock = teacher.post(&format!("{path}/lock"), &[("locked", "1"), ("reason", "x")]);
    assert!(
        lock.status == 400 && lock.text.contains("take the person back first"),
        "{}",
        lock.text
    );
    assert!(teacher.get(&path).text.contains("Take back into the class"));
    let back = teacher.post(&path, &[("name", "Dora D."), ("student_id", "41"), ("team", "blue")]);
    assert!(back.text.contains("state from removed to in the class"), "{}", back.text);
    assert!(!teacher.get("/roster").text.contains("Removed people"));
    assert_eq!(teacher.post(&format!("{path}/remove"), &kept).status, 200);
    assert!(admin.get("/audit").text.contains("with the history kept: left"));
    // A roster adds the person again, with a new code.
    admin.import_roster("ID,name\n41,Dora D.\n");
    assert!(
        admin.get("/roster").text.contains("Dora D.")
            && codes(&admin.get("/roster/codes").text).len() == 1
    );
    let deleted = [("reason", "asked for it"), ("history", "deleted")];
    assert_eq!(admin.post(&format!("{path}/remove"), &deleted).status, 200);
    assert!(!admin.get("/audit").text.contains("Dora"), "the audit names no one");
    assert!(!admin.get("/roster").text.contains("Dora") && admin.get(&path).status == 404);

    // Of whom was removed with the history kept, it is deleted later, with the team of the person alone.
    admin.import_roster("ID,name,team\n50,Yvo Solo,\n");
    let path = format!("/people/{}", number(&admin.get("/roster").text, "Yvo Solo"));
    assert_eq!(admin.post(&format!("{path}/remove"), &kept).status, 200);
    assert_eq!(
        admin.post(&format!("{path}/remove"), &kept).status,
        400,
        "there is nothing to keep"
    );
    assert_eq!(admin.post(&format!("{path}/remove"), &deleted).status, 200);
    for page in ["/audit", "/roster", "/standings", "/deadline"] {
        assert!(!admin.get(page).text.contains("Yvo"), "{page} names no one");
    }
}
