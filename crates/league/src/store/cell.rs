//! A value of a stored row, without the types of any database engine.

use rusqlite::ToSql;
use rusqlite::types::{ToSqlOutput, ValueRef};

/// A value of a stored row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// No value.
    Null,
    /// A whole number.
    Integer(i64),
    /// Text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

impl Cell {
    /// Returns the number, if this is one.
    pub fn integer(&self) -> Option<i64> {
        match self {
            Cell::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns the text, if this is text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Cell::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the bytes, if these are bytes.
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            Cell::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Returns whether there is no value.
    pub fn is_null(&self) -> bool {
        *self == Cell::Null
    }
}

impl From<i64> for Cell {
    fn from(number: i64) -> Cell {
        Cell::Integer(number)
    }
}

impl From<u32> for Cell {
    fn from(number: u32) -> Cell {
        Cell::Integer(number.into())
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_string())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<&String> for Cell {
    fn from(text: &String) -> Cell {
        Cell::Text(text.clone())
    }
}

impl From<Vec<u8>> for Cell {
    fn from(bytes: Vec<u8>) -> Cell {
        Cell::Bytes(bytes)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Cell {
        value.map_or(Cell::Null, Into::into)
    }
}

impl<'a> From<&'a Cell> for ValueRef<'a> {
    fn from(cell: &'a Cell) -> ValueRef<'a> {
        match cell {
            Cell::Null => ValueRef::Null,
            Cell::Integer(number) => ValueRef::Integer(*number),
            Cell::Text(text) => ValueRef::Text(text.as_bytes()),
            Cell::Bytes(bytes) => ValueRef::Blob(bytes),
        }
    }
}

impl ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(self.into()))
    }
}
