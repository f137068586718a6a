//! The test programs of the workspace: one of each crate, because linking one takes longer than most tests run, and those
//! that `.ci/run` names.

use crate::repository;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// The further integration test programs of a crate, and the property of their process that they need for themselves.
const FURTHER: [(&str, &str); 4] = [
    ("leaks", "counts the descriptors, processes and files of the process"),
    ("measures", "must use little memory: in tier A a greater peak than its own is measured"),
    ("misbehaviour", "counts the descriptors of the process"),
    ("stalled_start", "stops the process by SIGSTOP"),
];

/// An integration test program.
struct Program {
    package: String,
    name: String,
    path: PathBuf,
}

fn programs() -> Vec<Program> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["metadata", "--no-deps", "--format-version=1", "--offline", "--manifest-path"]);
    let ran = cargo.arg(repository("Cargo.toml")).output().expect("cargo starts");
    assert!(ran.status.success(), "{ran:?}");
    let metadata: Value = serde_json::from_slice(&ran.stdout).expect("JSON");
    let mut programs = Vec::new();
    for package in metadata["packages"].as_array().expect("packages") {
        let targets = package["targets"].as_array().expect("targets");
        programs.extend(targets.iter().filter(|target| target["kind"][0] == "test").map(
            |target| Program {
                package: package["name"].as_str().expect("a name").to_string(),
                name: target["name"].as_str().expect("a name").to_string(),
                path: target["src_path"].as_str().expect("a path").into(),
            },
        ));
    }
    programs
}

#[test]
fn a_crate_has_one_integration_test_program() {
    let mut packages = BTreeSet::new();
    let is_further = |program: &Program| FURTHER.iter().any(|(name, _)| *name == program.name);
    let (further, first): (Vec<_>, Vec<_>) = programs().into_iter().partition(is_further);
    assert_eq!(further.len(), FURTHER.len(), "FURTHER names programs that do not exist");
    for Program { package, name, .. } in first {
        assert!(
            packages.insert(package.clone()),
            "{package} has a second integration test program, {name}: make it a module of the first one, or add it to \
             FURTHER with the property of its process that it needs for itself"
        );
    }
    assert!(packages.len() > 20, "{packages:?}");
}

/// A filter that matches nothing passes, so the modules in the filters are checked too.
#[test]
fn the_test_programs_and_modules_of_the_stages_exist() {
    let programs = programs();
    let run = fs::read_to_string(repository(".ci/run")).expect(".ci/run");
    let mut named = 0;
    for line in run.lines().filter(|line| !line.trim_start().starts_with('#')) {
        let words: Vec<&str> = line.split([' ', '"', '(', ')']).collect();
        for pair in words.windows(2).filter(|pair| pair[0] == "--test") {
            named += 1;
            let exists = programs.iter().any(|program| program.name == pair[1]);
            assert!(exists, ".ci/run: there is no test program {}", pair[1]);
        }
        for module in words.iter().filter_map(|word| Some(word.split_once("::")?.0)) {
            named += 1;
            let is_beside = |program: &Program| {
                program.path.with_file_name(module).with_extension("rs").is_file()
            };
            assert!(
                programs.iter().any(is_beside),
                ".ci/run: no test program has a module {module}"
            );
        }
    }
    assert!(named > 20, "{named} names");
}
