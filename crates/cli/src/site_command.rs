//! `botyard site`: backups of classes. The crate `botyard-site` does the work; this module has the
//! arguments and messages.

use crate::text::out;
use botyard_runner::words::counted;
use botyard_site::{Copied, backup, restore};
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// `botyard site`.
#[derive(Debug, Args)]
pub struct SiteArgs {
    #[command(subcommand)]
    verb: SiteVerb,
}

#[derive(Debug, Subcommand)]
enum SiteVerb {
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
}

/// Copies a class.
pub fn run(args: &SiteArgs) -> anyhow::Result<ExitCode> {
    match &args.verb {
        SiteVerb::Backup { directory, file } => {
            let copied = backup(directory, file)?;
            out(&format!("{}: {}\n", file.display(), in_words(copied)))?;
        }
        SiteVerb::Restore { file, directory } => {
            let copied = restore(file, directory)?;
            out(&format!("{}: {}\n", directory.display(), in_words(copied)))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn in_words(copied: Copied) -> String {
    format!("{}, {}", counted(copied.files, "file"), counted(copied.bytes, "byte"))
}
