//! SQLite.

use botyard_queue::{Address, Queue, conformance};
use std::sync::Arc;

#[test]
fn a_file_keeps_the_contract() {
    let directory = tempfile::tempdir().unwrap();
    let address = Address::File(directory.path().join("class.db"));
    let queue = Arc::new(Queue::open(&address).unwrap());
    conformance::check_all(&|| Arc::clone(&queue));
    let tournaments = queue.tournaments().unwrap();
    drop(queue);
    // Everything is there when the file is opened again.
    assert_eq!(Queue::open(&address).unwrap().tournaments().unwrap(), tournaments);
}

#[test]
fn a_file_has_one_owner() {
    let directory = tempfile::tempdir().unwrap();
    let address = Address::File(directory.path().join("class.db"));
    let owner = Queue::open(&address).unwrap();
    let error = Queue::open(&address).unwrap_err().to_string();
    assert!(error.contains("belongs to another process that is running"), "{error}");
    drop(owner);
    Queue::open(&address).unwrap();
}

#[test]
fn files_of_other_programs_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("other.db");
    rusqlite::Connection::open(&path).unwrap().execute_batch("CREATE TABLE x(y)").unwrap();
    let error = Queue::open(&Address::File(path)).unwrap_err().to_string();
    assert!(error.contains("another program's"), "{error}");
    let path = directory.path().join("text.db");
    std::fs::write(&path, "text, and more of it than a header of SQLite is long".repeat(9))
        .unwrap();
    let error = Queue::open(&Address::File(path)).unwrap_err().to_string();
    assert!(error.contains("is not a tournament store of Botyard"), "{error}");
    let path = directory.path().join("later.db");
    drop(Queue::open(&Address::File(path.clone())).unwrap());
    rusqlite::Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let error = Queue::open(&Address::File(path)).unwrap_err().to_string();
    assert!(error.contains("a later version of Botyard"), "{error}");
}
