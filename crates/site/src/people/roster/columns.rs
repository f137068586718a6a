//! The columns of a roster, by the headings that grade books and spreadsheets give them: those of Botyard, of Moodle's
//! and Canvas's exports, and of Moodle in the languages of its neighbours.

use super::damage::folded;

/// What a column has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    /// The ID in a grade book.
    Id,
    /// The whole name.
    Name,
    /// The first names.
    First,
    /// The last name.
    Last,
    /// The email address.
    Email,
    /// The group of the course.
    Section,
    /// The team.
    Team,
    /// The role.
    Role,
}

/// The headings of each column, the best one first: of two that a file has, the first counts.
const HEADINGS: [(Column, &[&str]); 8] = [
    (
        Column::Id,
        &[
            "student id",
            "sis user id",
            "id number",
            "idnumber",
            "id-nummer",
            "matrikelnummer",
            "identifikační číslo",
            "osobní číslo",
            "numéro d'identification",
            "número de id",
            "codice identificativo",
            "numer id",
            "student number",
            "id",
        ],
    ),
    (Column::Name, &["name", "full name", "student", "jméno a příjmení", "vollständiger name"]),
    (
        Column::First,
        &[
            "first name",
            "firstname",
            "first",
            "vorname",
            "křestní jméno",
            "jméno",
            "prénom",
            "nombre",
            "imię",
            "nome",
        ],
    ),
    (
        Column::Last,
        &[
            "last name",
            "lastname",
            "surname",
            "last",
            "nachname",
            "příjmení",
            "nom de famille",
            "nom",
            "apellido(s)",
            "apellidos",
            "nazwisko",
            "cognome",
        ],
    ),
    (
        Column::Email,
        &[
            "email",
            "email address",
            "e-mail",
            "e-mail address",
            "e-mail-adresse",
            "e-mailová adresa",
            "adresse de courriel",
            "correo electrónico",
            "dirección de correo",
            "indirizzo email",
            "adres e-mail",
            "sis login id",
        ],
    ),
    (
        Column::Section,
        &[
            "group", "groups", "section", "gruppe", "gruppen", "skupina", "skupiny", "groupes",
            "grupos", "gruppi", "grupy",
        ],
    ),
    (Column::Team, &["team", "tým"]),
    (Column::Role, &["role", "rolle"]),
];

/// A column of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// What it has.
    pub column: Column,
    /// Its number, from 0.
    pub at: usize,
    /// Its heading in the file.
    pub heading: String,
}

/// The columns of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Columns {
    /// Those that are read.
    pub read: Vec<Place>,
    /// The headings of the others.
    pub ignored: Vec<String>,
    /// Whether the file is an export of Canvas, which has more rows than people.
    pub is_canvas: bool,
}

impl Columns {
    /// Finds the columns of a header in this row of a file.
    ///
    /// # Errors
    ///
    /// There is none for the ID or for the name, or two have the same heading.
    pub(super) fn of(header: &[&str], row: u64) -> Result<Columns, String> {
        let plain: Vec<String> =
            header.iter().map(|heading| folded(heading).replace(['_', '’'], " ")).collect();
        let mut read: Vec<Place> = Vec::new();
        for (column, headings) in HEADINGS {
            let Some(found) =
                headings.iter().find(|heading| plain.iter().any(|its| its == *heading))
            else {
                continue;
            };
            let places: Vec<usize> = (0..plain.len()).filter(|&at| plain[at] == *found).collect();
            if let [_, second, ..] = places[..] {
                return Err(format!(
                    "row {row}: two columns have the heading {:?}",
                    header[second]
                ));
            }
            read.push(Place { column, at: places[0], heading: header[places[0]].to_string() });
        }
        let has = |column| read.iter().any(|place| place.column == column);
        let mut missing = Vec::new();
        if !has(Column::Id) {
            missing
                .push("the ID (\"student_id\", Moodle's \"ID number\", Canvas's \"SIS User ID\")");
        }
        let is_named = has(Column::Name) || has(Column::First) && has(Column::Last);
        if !is_named {
            missing.push("the name (\"name\", or \"First name\" and \"Last name\")");
        }
        if !missing.is_empty() {
            let found: Vec<String> = header.iter().map(|heading| format!("{heading:?}")).collect();
            return Err(format!(
                "row {row}: expected a header with a column for {}, got {}",
                missing.join(" and for "),
                if found.is_empty() { "an empty file".into() } else { found.join(", ") }
            ));
        }
        if has(Column::Name) {
            read.retain(|place| !matches!(place.column, Column::First | Column::Last));
        }
        let is_read = |at: usize| read.iter().any(|place| place.at == at);
        let ignored = (0..header.len()).filter(|&at| !is_read(at) && !header[at].is_empty());
        let ignored = ignored.map(|at| header[at].to_string()).collect();
        let is_canvas =
            plain.iter().any(|it| it == "student") && plain.iter().any(|it| it == "sis user id");
        Ok(Columns { ignored, is_canvas, read })
    }

    /// Returns the place of a column, if the file has it.
    pub(super) fn find(&self, column: Column) -> Option<&Place> {
        self.read.iter().find(|place| place.column == column)
    }

    /// Returns the number of values that a row has at least.
    pub(super) fn least(&self) -> usize {
        self.read.iter().map(|place| place.at + 1).max().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(header: &str) -> Result<String, String> {
        let header: Vec<&str> = header.split(',').collect();
        let columns = Columns::of(&header, 1)?;
        let read = columns.read.iter().map(|place| format!("{:?}:{}", place.column, place.at));
        Ok(format!("{} / {}", read.collect::<Vec<_>>().join(" "), columns.ignored.join(" ")))
    }

    #[test]
    fn exports_of_grade_books_are_understood() {
        for (header, expected) in [
            (
                "student_id,name,email,group,team,role",
                "Id:0 Name:1 Email:2 Section:3 Team:4 Role:5 / ",
            ),
            (
                "First name,Last name,ID number,Institution,Department,Email address,Quiz 1",
                "Id:2 First:0 Last:1 Email:5 / Institution Department Quiz 1",
            ),
            (
                "Vorname,Nachname,ID-Nummer,E-Mail-Adresse,Gruppen",
                "Id:2 First:0 Last:1 Email:3 Section:4 / ",
            ),
            ("Student,ID,SIS User ID,SIS Login ID,Section", "Id:2 Name:0 Email:3 Section:4 / ID"),
            ("KŘESTNÍ JMÉNO,Příjmení,Identifikační číslo", "Id:2 First:0 Last:1 / "),
        ] {
            assert_eq!(of(header).as_deref(), Ok(expected), "{header}");
        }
        let refused = of("matricule,nom").expect_err("no ID");
        assert!(
            refused.contains("a column for the ID (") && refused.contains("\"matricule\""),
            "{refused}"
        );
        assert!(
            of("id,name,name")
                .is_err_and(|it| it.contains("two columns have the heading \"name\""))
        );
    }
}
