//! Tables of text without lines, which read the same on a terminal, in a pipe and in an e-mail.

use comfy_table::{CellAlignment, Table, presets};

/// Makes a table with these headings and no rows. The columns for which `is_left` holds, by index,
/// are left-aligned as words are; all others are right-aligned as numbers are.
pub fn plain_table(header: &[&str], is_left: impl Fn(usize) -> bool) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((if index == 0 { 0 } else { 2 }, 0));
        if !is_left(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// Makes a table with these headings, whose first column has words and all others numbers.
pub fn table_of_numbers(header: &[&str]) -> Table {
    plain_table(header, |column| column == 0)
}

/// Formats a table, without spaces at the ends of lines.
pub fn trimmed(table: &Table) -> String {
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_string()).collect();
    lines.join("\n")
}
