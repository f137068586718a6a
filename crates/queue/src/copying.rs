//! The copy of a whole queue to another engine, row by row: both have the same tables.

use crate::Queue;
use crate::database::Statements;
use botyard_league::store::{Cell, StoreError};

/// The most rows in one statement.
const ROWS: usize = 200;

/// The kind of a column. Some engines need it where a statement has several rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Number,
    Text,
    Bytes,
}

/// The columns of a table.
struct Table {
    name: &'static str,
    columns: &'static [(&'static str, Kind)],
}

use Kind::{Bytes, Number, Text};

/// All tables, those before others that refer to them.
const TABLES: [Table; 13] = [
    Table {
        name: "tournaments",
        columns: &[
            ("id", Text),
            ("created_at", Number),
            ("state", Text),
            ("priority", Number),
            ("revision", Number),
            ("recheck", Number),
        ],
    },
    Table {
        name: "definitions",
        columns: &[("tournament", Text), ("name", Text), ("value", Text)],
    },
    Table {
        name: "bots",
        columns: &[
            ("tournament", Text),
            ("position", Number),
            ("entrant", Text),
            ("rejected", Text),
        ],
    },
    Table {
        name: "blocks",
        columns: &[
            ("tournament", Text),
            ("generation", Number),
            ("block", Number),
            ("line_up", Text),
            ("repeat", Number),
            ("rotations", Text),
            ("state", Text),
            ("priority", Number),
            ("lease", Text),
            ("expires_at", Number),
            ("voids", Number),
            ("not_by", Text),
        ],
    },
    Table {
        name: "leases",
        columns: &[
            ("token", Text),
            ("tournament", Text),
            ("generation", Number),
            ("block", Number),
            ("worker", Text),
            ("claimed_at", Number),
            ("ended_at", Number),
            ("outcome", Text),
            ("games", Number),
            ("voids", Number),
        ],
    },
    Table {
        name: "workers",
        columns: &[("name", Text), ("first_seen", Number), ("last_seen", Number), ("about", Text)],
    },
    Table {
        name: "introductions",
        columns: &[("worker", Text), ("number", Number), ("at", Number), ("about", Text)],
    },
    Table {
        name: "games",
        columns: &[
            ("tournament", Text),
            ("generation", Number),
            ("block", Number),
            ("rotation", Number),
            ("id", Number),
            ("seats", Text),
            ("points", Text),
            ("places", Text),
            ("turns", Number),
            ("uses", Text),
            ("faults", Text),
            ("replay", Number),
            ("attempts", Number),
            ("worker", Text),
            ("introduction", Number),
        ],
    },
    Table {
        name: "generations",
        columns: &[
            ("tournament", Text),
            ("number", Number),
            ("at", Number),
            ("reason", Text),
            ("state", Text),
        ],
    },
    Table {
        name: "audit",
        columns: &[
            ("tournament", Text),
            ("number", Number),
            ("at", Number),
            ("what", Text),
            ("detail", Text),
        ],
    },
    Table {
        name: "contents",
        columns: &[("digest", Text), ("size", Number), ("added_at", Number)],
    },
    Table { name: "blobs", columns: &[("digest", Text), ("part", Number), ("bytes", Bytes)] },
    Table { name: "files", columns: &[("tournament", Text), ("name", Text), ("digest", Text)] },
];

/// What was copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// The number of tournaments.
    pub tournaments: u64,
    /// The number of games.
    pub games: u64,
    /// The number of files.
    pub files: u64,
}

impl Queue {
    /// Copies everything to another queue, which must be empty: all or nothing. Leases are copied too;
    /// those that their workers do not renew there expire.
    ///
    /// # Errors
    ///
    /// The other queue has tournaments; errors of the databases.
    pub fn copy_to(&self, to: &Queue) -> Result<Copied, StoreError> {
        self.transaction(|from| {
            if !self.dialect.snapshot.is_empty() {
                from.script(self.dialect.snapshot)?;
            }
            to.transaction(|to| copy_all(from, to))
        })
    }
}

fn copy_all(from: &mut dyn Statements, to: &mut dyn Statements) -> Result<Copied, StoreError> {
    if to.number("SELECT COUNT(*) FROM tournaments", &[])? > 0 {
        return Err(StoreError::Refused(
            "the store to copy to has tournaments already: copy to an empty one".to_string(),
        ));
    }
    let mut copied = Copied::default();
    for table in &TABLES {
        let rows = table.copy(from, to)?;
        match table.name {
            "tournaments" => copied.tournaments = rows,
            "games" => copied.games = rows,
            "files" => copied.files = rows,
            _ => {}
        }
    }
    Ok(copied)
}

impl Table {
    /// Copies all rows. Returns how many there are.
    fn copy(&self, from: &mut dyn Statements, to: &mut dyn Statements) -> Result<u64, StoreError> {
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
        let select = format!("SELECT {} FROM {}", names.join(", "), self.name);
        // Content is not collected: it may be large.
        let together = if self.columns.iter().any(|(_, kind)| *kind == Bytes) { 1 } else { ROWS };
        let mut copied = 0;
        let mut values: Vec<Cell> = Vec::new();
        from.query(&select, &[], &mut |row| {
            values.extend(row);
            copied += 1;
            if values.len() >= together * names.len() {
                self.insert(to, &mut values)?;
            }
            Ok(())
        })?;
        self.insert(to, &mut values)?;
        Ok(copied)
    }

    /// Adds the rows with these values, and removes the values.
    fn insert(&self, to: &mut dyn Statements, values: &mut Vec<Cell>) -> Result<(), StoreError> {
        let width = self.columns.len();
        if values.is_empty() {
            return Ok(());
        }
        let place = |index: usize, kind: Kind| match kind {
            Number => format!("CAST(${index} AS BIGINT)"),
            Text | Bytes => format!("${index}"),
        };
        let row = |row: usize| {
            let places = (row * width + 1..).zip(self.columns);
            let places: Vec<String> =
                places.map(|(index, (_, kind))| place(index, *kind)).collect();
            format!("({})", places.join(", "))
        };
        let rows: Vec<String> = (0..values.len() / width).map(row).collect();
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
        to.execute(
            &format!("INSERT INTO {}({}) VALUES {}", self.name, names.join(", "), rows.join(", ")),
            values,
        )?;
        values.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A column or table that is added to the migrations must be added here.
    #[test]
    fn all_columns_of_all_tables_are_copied() {
        let directory = tempfile::tempdir().unwrap();
        let queue = Queue::open(&crate::Address::File(directory.path().join("a.db"))).unwrap();
        let found = queue
            .transaction(|statements| {
                let tables = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name";
                let mut found = Vec::new();
                for table in statements.rows(tables, &[])? {
                    let name = table[0].text().unwrap_or_default().to_string();
                    let sql = format!("SELECT name FROM pragma_table_info('{name}')");
                    let columns = statements.rows(&sql, &[])?;
                    let columns: Vec<String> =
                        columns.iter().map(|row| row[0].text().unwrap().to_string()).collect();
                    found.push((name, columns));
                }
                Ok(found)
            })
            .unwrap();
        let mut copied: Vec<(String, Vec<String>)> = TABLES
            .iter()
            .map(|table| {
                let columns = table.columns.iter().map(|(name, _)| (*name).to_string()).collect();
                (table.name.to_string(), columns)
            })
            .collect();
        copied.sort();
        assert_eq!(found, copied);
    }
}
