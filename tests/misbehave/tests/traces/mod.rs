//! What a bot may have left behind, and what a referee has grown by.
#![allow(dead_code)] // Each test program uses its own part of this.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where a bot might have written.
const WRITABLE: [&str; 5] = ["/tmp", "/var/tmp", "/dev/shm", "/run", "/"];

/// Processes whose command line has this token, by number and command.
pub fn processes(token: &str) -> Vec<String> {
    let found = fs::read_dir("/proc").unwrap().flatten().filter_map(|process| {
        let command = fs::read(process.path().join("cmdline")).ok()?;
        let command = String::from_utf8_lossy(&command).replace('\0', " ");
        let name = process.file_name().into_string().ok()?;
        let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
        (is_number && command.contains(token)).then(|| format!("process {name}: {command}"))
    });
    found.collect()
}

/// Files whose name has this token.
pub fn files(token: &str) -> Vec<String> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let directories = WRITABLE.iter().map(PathBuf::from).chain(home);
    let entries = directories.filter_map(|path| fs::read_dir(path).ok()).flatten().flatten();
    let named = entries.filter(|entry| entry.file_name().to_string_lossy().contains(token));
    named.map(|entry| format!("file {}", entry.path().display())).collect()
}

/// Objects of the system's with this token.
pub fn objects(program: &str, token: &str) -> Vec<String> {
    let survey = Command::new(program).args(["survey", token]).output().unwrap();
    assert!(survey.status.success());
    String::from_utf8_lossy(&survey.stdout).lines().map(String::from).collect()
}

/// The files beneath a directory, with what is in them.
pub fn contents(directory: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap().flatten() {
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() {
            found.extend(contents(&path));
            found.insert(path, None);
        } else {
            found.insert(path.clone(), fs::read(&path).ok());
        }
    }
    found
}

/// How many descriptors this program has open.
pub fn descriptors() -> usize {
    fs::read_dir("/proc/self/fd").unwrap().count()
}

/// How many children this program has, zombies included.
pub fn children() -> usize {
    let threads = fs::read_dir("/proc/self/task").unwrap().flatten();
    let lists = threads.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists.map(|list| list.split_whitespace().count()).sum()
}

/// Forgets the most memory that this program has had.
pub fn forget_peak() {
    // Where the system cannot, the peak is that of the whole run, which is only stricter.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The most memory that this program has had since, in KiB, and what it has now.
pub fn memory_kib() -> (u64, u64) {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
    };
    (field("VmHWM:"), field("VmRSS:"))
}
