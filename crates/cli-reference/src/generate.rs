//! `botyard generate`: shell completions, man pages, and the reference pages of the book, all made from
//! the definitions that the program itself uses.

use crate::all_commands;
use anyhow::Context;
use botyard_cli::text::done;
use clap::{Args, Command, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Columns of the help texts in the book.
const PAGE_WIDTH: usize = 100;

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
    /// Print a reference page of the book as Markdown
    Page {
        /// Page to print
        page: Page,
    },
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Page {
    /// The help of every command
    Commands,
    /// The built-in bots and their options
    Bots,
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
        What::Page { page: Page::Commands } => done(&commands_page()),
        What::Page { page: Page::Bots } => done(&botyard_bots::reference::page()),
    }
}

fn commands_page() -> String {
    let mut page = "# Command line\n\n\
         The help of every command, as `botyard COMMAND --help` prints it.\n"
        .to_string();
    let mut root = all_commands().term_width(PAGE_WIDTH);
    root.build();
    add_command(&mut page, &root, 2);
    page
}

/// Adds a command and the commands below it, with headings from `level` on.
fn add_command(page: &mut String, command: &Command, level: usize) {
    let name = command.get_bin_name().unwrap_or(command.get_name());
    let help = command.clone().render_long_help().to_string();
    let heading = "#".repeat(level);
    // Cannot fail: the page is in memory.
    let _ = write!(page, "\n{heading} `{name}`\n\n```text\n{}\n```\n", help.trim());
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        if inner.get_name() != "help" {
            add_command(page, inner, (level + 1).min(4));
        }
    }
}
