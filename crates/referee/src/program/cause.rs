//! Likely causes of a failure, as clauses at the end of its message: output that was not flushed,
//! and a file or a network that the sandbox withholds. They are evidence for the bot's author; no
//! verdict depends on them.

use crate::command::advice::Advice;
use crate::command::bot_files::SYSTEM;
use botyard_sandbox::Tier;
use std::path::Path;

/// How many of the last lines of standard error are searched.
const SEARCHED_LINES: usize = 30;

/// What a runtime reports if it may not write somewhere.
const READ_ONLY: [&str; 2] = ["Read-only file system", "EROFS"];

/// What a runtime reports if it has no network.
const NO_NETWORK: [&str; 9] = [
    "Name or service not known",
    "Temporary failure in name resolution",
    "name resolution",
    "getaddrinfo",
    "EAI_AGAIN",
    "ENETUNREACH",
    "Network is unreachable",
    "UnknownHostException",
    "no such host",
];

/// What a runtime reports if it misses a file or may not use it.
const NO_FILE: [&str; 15] = [
    "No such file or directory",
    "no such file or directory",
    "ENOENT",
    "NoSuchFileException",
    "ModuleNotFoundError",
    "Cannot find module",
    "Cannot find package",
    "ClassNotFoundException",
    "NoClassDefFoundError",
    "Permission denied",
    "permission denied",
    "AccessDeniedException",
    "Operation not permitted",
    "EACCES",
    "EPERM",
];

/// How a bot is contained, as far as messages to its author name it.
#[derive(Clone, Debug)]
pub(crate) struct ContainedBy {
    /// The tier.
    pub tier: Tier,
    /// Its memory limit, in bytes.
    pub memory: u64,
    /// The names of remedies.
    pub advice: Advice,
}

impl ContainedBy {
    /// Explains an end that the standard error blames on a file or on the network: what the sandbox
    /// allows and what to do. `None` if the standard error has no such report.
    pub(crate) fn withheld(&self, stderr: &str) -> Option<String> {
        let lines = stderr.lines().rev().take(SEARCHED_LINES);
        let lines: Vec<&str> = lines.filter(|line| may_be_withheld(line)).collect();
        let reports =
            |words: &[&str]| lines.iter().any(|line| words.iter().any(|word| line.contains(word)));
        let (tier, advice) = (self.tier, &self.advice);
        let written = match tier {
            Tier::A => "it may write nothing",
            _ => "it may write only in its own /tmp",
        };
        let practice = &advice.uncontained;
        if reports(&NO_NETWORK) {
            return Some(format!(
                "; the bot is contained (tier {tier}) and has no network; for practice with programs that \
                 you trust, use {practice}"
            ));
        }
        (reports(&READ_ONLY) || reports(&NO_FILE)).then(|| {
            format!(
                "; the bot is contained (tier {tier}): it may read the system's programs and libraries, the \
                 installations in PATH and its own directory, and {written}; pass other paths to {}; for \
                 practice with programs that you trust, use {practice}",
                advice.read
            )
        })
    }
}

/// Returns whether the sandbox may be the cause of a report: a missing file of a directory that the bot sees is missing
/// without a sandbox too. Other paths are not looked for, as their existence is none of the bot's business.
fn may_be_withheld(line: &str) -> bool {
    let is_missing =
        ["No such file", "no such file", "ENOENT", "NoSuchFile"].iter().any(|it| line.contains(it));
    let words =
        line.split(|c: char| c.is_whitespace() || "'\"`()[]:;,\u{2018}\u{2019}".contains(c));
    let mut paths = words.map(Path::new).filter(|path| path.is_absolute()).peekable();
    let is_seen = |path: &Path| SYSTEM.iter().any(|seen| path.starts_with(seen));
    !is_missing || paths.peek().is_none() || !paths.all(is_seen)
}

/// Explains a bot that has written nothing at all, by how the language of its command flushes.
pub(crate) fn unflushed(how: &str) -> String {
    format!("; most likely the output was not flushed: {how}")
}

/// How a line is flushed in any language.
pub(crate) const ANY_LANGUAGE: &str = "flush standard output after every line";

/// Returns how a program of this name, or a script with such a name among `words`, flushes a line.
pub(crate) fn how_to_flush<'a>(words: impl Iterator<Item = &'a str>) -> &'static str {
    for word in words {
        let name = word.rsplit('/').next().unwrap_or(word);
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        let is = |program: &str| name.starts_with(program);
        match extension {
            "py" | "pyz" => return "in Python, print(..., flush=True)",
            "java" | "jar" | "class" => return "in Java, System.out.flush() after every line",
            "rb" => return "in Ruby, $stdout.sync = true",
            "pl" => return "in Perl, $| = 1",
            _ if is("python") || is("pypy") => return "in Python, print(..., flush=True)",
            _ if name == "java" => return "in Java, System.out.flush() after every line",
            _ if is("ruby") => return "in Ruby, $stdout.sync = true",
            _ if is("perl") => return "in Perl, $| = 1",
            _ => {}
        }
    }
    ANY_LANGUAGE
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(tier: Tier) -> ContainedBy {
        let advice = Advice {
            read: "--read".into(),
            uncontained: "--sandbox none".into(),
            ..Advice::default()
        };
        ContainedBy { tier, memory: 1 << 30, advice }
    }

    #[test]
    fn what_the_sandbox_withholds_is_named_with_the_remedy() {
        for (stderr, expected) in [
            ("FileNotFoundError: [Errno 2] No such file or directory: 'book.bin'\n", "--read"),
            ("ModuleNotFoundError: No module named 'numpy'\n", "--sandbox none"),
            (
                "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'x' imported from /a/mine.mjs\n",
                "its own directory",
            ),
            ("Caused by: java.lang.ClassNotFoundException: Mine\n", "--read"),
            ("java.lang.NoClassDefFoundError: com/google/gson/Gson\n", "--read"),
            ("Error: EACCES: permission denied, open '/home/a/x'\n", "its own directory"),
            ("OSError: [Errno 30] Read-only file system: 'log.txt'\n", "only in its own /tmp"),
            ("socket.gaierror: [Errno -3] Temporary failure in name resolution\n", "no network"),
        ] {
            let words = by(Tier::B).withheld(stderr).expect(stderr);
            assert!(words.contains(expected) && words.contains("(tier B)"), "{stderr}{words}");
            assert!(!words.contains('\n'), "one line: {words}");
        }
        let words = by(Tier::A).withheld("OSError: [Errno 30] Read-only file system").unwrap();
        assert!(words.contains("it may write nothing"), "{words}");
        assert_eq!(by(Tier::B).withheld("IndexError: list index out of range"), None);
        let elsewhere =
            "FileNotFoundError: [Errno 2] No such file or directory: '/usr/no/such/place/x'";
        assert_eq!(
            by(Tier::B).withheld(elsewhere),
            None,
            "it is not there without a sandbox either"
        );
        let long_ago = format!("No such file or directory\n{}", "thinking\n".repeat(100));
        assert_eq!(by(Tier::B).withheld(&long_ago), None, "an old report is not the cause");
    }

    #[test]
    fn the_language_of_a_command_says_how_to_flush() {
        for (words, expected) in [
            (vec!["/usr/bin/python3.11", "-u"], "print(..., flush=True)"),
            (vec!["env", "A=1", "bots/mine.py"], "print(..., flush=True)"),
            (vec!["java", "-jar", "mine.jar"], "System.out.flush()"),
            (vec!["./mine"], "flush standard output after every line"),
        ] {
            let how = how_to_flush(words.iter().copied());
            assert!(how.contains(expected), "{words:?}: {how}");
        }
    }
}
