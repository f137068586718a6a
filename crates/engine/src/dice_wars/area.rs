//! An area of the map, and sets of areas as bits.

#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::fmt;
use std::ops::{BitAnd, BitOr, Not, Sub};

/// The largest number of areas on a map.
pub const MAX_AREAS: usize = 64;

/// An area of a map. People and JSON number areas from 1, arrays and bits from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Area(u8);

impl Area {
    /// Returns the area at this index, from 0, in a list of all areas.
    ///
    /// # Panics
    ///
    /// If `index` is not below [`MAX_AREAS`].
    #[inline]
    pub const fn new(index: usize) -> Area {
        assert!(index < MAX_AREAS, "a map has at most 64 areas");
        Area(index as u8)
    }

    /// Returns the area with this number, from 1; `None` for numbers that no area can have.
    #[inline]
    pub const fn from_number(number: usize) -> Option<Area> {
        if 1 <= number && number <= MAX_AREAS { Some(Area::new(number - 1)) } else { None }
    }

    /// Returns the index in a list of all areas, from 0; below [`MAX_AREAS`].
    #[inline]
    pub const fn index(self) -> usize {
        // The mask changes nothing; it allows the compiler to omit bounds checks of arrays of 64.
        (self.0 & 63) as usize
    }

    /// Returns the number on the map, from 1.
    #[inline]
    pub const fn number(self) -> usize {
        self.index() + 1
    }

    /// Returns the first `count` areas, in order.
    #[inline]
    pub fn all(count: usize) -> impl DoubleEndedIterator<Item = Area> + ExactSizeIterator {
        (0..count).map(Area::new)
    }
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl Serialize for Area {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.0 + 1)
    }
}

impl<'de> Deserialize<'de> for Area {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Area, D::Error> {
        let number = u64::deserialize(deserializer)?;
        usize::try_from(number)
            .ok()
            .and_then(Area::from_number)
            .ok_or_else(|| D::Error::custom(format!("{number} is not an area; expected 1 to 64")))
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for Area {
    fn schema_name() -> Cow<'static, str> {
        "Area".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The number of an area, from 1.",
            "type": "integer", "minimum": 1, "maximum": MAX_AREAS
        })
    }
}

/// A set of areas, one bit each: the area with index 0 is the lowest bit.
///
/// In JSON the list of their numbers, ascending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AreaSet(u64);

impl AreaSet {
    /// The empty set.
    pub const EMPTY: AreaSet = AreaSet(0);

    /// Returns the set with these bits.
    #[inline]
    pub const fn from_bits(bits: u64) -> AreaSet {
        AreaSet(bits)
    }

    /// Returns the set as bits.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Returns the set of one area.
    #[inline]
    pub const fn of(area: Area) -> AreaSet {
        AreaSet(1 << area.index())
    }

    /// Returns the first `count` areas.
    #[inline]
    pub const fn first_areas(count: usize) -> AreaSet {
        if count >= MAX_AREAS { AreaSet(u64::MAX) } else { AreaSet((1 << count) - 1) }
    }

    /// Adds an area.
    #[inline]
    pub const fn insert(&mut self, area: Area) {
        self.0 |= 1 << area.index();
    }

    /// Removes an area.
    #[inline]
    pub const fn remove(&mut self, area: Area) {
        self.0 &= !(1 << area.index());
    }

    /// Returns whether an area is in the set.
    #[inline]
    pub const fn contains(self, area: Area) -> bool {
        self.0 >> area.index() & 1 != 0
    }

    /// Returns the union of two sets.
    #[inline]
    pub const fn union(self, other: AreaSet) -> AreaSet {
        AreaSet(self.0 | other.0)
    }

    /// Returns the intersection of two sets.
    #[inline]
    pub const fn intersection(self, other: AreaSet) -> AreaSet {
        AreaSet(self.0 & other.0)
    }

    /// Returns the areas in this set and not in the other.
    #[inline]
    pub const fn difference(self, other: AreaSet) -> AreaSet {
        AreaSet(self.0 & !other.0)
    }

    /// Returns whether the two sets have an area in common.
    #[inline]
    pub const fn intersects(self, other: AreaSet) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the number of areas in the set.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether no area is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the area with the lowest number.
    #[inline]
    pub const fn first(self) -> Option<Area> {
        if self.0 == 0 { None } else { Some(Area(self.0.trailing_zeros() as u8)) }
    }

    /// Returns the area of the set at this index, from 0, in ascending order.
    #[inline]
    pub const fn nth(self, place: usize) -> Option<Area> {
        let mut rest = self.0;
        let mut passed = 0;
        while passed < place && rest != 0 {
            rest &= rest - 1;
            passed += 1;
        }
        AreaSet(rest).first()
    }

    /// Returns the areas in ascending order.
    #[inline]
    pub const fn iter(self) -> Areas {
        Areas(self.0)
    }
}

impl BitOr for AreaSet {
    type Output = AreaSet;
    #[inline]
    fn bitor(self, other: AreaSet) -> AreaSet {
        self.union(other)
    }
}

impl BitAnd for AreaSet {
    type Output = AreaSet;
    #[inline]
    fn bitand(self, other: AreaSet) -> AreaSet {
        self.intersection(other)
    }
}

impl Sub for AreaSet {
    type Output = AreaSet;
    #[inline]
    fn sub(self, other: AreaSet) -> AreaSet {
        self.difference(other)
    }
}

impl Not for AreaSet {
    type Output = AreaSet;
    #[inline]
    fn not(self) -> AreaSet {
        AreaSet(!self.0)
    }
}

impl FromIterator<Area> for AreaSet {
    fn from_iter<T: IntoIterator<Item = Area>>(areas: T) -> AreaSet {
        areas.into_iter().fold(AreaSet::EMPTY, |set, area| set | AreaSet::of(area))
    }
}

impl IntoIterator for AreaSet {
    type Item = Area;
    type IntoIter = Areas;
    #[inline]
    fn into_iter(self) -> Areas {
        self.iter()
    }
}

impl Serialize for AreaSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for AreaSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AreaSet, D::Error> {
        struct Numbers;

        impl<'de> Visitor<'de> for Numbers {
            type Value = AreaSet;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of numbers of areas")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut numbers: A) -> Result<AreaSet, A::Error> {
                let mut set = AreaSet::EMPTY;
                while let Some(area) = numbers.next_element()? {
                    set.insert(area);
                }
                Ok(set)
            }
        }

        deserializer.deserialize_seq(Numbers)
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for AreaSet {
    fn schema_name() -> Cow<'static, str> {
        "AreaSet".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The numbers of some areas, ascending.",
            "type": "array", "items": generator.subschema_for::<Area>(), "uniqueItems": true
        })
    }
}

/// The areas of a set in ascending order: see [`AreaSet::iter`].
#[derive(Clone, Debug)]
pub struct Areas(u64);

impl Iterator for Areas {
    type Item = Area;

    #[inline]
    fn next(&mut self) -> Option<Area> {
        let area = AreaSet(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(area)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Areas {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn is_a_set(changes in proptest::collection::vec((0..MAX_AREAS, any::<bool>()), 0..200)) {
            let mut bits = AreaSet::EMPTY;
            let mut model = BTreeSet::new();
            for (index, add) in changes {
                let area = Area::new(index);
                if add {
                    bits.insert(area);
                    model.insert(area);
                } else {
                    bits.remove(area);
                    model.remove(&area);
                }
                prop_assert_eq!(bits.contains(area), add);
            }
            prop_assert_eq!(bits.len(), model.len());
            prop_assert_eq!(bits.is_empty(), model.is_empty());
            prop_assert_eq!(bits.first(), model.first().copied());
            prop_assert_eq!(bits.iter().len(), model.len());
            for place in 0..=model.len() {
                prop_assert_eq!(bits.nth(place), model.iter().nth(place).copied());
            }
            prop_assert!(bits.iter().eq(model));
            let json = serde_json::to_string(&bits).unwrap();
            prop_assert_eq!(bits, serde_json::from_str(&json).unwrap());
        }
    }

    #[test]
    fn people_count_from_one() {
        let set: AreaSet = [Area::new(33), Area::new(0)].into_iter().collect();
        assert_eq!(serde_json::to_string(&set).unwrap(), "[1,34]");
        assert_eq!(Area::from_number(64), Some(Area::new(63)));
        for no_area in ["0", "65", "-1", "1.5", "18446744073709551615", "\"1\""] {
            assert!(serde_json::from_str::<Area>(no_area).is_err(), "{no_area}");
        }
    }

    #[test]
    fn first_areas() {
        assert_eq!(AreaSet::first_areas(0), AreaSet::EMPTY);
        assert_eq!(AreaSet::first_areas(64).len(), 64);
        assert_eq!(AreaSet::first_areas(34), Area::all(34).collect());
    }
}
