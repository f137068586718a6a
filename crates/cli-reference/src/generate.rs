//! `botyard generate`: shell completions, man pages, and the reference pages of the book, all made from
//! the definitions that the program itself uses.

use crate::{all_commands, command_pages};
use anyhow::Context;
use botyard_cli::text::done;
use clap::{Args, Subcommand};
use clap_complete::Shell;
use std::path::PathBuf;
use std::process::ExitCode;

/// `botyard generate`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard generate completions bash > /etc/bash_completion.d/botyard
  botyard generate completions zsh > ~/.zfunc/_botyard
  botyard generate man /usr/local/share/man/man1")]
pub struct GenerateArgs {
    /// What to generate.
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Print the completion script of a shell
    Completions {
        /// Shell that reads the script
        shell: Shell,
    },
    /// Write a man page for each command to a directory
    Man {
        /// Directory, which is created if it does not exist
        directory: PathBuf,
    },
    /// Write the reference pages of the book to a directory, as Markdown
    Pages {
        /// Directory, which is created if it does not exist
        directory: PathBuf,
    },
}

/// Generates what the arguments name.
///
/// # Errors
///
/// A directory or an output that cannot be written.
pub(crate) fn run(args: &GenerateArgs) -> anyhow::Result<ExitCode> {
    match &args.what {
        What::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut all_commands(), "botyard", &mut script);
            done(&String::from_utf8_lossy(&script))
        }
        What::Man { directory } => {
            let cannot = || format!("cannot write man pages to {}", directory.display());
            std::fs::create_dir_all(directory).with_context(cannot)?;
            clap_mangen::generate_to(all_commands(), directory).with_context(cannot)?;
            Ok(ExitCode::SUCCESS)
        }
        What::Pages { directory } => {
            let bots = ("bots.md".to_string(), botyard_bots::reference::page());
            for (name, page) in command_pages::all().into_iter().chain([bots]) {
                let path = directory.join(name);
                let cannot = || format!("cannot write {}", path.display());
                let parent = path.parent().unwrap_or(directory);
                std::fs::create_dir_all(parent).with_context(cannot)?;
                std::fs::write(&path, page).with_context(cannot)?;
            }
            Ok(ExitCode::SUCCESS)
        }
    }
}
