//! NumPy's file format for one array (`.npy`, version 1.0 of `numpy.lib.format`), written row by row:
//! the number of rows is entered at the end.

use std::io::{self, Seek, SeekFrom, Write};

/// The bytes of a file before its data; the header's text is padded to them. A multiple of 64, as
/// readers that map files expect.
const HEADER: usize = 128;

/// Writes an array with any number of rows.
pub(crate) struct NpyWriter<W> {
    out: W,
    /// NumPy's name of the type, such as `|u1`.
    kind: &'static str,
    /// The numbers in a row; `None` for an array of one dimension.
    columns: Option<usize>,
    rows: u64,
}

impl<W: Write + Seek> NpyWriter<W> {
    pub(crate) fn new(
        mut out: W,
        kind: &'static str,
        columns: Option<usize>,
    ) -> io::Result<NpyWriter<W>> {
        out.write_all(&[0; HEADER])?;
        Ok(NpyWriter { out, kind, columns, rows: 0 })
    }

    /// Appends rows: `bytes` are all their numbers.
    pub(crate) fn append(&mut self, rows: u64, bytes: &[u8]) -> io::Result<()> {
        self.rows += rows;
        self.out.write_all(bytes)
    }

    /// Completes the header.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        let shape = match self.columns {
            Some(columns) => format!("({}, {columns})", self.rows),
            None => format!("({},)", self.rows),
        };
        let kind = self.kind;
        let text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
        let header = *b"\x93NUMPY\x01\x00";
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&header)?;
        let length = HEADER - header.len() - 2;
        self.out.write_all(&(length as u16).to_le_bytes())?;
        // The text ends in a line feed.
        writeln!(self.out, "{text:<0$}", length - 1)?;
        self.out.flush()?;
        Ok(self.out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn an_array_is_a_padded_header_and_its_numbers() {
        let mut writer = NpyWriter::new(Cursor::new(Vec::new()), "<u2", Some(3)).unwrap();
        writer.append(2, &[1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0]).unwrap();
        let bytes = writer.finish().unwrap().into_inner();
        assert_eq!(&bytes[..10], b"\x93NUMPY\x01\x00\x76\x00");
        let text = std::str::from_utf8(&bytes[10..HEADER]).unwrap();
        let expected = "{'descr': '<u2', 'fortran_order': False, 'shape': (2, 3), }";
        assert_eq!((text.trim_end(), text.ends_with(" \n")), (expected, true));
        assert_eq!(bytes[HEADER..], [1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0]);
    }
}
