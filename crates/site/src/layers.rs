//! The floors of this crate: a module knows its own floor and those below it. This test reads the sources, so that it
//! stays so. Unit tests may make a whole class.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules of the crate, the lowest first. Those of one row know nothing of each other.
const FLOORS: [&[&str]; 10] = [
    &["error"],
    &["files"],
    &["oidc"],
    &["people", "client"],
    &["submissions"],
    &["competition"],
    &["site"],
    &["web", "demo", "mail"],
    &["pages"],
    &["server"],
];

/// The floors that know no HTTP and no HTML.
const DOMAIN: [&str; 8] =
    ["error", "files", "oidc", "mail", "people", "submissions", "competition", "site"];

/// What only the floors above the domain use.
const HTTP: [&str; 2] = ["axum::", "maud::"];

/// Modules that are there for tests alone.
const TESTS: [&str; 5] = ["layers.rs", "load.rs", "load_browsers.rs", "built_ins.rs", "tests.rs"];

fn floor(module: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&module))
}

/// Returns the files below a directory that are no tests.
fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("a directory of sources").flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() {
            sources(&path, found);
        } else if name != "lib.rs" && !TESTS.iter().any(|test| name == *test) {
            found.push(path);
        }
    }
}

/// Returns the code of a source without comments and unit tests.
fn code(source: &str) -> String {
    let code = source.split("\nmod tests {").next().unwrap_or_default();
    code.lines().filter(|line| !line.trim_start().starts_with("//")).collect()
}

/// Returns what a source of a module names that it may not know.
fn refused(module: &str, source: &str) -> Vec<String> {
    let own = floor(module).expect("a module of a floor");
    let is_known = |named: &str| named == module || floor(named).is_some_and(|its| its < own);
    let code = code(source);
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let named = code.split("crate::").skip(1).map(|rest| {
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        // A list of modules is one path each.
        if end == 0 { "a list" } else { &rest[..end] }
    });
    let mut refused: Vec<String> =
        named.filter(|named| !is_known(named)).map(String::from).collect();
    let http: &[&str] = if DOMAIN.contains(&module) { &HTTP } else { &[] };
    // Paths that leave a floor say where they lead.
    let paths = http.iter().chain(&["super::super"]).filter(|path| code.contains(**path));
    refused.extend(paths.map(|path| path.to_string()));
    refused
}

#[test]
fn no_module_knows_what_is_above_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 50, "{files:?}");
    for path in files {
        let place = path.strip_prefix(&root).expect("a source").with_extension("");
        let module = place.iter().next().and_then(|part| part.to_str()).expect("a name");
        let source = fs::read_to_string(&path).expect("a source");
        let refused = refused(module, &source);
        assert!(refused.is_empty(), "{} names {refused:?}", place.display());
    }
}

#[test]
fn what_is_above_is_refused() {
    let refused = |module, source| refused(module, source).join(" ");
    assert_eq!(refused("people", "use crate::files::secrets;\nuse crate::people::Person;"), "");
    assert_eq!(refused("people", "use crate::submissions;\n// crate::web"), "submissions");
    assert_eq!(refused("people", "use crate::client::Client;"), "client", "it is of the same row");
    assert_eq!(refused("competition", "crate::web::notice(&crate::pages::routes())"), "web pages");
    assert_eq!(refused("competition", "use axum::http::StatusCode;"), "axum::");
    assert_eq!(refused("pages", "use crate::{site, web};"), "a list");
    assert_eq!(refused("files", "x\n#[cfg(test)]\nmod tests {\n    use crate::people;"), "");
}
