//! Objects that can outlive a process without being files: System V and POSIX IPC, keys.

use crate::raw;
use std::ffi::CString;
use std::fs;
use std::io;

/// Creates one of each; returns the results by name.
pub fn make(token: &str) -> [(&'static str, io::Result<()>); 5] {
    let key = key(token);
    let name = CString::new(token).expect("a token has no zero byte");
    [
        ("shared memory", raw::make_shared_memory(key)),
        ("a semaphore", raw::make_semaphore(key)),
        ("a queue", raw::make_queue(key)),
        ("a POSIX queue", raw::make_posix_queue(&name)),
        ("a key", raw::make_key(&name)),
    ]
}

/// Returns the objects that exist.
pub fn survey(token: &str) -> Vec<String> {
    let key = key(token);
    let mut left = Vec::new();
    for kind in ["shm", "sem", "msg"] {
        let table = fs::read_to_string(format!("/proc/sysvipc/{kind}")).unwrap_or_default();
        let has_key = |line: &&str| {
            line.split_whitespace().next().and_then(|field| field.parse().ok()) == Some(key)
        };
        left.extend(table.lines().filter(has_key).map(|line| format!("{kind} {line}")));
    }
    let name = CString::new(token).expect("a token has no zero byte");
    if raw::remove_posix_queue(&name).is_ok() {
        left.push("a POSIX queue".to_string());
    }
    let keys = fs::read_to_string("/proc/keys").unwrap_or_default();
    left.extend(keys.lines().filter(|line| line.contains(token)).map(String::from));
    left
}

/// Derives a System V key that other programs are unlikely to use.
fn key(token: &str) -> i32 {
    let hash = token.bytes().fold(17_u32, |hash, byte| hash.wrapping_mul(31) + u32::from(byte));
    (hash >> 1) as i32 | 1
}
