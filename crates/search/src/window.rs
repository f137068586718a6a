//! The search window (Knuth and Moore 1975).

use crate::table::{Bound, Known};
use crate::value::INFINITE;

/// Values strictly between the bounds alpha and beta are needed exactly; for all others, the side
/// on which they lie is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Alpha: values at or below it fail low.
    pub low: i32,
    /// Beta: values at or above it fail high.
    pub high: i32,
}

impl Window {
    /// The full window.
    pub const FULL: Window = Window { low: -INFINITE, high: INFINITE };

    /// Returns the null window that tests whether a value is at least `high`.
    #[inline(always)]
    pub const fn null(high: i32) -> Window {
        Window { low: high - 1, high }
    }

    /// Returns the window from the other side's point of view.
    #[inline(always)]
    #[must_use]
    pub const fn turned(self) -> Window {
        Window { low: -self.high, high: -self.low }
    }

    /// Returns the window before a gain is added to the value.
    #[inline(always)]
    #[must_use]
    pub const fn less(self, gain: i32) -> Window {
        Window { low: self.low.saturating_sub(gain), high: self.high.saturating_sub(gain) }
    }

    /// Returns whether it is a null window: no value lies inside.
    #[inline(always)]
    pub const fn is_null(self) -> bool {
        self.high - self.low <= 1
    }

    /// Returns what a value returned by a fail-soft search of this window means.
    #[inline(always)]
    pub const fn bound(self, value: i32) -> Bound {
        if value >= self.high {
            Bound::Lower
        } else if value <= self.low {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }

    /// Returns whether a table value with this bound causes a cutoff.
    #[inline(always)]
    pub const fn is_settled_by(self, value: i32, bound: Bound) -> bool {
        match bound {
            Bound::Exact => true,
            Bound::Lower => value >= self.high,
            Bound::Upper => value <= self.low,
        }
    }

    /// Returns whether a table entry causes a cutoff.
    #[inline(always)]
    pub(crate) const fn is_settled(self, known: Known) -> bool {
        self.is_settled_by(known.value, known.bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_inside_is_exact_and_the_others_are_bounds() {
        let window = Window { low: -3, high: 5 };
        for (value, bound) in [(-4, Bound::Upper), (-3, Bound::Upper), (-2, Bound::Exact)]
            .into_iter()
            .chain([(4, Bound::Exact), (5, Bound::Lower), (6, Bound::Lower)])
        {
            assert_eq!(window.bound(value), bound, "{value}");
            assert!(window.is_settled_by(value, bound), "{value}");
            assert!(window.turned().is_settled_by(-value, window.turned().bound(-value)));
        }
        assert!(!window.is_settled_by(4, Bound::Lower) && !window.is_settled_by(-2, Bound::Upper));
        assert!(Window::null(7).is_null() && !window.is_null());
        assert_eq!(window.less(2), Window { low: -5, high: 3 });
    }
}
