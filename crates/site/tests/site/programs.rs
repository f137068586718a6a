//! Programs with a token in place of a session.

use crate::access::made_token;
use crate::client::{Class, ROSTER, Visitor};
use std::io::{Cursor, Write};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn bot(text: &str) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in [("bot.toml", "run = \"python3 bot.py\"\n"), ("bot.py", text)] {
        writer.start_file(name, SimpleFileOptions::default()).expect("an entry");
        writer.write_all(content.as_bytes()).expect("memory");
    }
    writer.finish().expect("an archive").into_inner()
}

/// Returns a program with this token and no session.
fn program(class: &Class, token: &str) -> Visitor {
    let mut program = class.visitor();
    program.origin = None;
    program.headers = format!("Authorization: Bearer {token}\r\n");
    program
}

#[test]
fn a_token_submits_in_the_name_of_its_owner_and_does_nothing_else() {
    let (class, _) = Class::joined();
    let mut anna = class.signed_in("1");
    let token = made_token(&mut anna);
    let page = anna.get("/team").text;
    assert!(!page.contains(&token) && page.contains("<bdi>test</bdi>"), "it is shown once: {page}");
    let mut program = program(&class, &token);
    let reply = program.send_file("/api/submissions?name=mine.zip", &bot("1"));
    assert_eq!(reply.status, 201, "{}", reply.text);
    assert!(reply.text.contains("\"version\":1") && reply.text.contains("\"is_new\":true"));
    let page = anna.get("/submissions/1").text;
    assert!(page.contains("mine.zip") && page.contains("Anna"), "{page}");
    let followed = program.get("/api/submissions/1?from=0.0");
    assert_eq!(followed.header("content-type"), "application/json");
    assert!(followed.text.contains("\"version\":1"), "{}", followed.text);

    // What is refused is refused with a reason, as JSON.
    let refused = program.send_file("/api/submissions", b"no archive");
    assert_eq!(refused.status, 400);
    assert!(refused.text.starts_with("{\"error\":\"Not accepted: the file is no zip archive"));
    assert_eq!(program.send_file("/api/submissions", &vec![b'x'; 21 << 20]).status, 413);
    // It is no session, and a session is no token.
    assert_eq!(program.get("/team").header("location"), "/login");
    assert_eq!(anna.get("/api/submissions/1").status, 401);
    let mut cy = class.signed_in("3");
    let of_cy = made_token(&mut cy);
    assert_eq!(self::program(&class, &of_cy).get("/api/submissions/1").status, 404);
    assert_eq!(self::program(&class, &of_cy).get("/api/submissions/77").status, 404);
    // Another's token cannot be revoked.
    assert_eq!(cy.post("/team/tokens/1/revoke", &[]).status, 404);
    assert_eq!(program.get("/api/submissions/1").status, 200);
    assert_eq!(anna.post("/team/tokens/1/revoke", &[]).status, 303);
    let refused = program.get("/api/submissions/1");
    assert_eq!((refused.status, refused.header("www-authenticate")), (401, "Bearer"));
    let audit = class.signed_in("9").get("/audit").text;
    assert!(audit.contains("made a token") && audit.contains("revoked a token"), "{audit}");
}

#[test]
fn a_token_has_no_more_rights_than_its_owner_has_now() {
    let (class, mut admin) = Class::joined();
    let mut anna = class.signed_in("1");
    let token = made_token(&mut anna);
    let mut program = program(&class, &token);
    assert_eq!(program.send_file("/api/submissions", b"x").status, 400);
    let roster = ROSTER.replace("1,Anna <b>,anna@x.org,a,red,", "1,Anna <b>,anna@x.org,a,,guest");
    let reply = admin.import_roster(&roster);
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert_eq!(program.send_file("/api/submissions", b"x").status, 403);
    for _ in 0..10 {
        made_token(&mut class.signed_in("3"));
    }
    let mut cy = class.signed_in("3");
    let refused = cy.post("/team/tokens", &[("name", "one more")]);
    assert!(
        refused.status == 400 && refused.text.contains("You have 10 tokens"),
        "{}",
        refused.text
    );
}
