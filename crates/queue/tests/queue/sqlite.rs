//! SQLite.

use botyard_queue::{Address, Queue, Rechecks, Request, conformance};
use std::sync::Arc;
use std::time::Duration;

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

#[test]
fn a_file_of_an_earlier_version_is_brought_up_to_date() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("first.db");
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch(include_str!("../../migrations/1.sql")).unwrap();
    connection.execute_batch(OF_FIRST_VERSION).unwrap();
    let version = "PRAGMA application_id = 0x42797271; PRAGMA user_version = 1;";
    connection.execute_batch(version).unwrap();
    drop(connection);
    check_of_first_version(&Queue::open(&Address::File(path)).unwrap());
}

/// Rows of the first version of the format: a tournament with a block that is done, and a ready one.
pub const OF_FIRST_VERSION: &str = "
    INSERT INTO tournaments VALUES ('cup', 0, 'open', 0, 1);
    INSERT INTO blocks VALUES ('cup', 0, 1, '[0,1]', 0, NULL, 'done', 0, NULL, NULL, 0),
        ('cup', 0, 2, '[0,1]', 1, NULL, 'ready', 0, NULL, NULL, 0);";

/// Checks that these rows are read, and that the block is leased.
pub fn check_of_first_version(queue: &Queue) {
    let status = queue.status("cup").unwrap();
    assert_eq!((status.blocks.done, status.blocks.ready), (1, 1));
    assert_eq!(status.rechecks, Rechecks::default());
    let request = Request {
        worker: "anna".into(),
        blocks: 9,
        ttl: Duration::from_secs(3600),
        tournament: None,
        except: Vec::new(),
    };
    assert_eq!(queue.claim(&request).unwrap().len(), 1);
}
