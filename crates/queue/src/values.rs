//! Reading rows.

use botyard_league::store::{Cell, StoreError};
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

/// Reads the columns of a row.
pub(crate) struct Columns<'a>(pub &'a [Cell]);

impl Columns<'_> {
    fn cell(&self, column: usize) -> &Cell {
        self.0.get(column).unwrap_or(&Cell::Null)
    }

    /// Returns a number of milliseconds or the like.
    pub(crate) fn integer(&self, column: usize) -> Result<i64, StoreError> {
        self.cell(column).integer().ok_or_else(|| self.damaged(column, "a whole number"))
    }

    /// Returns a number that is not negative.
    pub(crate) fn number(&self, column: usize) -> Result<u32, StoreError> {
        let number = u32::try_from(self.integer(column)?);
        number.map_err(|_| self.damaged(column, "a number that is not negative"))
    }

    /// Returns text.
    pub(crate) fn text(&self, column: usize) -> Result<String, StoreError> {
        let text = self.cell(column).text().map(str::to_string);
        text.ok_or_else(|| self.damaged(column, "text"))
    }

    /// Returns text, if there is any.
    pub(crate) fn optional_text(&self, column: usize) -> Option<String> {
        self.cell(column).text().map(str::to_string)
    }

    /// Returns a number, if there is one.
    pub(crate) fn optional_integer(&self, column: usize) -> Option<i64> {
        self.cell(column).integer()
    }

    /// Returns what the text is as JSON.
    pub(crate) fn json<T: DeserializeOwned>(&self, column: usize) -> Result<T, StoreError> {
        serde_json::from_str(&self.text(column)?).map_err(|error| {
            StoreError::Damaged(format!("column {column} of a row cannot be read: {error}"))
        })
    }

    fn damaged(&self, column: usize, expected: &str) -> StoreError {
        let found = self.cell(column);
        StoreError::Damaged(format!(
            "column {column} of a row: expected {expected}, found {found:?}"
        ))
    }
}

/// Returns a value as JSON.
pub(crate) fn json<T: serde::Serialize + ?Sized>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Host(error.to_string()))
}

/// Returns the digest of content: its SHA-256, as hexadecimal digits.
pub fn content_digest(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// Returns bytes as hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
