//! A class to look at: people with a common password, and submissions, which are built and checked as any.

use crate::error::SiteError;
use crate::people::passwords::Whose;
use crate::people::{self, Role, audit, roster};
use crate::site::Site;
use crate::submissions;
use botyard_runner::Error;
use std::fs;
use std::io;

/// The password of all people of the demonstration.
pub const PASSWORD: &str = "demonstration";

/// The accounts that are worth looking at: who, and the name for signing in.
pub const ACCOUNTS: [(&str, &str); 3] =
    [("teacher", "9002"), ("assistant", "9001"), ("student", "1001")];

const ROSTER: &str = include_str!("../demo/roster.csv");
const BOT: &str = include_str!("../demo/bot.py");

/// The bots by team: the strategy of each. One crashes, two are the same, and one does not start.
const BOTS: [(&str, &str); 8] = [
    ("Anemones", "middle"),
    ("Bluebells", "first"),
    ("Crocuses", "last"),
    ("Dahlias", "crash"),
    ("Edelweiss", "middle"),
    ("Foxgloves", "random"),
    ("Gentians", "broken"),
    ("Hyacinths", "random 2"),
];

/// Fills a class that has no people yet.
///
/// # Errors
///
/// The class has people; the host fails.
pub(crate) fn fill(site: &Site) -> Result<(), Error> {
    // The site does not serve yet, so there is a place.
    let place = site.people.passwords.place(&Whose::Person(0)).map_err(Error::host)?;
    let stored = place.stored(PASSWORD).map_err(Error::host)?;
    drop(place);
    let filled = site.class.database.transaction(|transaction| {
        if people::all(transaction)?.iter().any(|person| person.student_id.is_some()) {
            return Ok(false);
        }
        roster::import(transaction, &roster::read(ROSTER)?, Role::Admin)?;
        for person in people::all(transaction)? {
            if person.student_id.is_some() {
                people::set_password(transaction, person.id, &stored)?;
            }
        }
        audit::note(transaction, None, "filled the class", "a demonstration")?;
        Ok::<_, SiteError>(true)
    });
    if !filled.map_err(Error::host)? {
        return Err(Error::usage("the class has people: a demonstration needs a new directory"));
    }
    for (team, strategy) in BOTS {
        let source = keep(site, strategy).map_err(Error::host)?;
        site.class.database.write(|transaction| {
            let team = people::team(transaction, team)?;
            let members = people::all(transaction)?;
            let person = members.iter().find(|person| person.team == Some(team));
            let person = person.map_or(1, |person| person.id);
            submissions::add(
                transaction,
                (team, person),
                submissions::Files::uploaded("bot.zip", &source),
            )
        })?;
    }
    Ok(())
}

/// Stores the files of a bot, and returns their digest.
fn keep(site: &Site, strategy: &str) -> io::Result<String> {
    let place = site.class.directory.new_upload()?;
    fs::write(place.path().join("bot.toml"), "run = \"python3 bot.py\"\n")?;
    fs::write(place.path().join("strategy.txt"), format!("{strategy}\n"))?;
    fs::write(
        place.path().join("bot.py"),
        if strategy == "broken" { "import botyrad\n" } else { BOT },
    )?;
    site.submissions.keep_source(place.path()).map_err(io::Error::other)
}
