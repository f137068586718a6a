//! Tickets, the means of transport that edges of the board belong to, and the number of tickets
//! that a player has.

#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::fmt;

/// A ticket, as shown in the travel log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Ticket {
    /// Pays for an edge of kind taxi.
    Taxi,
    /// Pays for an edge of kind bus.
    Bus,
    /// Pays for an edge of kind underground.
    Underground,
    /// Only Mr. X has it. Pays for any edge, including ferries, and hides its kind.
    Black,
}

impl Ticket {
    /// The tickets that a detective may have, in the order in which actions are listed.
    pub const FARES: [Ticket; 3] = [Ticket::Taxi, Ticket::Bus, Ticket::Underground];

    /// Returns the word used in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Ticket::Taxi => "taxi",
            Ticket::Bus => "bus",
            Ticket::Underground => "underground",
            Ticket::Black => "black",
        }
    }

    /// Returns the kinds of edges that this ticket pays for.
    pub const fn pays_for(self) -> Kinds {
        match self {
            Ticket::Taxi => Kinds::only(Transport::Taxi),
            Ticket::Bus => Kinds::only(Transport::Bus),
            Ticket::Underground => Kinds::only(Transport::Underground),
            Ticket::Black => Kinds::ALL,
        }
    }
}

impl fmt::Display for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The kind of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Transport {
    /// Yellow lines of the map; every step on a grid.
    Taxi,
    /// Green lines.
    Bus,
    /// Red lines.
    Underground,
    /// The line along the Thames; only a black ticket pays for it.
    Ferry,
}

impl Transport {
    /// Every kind of edge.
    pub const ALL: [Transport; 4] =
        [Transport::Taxi, Transport::Bus, Transport::Underground, Transport::Ferry];

    /// Returns the word used in JSON and in the data files.
    pub const fn name(self) -> &'static str {
        match self {
            Transport::Taxi => "taxi",
            Transport::Bus => "bus",
            Transport::Underground => "underground",
            Transport::Ferry => "ferry",
        }
    }

    /// Returns the ticket that pays for this kind only; black for a ferry.
    #[inline]
    pub const fn ticket(self) -> Ticket {
        match self {
            Transport::Taxi => Ticket::Taxi,
            Transport::Bus => Ticket::Bus,
            Transport::Underground => Ticket::Underground,
            Transport::Ferry => Ticket::Black,
        }
    }
}

/// A set of kinds of edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kinds(u8);

impl Kinds {
    /// No kind.
    pub const NONE: Kinds = Kinds(0);
    /// The kinds that taxi, bus and underground tickets pay for together.
    pub const FARES: Kinds = Kinds(0b0111);
    /// Every kind, including ferries.
    pub const ALL: Kinds = Kinds(0b1111);
    /// The number of sets; [`Kinds::bits`] is below it.
    pub const COUNT: usize = 16;

    /// This kind alone.
    #[inline]
    pub const fn only(kind: Transport) -> Kinds {
        Kinds(1 << kind as u8)
    }

    /// Returns the set with these [`Kinds::bits`]; undefined bits are dropped.
    #[inline]
    pub const fn from_bits(bits: u8) -> Kinds {
        Kinds(bits & Kinds::ALL.0)
    }

    /// Returns a bit for each kind, in the order of [`Transport::ALL`].
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Returns whether `kind` is in the set.
    #[inline]
    pub const fn has(self, kind: Transport) -> bool {
        self.0 >> kind as u8 & 1 != 0
    }

    /// Returns the union of two sets.
    #[inline]
    pub const fn with(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }
}

/// Numbers of tickets, without black ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tickets {
    /// Taxi tickets.
    pub taxi: u16,
    /// Bus tickets.
    pub bus: u16,
    /// Underground tickets.
    pub underground: u16,
}

impl Tickets {
    /// The largest number of tickets of a kind in rules and openings.
    pub const MOST: u16 = 999;

    /// Makes a set of tickets from the number of each kind.
    #[inline]
    pub const fn new(taxi: u16, bus: u16, underground: u16) -> Tickets {
        Tickets { taxi, bus, underground }
    }

    /// Returns the number of tickets of this kind; 0 for black, which is counted elsewhere.
    #[inline]
    pub const fn count(self, ticket: Ticket) -> u16 {
        match ticket {
            Ticket::Taxi => self.taxi,
            Ticket::Bus => self.bus,
            Ticket::Underground => self.underground,
            Ticket::Black => 0,
        }
    }

    /// Returns the number of all tickets.
    #[inline]
    pub const fn total(self) -> u32 {
        self.taxi as u32 + self.bus as u32 + self.underground as u32
    }

    #[inline]
    fn slot(&mut self, ticket: Ticket) -> Option<&mut u16> {
        match ticket {
            Ticket::Taxi => Some(&mut self.taxi),
            Ticket::Bus => Some(&mut self.bus),
            Ticket::Underground => Some(&mut self.underground),
            Ticket::Black => None,
        }
    }

    /// Returns the kinds of edges that these tickets pay for.
    #[inline]
    pub const fn kinds(self) -> Kinds {
        Kinds(
            (self.taxi > 0) as u8
                | ((self.bus > 0) as u8) << 1
                | ((self.underground > 0) as u8) << 2,
        )
    }
}

impl fmt::Display for Tickets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.taxi, self.bus, self.underground)
    }
}

/// The tickets that a player has: limited numbers, or unlimited.
///
/// In JSON `"unlimited"` or `{"taxi": 11, "bus": 8, "underground": 4}`; `"11/8/4"` and `null` (for
/// unlimited) are read too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Allowance {
    /// Never runs out.
    Unlimited,
    /// These tickets.
    Limited(Tickets),
}

impl Allowance {
    /// Makes an allowance from the number of each kind.
    pub const fn limited(taxi: u16, bus: u16, underground: u16) -> Allowance {
        Allowance::Limited(Tickets::new(taxi, bus, underground))
    }

    /// Returns the numbers, or `None` if unlimited.
    #[inline]
    pub const fn tickets(self) -> Option<Tickets> {
        match self {
            Allowance::Unlimited => None,
            Allowance::Limited(tickets) => Some(tickets),
        }
    }

    /// Returns the kinds of edges that these tickets pay for.
    #[inline]
    pub const fn kinds(self) -> Kinds {
        match self {
            Allowance::Unlimited => Kinds::FARES,
            Allowance::Limited(tickets) => tickets.kinds(),
        }
    }

    /// Returns whether there is a ticket of this kind; never for black, which is counted elsewhere.
    #[inline]
    pub const fn has(self, ticket: Ticket) -> bool {
        match (self, ticket) {
            (_, Ticket::Black) => false,
            (Allowance::Unlimited, _) => true,
            (Allowance::Limited(tickets), _) => tickets.count(ticket) > 0,
        }
    }

    /// Removes one ticket, unless unlimited.
    #[inline]
    pub(super) fn spend(&mut self, ticket: Ticket) {
        if let Allowance::Limited(tickets) = self
            && let Some(count) = tickets.slot(ticket)
        {
            *count = count.saturating_sub(1);
        }
    }

    /// Adds one ticket, unless unlimited.
    #[inline]
    pub(super) fn receive(&mut self, ticket: Ticket) {
        if let Allowance::Limited(tickets) = self
            && let Some(count) = tickets.slot(ticket)
        {
            *count = count.saturating_add(1);
        }
    }
}

impl From<Option<Tickets>> for Allowance {
    fn from(tickets: Option<Tickets>) -> Allowance {
        tickets.map_or(Allowance::Unlimited, Allowance::Limited)
    }
}

impl fmt::Display for Allowance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Allowance::Unlimited => f.write_str("unlimited"),
            Allowance::Limited(tickets) => tickets.fmt(f),
        }
    }
}

impl Serialize for Allowance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Allowance::Unlimited => serializer.serialize_str("unlimited"),
            Allowance::Limited(tickets) => tickets.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Allowance {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Allowance, D::Error> {
        let expected = "expected \"unlimited\", \"TAXI/BUS/UNDERGROUND\" such as \"11/8/4\", or \
                        {\"taxi\": 11, \"bus\": 8, \"underground\": 4}";
        match Value::deserialize(deserializer)? {
            Value::Null => Ok(Allowance::Unlimited),
            Value::String(text) if text == "unlimited" => Ok(Allowance::Unlimited),
            Value::String(text) => {
                let counts: Option<Vec<u16>> =
                    text.split('/').map(|count| count.trim().parse().ok()).collect();
                match counts.as_deref() {
                    Some(&[taxi, bus, underground]) => {
                        Ok(Allowance::limited(taxi, bus, underground))
                    }
                    _ => {
                        Err(D::Error::custom(format!("{text:?} does not name tickets; {expected}")))
                    }
                }
            }
            object @ Value::Object(_) => Tickets::deserialize(object)
                .map(Allowance::Limited)
                .map_err(|error| D::Error::custom(format!("{error}; {expected}"))),
            other => Err(D::Error::custom(format!("{other} does not name tickets; {expected}"))),
        }
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for Allowance {
    fn schema_name() -> Cow<'static, str> {
        "Allowance".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let tickets = generator.subschema_for::<Tickets>();
        json_schema!({
            "description": "The tickets that a player has: limited numbers, or unlimited.",
            "oneOf": [{ "const": "unlimited" }, tickets]
        })
    }
}
