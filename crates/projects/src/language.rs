//! The languages, with the programs that they need.

use std::fmt;
use std::path::Path;

/// A language that has a kit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Python 3.8 or later.
    Python,
    /// JavaScript, for Node 18 or later.
    Javascript,
    /// Rust, by Cargo.
    Rust,
    /// C++17.
    Cpp,
    /// Java 17 or later.
    Java,
    /// Go 1.19 or later.
    Go,
}

impl Language {
    /// All languages.
    pub const ALL: [Language; 6] = [
        Language::Python,
        Language::Javascript,
        Language::Rust,
        Language::Cpp,
        Language::Java,
        Language::Go,
    ];

    /// Returns its name in arguments.
    pub fn as_str(self) -> &'static str {
        match self {
            Language::Python => "python",
            Language::Javascript => "javascript",
            Language::Rust => "rust",
            Language::Cpp => "cpp",
            Language::Java => "java",
            Language::Go => "go",
        }
    }

    /// Returns what its programs or files need, with what to install for it on Debian.
    fn needs(self) -> &'static [(Need, &'static str)] {
        match self {
            Language::Python => &[(Need::Program("python3"), "the package python3")],
            Language::Javascript => &[(Need::Program("node"), "the package nodejs")],
            Language::Rust => &[
                (Need::Program("cargo"), "Rust by rustup, or the packages cargo and rustc"),
                (Need::Program("cc"), "the package gcc"),
            ],
            Language::Cpp => &[
                (Need::Program("g++"), "the package g++"),
                (Need::Header("nlohmann/json.hpp"), "the package nlohmann-json3-dev"),
            ],
            Language::Java => &[(Need::Program("javac"), "the package default-jdk-headless")],
            Language::Go => &[(Need::Program("go"), "the package golang")],
        }
    }

    /// Returns a warning for each program or file that is missing for `what`, `bots` or `games`, which says
    /// what to install.
    pub(crate) fn missing(self, what: &str) -> Vec<String> {
        let missing = self.needs().iter().filter(|(need, _)| !need.is_met());
        missing
            .map(|(need, package)| {
                format!("{need} was not found, which {what} in {self} need: install {package}")
            })
            .collect()
    }
}

impl fmt::Display for Language {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Language::Python => "Python",
            Language::Javascript => "JavaScript",
            Language::Rust => "Rust",
            Language::Cpp => "C++",
            Language::Java => "Java",
            Language::Go => "Go",
        })
    }
}

/// A program or a file that a language needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    /// A program in `PATH`.
    Program(&'static str),
    /// A header of the system.
    Header(&'static str),
}

impl Need {
    fn is_met(self) -> bool {
        match self {
            Need::Program(program) => {
                let path = std::env::var_os("PATH").unwrap_or_default();
                std::env::split_paths(&path).any(|directory| directory.join(program).is_file())
            }
            Need::Header(header) => ["/usr/include", "/usr/local/include"]
                .iter()
                .any(|directory| Path::new(directory).join(header).is_file()),
        }
    }
}

impl fmt::Display for Need {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Need::Program(program) => write!(formatter, "the program {program}"),
            Need::Header(header) => write!(formatter, "the header {header}"),
        }
    }
}
