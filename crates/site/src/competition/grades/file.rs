//! Files of grades, for grade books.

use super::{Grade, Rules};

/// The form of a file of grades.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// For the import of grades into Moodle, by ID number.
    Moodle,
    /// For the import of grades into Canvas, by SIS user ID.
    Canvas,
}

/// Writes grades as CSV.
///
/// # Errors
///
/// Never for what is written to memory.
pub(crate) fn to_csv(grades: &[Grade], rules: &Rules, form: Form) -> csv::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    match form {
        Form::Moodle => {
            writer.write_record(["ID number", "Name", "Botyard", "Feedback"])?;
            for grade in grades {
                let points = grade.points.to_string();
                writer.write_record([
                    &spreadsheet_cell(&grade.student_id),
                    &spreadsheet_cell(&grade.name),
                    &points,
                    &spreadsheet_cell(&grade.reason),
                ])?;
            }
        }
        Form::Canvas => {
            writer.write_record([
                "Student",
                "ID",
                "SIS User ID",
                "SIS Login ID",
                "Section",
                "Botyard",
            ])?;
            writer.write_record(["Points Possible", "", "", "", "", &rules.cap.to_string()])?;
            for grade in grades {
                let points = grade.points.to_string();
                writer.write_record([
                    &spreadsheet_cell(&grade.name),
                    "",
                    &spreadsheet_cell(&grade.student_id),
                    "",
                    "",
                    &points,
                ])?;
            }
        }
    }
    writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))
}

/// Returns a text that no spreadsheet takes for a formula.
pub(crate) fn spreadsheet_cell(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if is_formula { format!("'{text}") } else { text.to_string() }
}
