//! `botyard site`: backups and archives of classes, and the deletion of their personal data. The crate `botyard-site` does the work; this module has the
//! arguments and messages.

use botyard_cli::failure::FAILED;
use botyard_cli::installed::programs;
use botyard_cli::text::out;
use botyard_runner::words::counted;
use botyard_site::{
    Copied, Forgotten, archive, backup, forget, pending_events, preview_forgetting, restore,
};
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, UNIX_EPOCH};

/// `botyard site`.
#[derive(Debug, Args)]
pub struct SiteArgs {
    #[command(subcommand)]
    verb: SiteVerb,
}

#[derive(Debug, Subcommand)]
enum SiteVerb {
    /// Say whether the files of events differ from the events in force
    #[command(after_help = "\
Example:
  botyard site event class

Exit codes: 0 they do not, 1 they do. `botyard serve DIR --new-event` begins a
new event, or resumes the earlier one with these settings. Stop the site first:
while it runs, the page Event has the same question.")]
    Event {
        /// Directory of the class
        #[arg(value_name = "DIR")]
        directory: PathBuf,
    },
    /// Copy a class to a file, while it is served or not
    #[command(after_help = "\
Example:
  botyard site backup class class-2026-11-24.zip

The file has the database, the conditions, all submissions and all replays.
Keep it as safe as the directory: it has personal data and the secrets.")]
    Backup {
        /// Directory of the class
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        /// File to write, which must not exist
        file: PathBuf,
    },
    /// Make a class of a backup
    #[command(after_help = "\
Example:
  botyard site restore class-2026-11-24.zip class")]
    Restore {
        /// File of `botyard site backup`
        file: PathBuf,
        /// New or empty directory
        #[arg(value_name = "DIR")]
        directory: PathBuf,
    },
    /// Archive a class in a file: a backup with pages that need no server
    #[command(after_help = "\
Example:
  botyard site archive class -o class-2026.zip

Open pages/index.html of the unpacked file. The pages show what guests see; the
rest of the file has personal data. `botyard site restore` takes it as well.")]
    Archive {
        /// Directory of the class
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        /// File to write, which must not exist
        #[arg(short, long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Delete the personal data of a class that is over, or show what is deleted
    #[command(after_help = "\
Examples:
  botyard site forget class
  botyard site forget class --apply

Names, IDs, addresses, passwords, submissions, logs, replays and grades are
deleted; results without names and the administrators stay. The page Personal
data states the time after which this is due. Stop the site first.")]
    Forget {
        /// Directory of the class
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        /// Delete, in place of showing what is deleted
        #[arg(long)]
        apply: bool,
        /// Delete before the stated time
        #[arg(long, requires = "apply")]
        early: bool,
    },
}

/// Runs `botyard site`.
pub(crate) fn run(args: &SiteArgs) -> anyhow::Result<ExitCode> {
    match &args.verb {
        SiteVerb::Backup { directory, file } => {
            let copied = backup(directory, file)?;
            out(&format!("{}: {}\n", file.display(), in_words(copied)))?;
        }
        SiteVerb::Event { directory } => {
            let questions = pending_events(directory, programs()?)?;
            for question in &questions {
                out(&format!("{question}\n"))?;
            }
            if !questions.is_empty() {
                return Ok(ExitCode::from(FAILED));
            }
            out("the events in force have the settings of their files\n")?;
        }
        SiteVerb::Archive { directory, out: file } => {
            let archived = archive(directory, file, &programs()?)?;
            let (files, pages) = (in_words(archived.copied), counted(archived.pages, "page"));
            out(&format!("{}: {files}, {pages}\n", file.display()))?;
        }
        SiteVerb::Forget { directory, apply, early } => {
            let forgotten = match apply {
                true => forget(directory, *early)?,
                false => preview_forgetting(directory)?,
            };
            out(&listed(&forgotten))?;
            let end = if *apply { "deleted" } else { "nothing was deleted: --apply deletes it" };
            out(&format!("{end}\n"))?;
        }
        SiteVerb::Restore { file, directory } => {
            let copied = restore(file, directory)?;
            out(&format!("{}: {}\n", directory.display(), in_words(copied)))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns what is deleted, a line each.
fn listed(forgotten: &Forgotten) -> String {
    let until = match forgotten.until {
        Some(until) => {
            let since = Duration::from_secs(u64::try_from(until).unwrap_or_default());
            format!("until {}", humantime::format_rfc3339_seconds(UNIX_EPOCH + since))
        }
        None => "no time is stated".to_string(),
    };
    let rows = [
        ("kept", until),
        ("people", format!("{}: names, IDs, addresses, groups, passwords", forgotten.people)),
        ("teams", format!("{}: names and aliases", forgotten.teams)),
        ("submissions", format!("{}: files, logs, reasons", forgotten.submissions)),
        ("grades", counted(forgotten.grades, "frozen copy")),
        ("audit", format!("{}: names and details", forgotten.audit)),
        ("files", format!("{}, {} MiB", forgotten.files, forgotten.bytes.div_ceil(1 << 20))),
    ];
    rows.iter().map(|(what, words)| format!("{what:<12} {words}\n")).collect()
}

fn in_words(copied: Copied) -> String {
    format!("{}, {}", counted(copied.files, "file"), counted(copied.bytes, "byte"))
}
