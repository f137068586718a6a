//! Several rows in one statement.

use botyard_league::store::Cell;

/// The most rows of a statement. A statement is prepared once for each number of rows.
pub(crate) const ROWS: usize = 32;

/// The values of rows of equal length.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    values: Vec<Cell>,
    count: usize,
}

impl Rows {
    /// Adds a row.
    pub(crate) fn add(&mut self, row: impl IntoIterator<Item = Cell>) {
        self.values.extend(row);
        self.count += 1;
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Returns the placeholders: `($1, $2), ($3, $4)` for two rows of two values.
    pub(crate) fn places(&self) -> String {
        self.places_and(&[])
    }

    /// The same with these expressions at the end of every row.
    pub(crate) fn places_and(&self, expressions: &[&str]) -> String {
        let length = self.values.len() / self.count.max(1);
        let row = |row: usize| {
            let places = (1..=length).map(|place| format!("${}", row * length + place));
            let all: Vec<String> =
                places.chain(expressions.iter().map(|&it| it.to_string())).collect();
            format!("({})", all.join(", "))
        };
        (0..self.count).map(row).collect::<Vec<_>>().join(", ")
    }

    /// Returns the values of all rows, one row after another.
    pub(crate) fn values(&self) -> &[Cell] {
        &self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_number_the_values_of_all_rows() {
        let mut rows = Rows::default();
        for row in [["a", "b"], ["c", "d"]] {
            rows.add(row.map(Cell::from));
        }
        assert_eq!(rows.places(), "($1, $2), ($3, $4)");
        assert_eq!(rows.places_and(&["now()"]), "($1, $2, now()), ($3, $4, now())");
        assert_eq!(rows.values().len(), 4);
    }
}
