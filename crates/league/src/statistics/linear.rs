//! Linear algebra for maximum likelihood: a symmetric positive definite matrix, its Cholesky
//! factor, and the solution of linear systems.

/// A symmetric matrix, stored as its lower triangle, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Symmetric {
    size: usize,
    lower: Vec<f64>,
}

/// The lower triangular matrix whose product with its transpose is a [`Symmetric`] matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Cholesky(Symmetric);

impl Symmetric {
    /// Returns the zero matrix with this number of rows.
    pub(super) fn zero(size: usize) -> Symmetric {
        Symmetric { size, lower: vec![0.0; size * (size + 1) / 2] }
    }

    /// Adds to the entry in `row` and `column`, and to its mirror image.
    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        let (row, column) = (row.max(column), row.min(column));
        self.lower[row * (row + 1) / 2 + column] += value;
    }

    /// Returns the diagonal.
    pub(super) fn diagonal(&self) -> Vec<f64> {
        (0..self.size).map(|row| self.row(row)[row]).collect()
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.lower[row * (row + 1) / 2..][..=row]
    }

    /// Returns the Cholesky factor; `None` if the matrix is not numerically positive definite.
    pub(super) fn cholesky(mut self) -> Option<Cholesky> {
        for row in 0..self.size {
            for column in 0..=row {
                let shared: f64 = self.row(row)[..column]
                    .iter()
                    .zip(&self.row(column)[..column])
                    .map(|(a, b)| a * b)
                    .sum();
                let rest = self.row(row)[column] - shared;
                let entry = if column < row {
                    rest / self.row(column)[column]
                } else if rest > 0.0 && rest.is_finite() {
                    rest.sqrt()
                } else {
                    return None;
                };
                self.lower[row * (row + 1) / 2 + column] = entry;
            }
        }
        Some(Cholesky(self))
    }
}

impl Cholesky {
    /// Solves `A x = b` in place: replaces `b` by `x`, where `A` is the factored matrix.
    pub fn solve(&self, b: &mut [f64]) {
        for row in 0..self.0.size {
            let entries = self.0.row(row);
            let known: f64 = entries[..row].iter().zip(&*b).map(|(a, x)| a * x).sum();
            b[row] = (b[row] - known) / entries[row];
        }
        for row in (0..self.0.size).rev() {
            let entries = self.0.row(row);
            b[row] /= entries[row];
            let value = b[row];
            for (rest, entry) in b.iter_mut().zip(&entries[..row]) {
                *rest -= entry * value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_solved_and_an_indefinite_matrix_refused() {
        let entries = [[4.0, 2.0, 0.6], [2.0, 5.0, 1.0], [0.6, 1.0, 3.0]];
        let mut matrix = Symmetric::zero(3);
        for (row, values) in entries.iter().enumerate() {
            (0..=row).for_each(|column| matrix.add(row, column, values[column]));
        }
        let mut x = [1.0, -2.0, 0.5];
        let b = x;
        matrix.clone().cholesky().unwrap().solve(&mut x);
        for (row, values) in entries.iter().enumerate() {
            let product: f64 = values.iter().zip(&x).map(|(a, x)| a * x).sum();
            assert!((product - b[row]).abs() < 1e-12, "{x:?}");
        }
        assert_eq!(matrix.diagonal(), [4.0, 5.0, 3.0]);
        matrix.add(2, 2, -3.0);
        assert_eq!(matrix.cholesky(), None);
    }
}
