//! The fields of a form or of the query of an address.

/// Names and values, as they were sent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Parses what a form or the query of an address has.
    pub(crate) fn parse(text: &[u8]) -> Fields {
        Fields(form_urlencoded::parse(text).into_owned().collect())
    }

    /// Adds a field.
    pub(crate) fn add(&mut self, name: String, value: String) {
        self.0.push((name, value));
    }

    /// Returns the value of a field without spaces around it; empty if it was not sent.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.whole(name).trim()
    }

    /// Returns the whole value of a field; empty if it was not sent.
    pub(crate) fn whole(&self, name: &str) -> &str {
        self.0.iter().find(|(its, _)| its == name).map_or("", |(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_value_of_a_name_counts() {
        let fields = Fields::parse(b"a=+1%26+&a=2&b");
        assert_eq!((fields.get("a"), fields.whole("a")), ("1&", " 1& "));
        assert_eq!((fields.get("b"), fields.get("c")), ("", ""));
    }
}
