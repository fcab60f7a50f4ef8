//! Automatic differentiation tape: records how each value of an evaluation was computed from the weights.
//!
//! Every operation appends an entry to the tape. A [`TracedValue`] is a value with the index of its entry. (Reverse
//! automatic differentiation, restricted to the operations of the classical evaluation.)

use std::cell::RefCell;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use gaur::eval::classical::{Tapered, Value};

/// A value and the index of its entry on the tape, valid while that tape records.
#[derive(Clone, Copy, Debug)]
pub(super) struct TracedValue {
    value: Tapered,
    entry: EntryIndex,
}

type EntryIndex = u32;

/// An operation whose result is a value.
#[derive(Clone, Copy, Debug)]
enum Entry {
    /// The constant 0.
    Zero,
    /// A weight, by its number.
    Weight(u16),
    /// The first value plus a multiple of the second one.
    Sum(EntryIndex, EntryIndex, i32),
    /// The danger to a king.
    Danger(DangerOperands),
}

/// Operands of [`Value::danger`].
#[derive(Clone, Copy, Debug)]
pub(super) struct DangerOperands {
    pub(super) units: TracedValue,
    pub(super) per_cover: TracedValue,
    pub(super) cover: TracedValue,
}

/// Index of the entry [`Entry::Zero`] on every tape.
const ZERO: EntryIndex = 0;

thread_local! {
    /// The tape that records in this thread. Operators such as `+` have no parameter for it.
    static RECORDING: RefCell<Vec<Entry>> = const { RefCell::new(Vec::new()) };
}

/// A tape: the operations in the order in which they were carried out.
pub(super) struct Tape(Vec<Entry>);

impl Tape {
    /// Creates a tape that contains the constant 0 only.
    pub(super) fn new() -> Tape {
        Tape(vec![Entry::Zero])
    }

    /// Calls `work` and records its operations.
    pub(super) fn record<T>(&mut self, work: impl FnOnce() -> T) -> T {
        RECORDING.with_borrow_mut(|recording| std::mem::swap(recording, &mut self.0));
        let result = work();
        RECORDING.with_borrow_mut(|recording| std::mem::swap(recording, &mut self.0));
        result
    }

    /// Returns the number of entries.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Removes the entries from index `len` on. Their values become invalid.
    pub(super) fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }
}

/// Appends an entry to the recording tape.
fn append(value: Tapered, entry: Entry) -> TracedValue {
    RECORDING.with_borrow_mut(|tape| {
        tape.push(entry);
        TracedValue {
            value,
            entry: (tape.len() - 1) as EntryIndex,
        }
    })
}

impl TracedValue {
    /// Returns the weight with this number.
    pub(super) fn weight(value: Tapered, number: u16) -> TracedValue {
        append(value, Entry::Weight(number))
    }

    /// Calls `weight` with the number and the factor of each weight in the sum that this value is, and `danger` with
    /// the operands and the factor of each danger. One weight may occur several times.
    pub(super) fn visit(
        self,
        mut weight: impl FnMut(u16, i32),
        mut danger: impl FnMut(DangerOperands, i32),
    ) {
        RECORDING.with_borrow(|tape| {
            let mut open = vec![(self.entry, 1)];
            while let Some((entry, factor)) = open.pop() {
                match tape[entry as usize] {
                    Entry::Zero => {}
                    Entry::Weight(number) => weight(number, factor),
                    Entry::Sum(one, other, multiple) => {
                        open.push((one, factor));
                        open.push((other, factor * multiple));
                    }
                    Entry::Danger(operands) => danger(operands, factor),
                }
            }
        });
    }
}

impl Value for TracedValue {
    const ZERO: TracedValue = TracedValue {
        value: Tapered::ZERO,
        entry: ZERO,
    };
    const IS_CACHEABLE: bool = false;

    fn value(self) -> Tapered {
        self.value
    }

    fn danger(units: TracedValue, per_cover: TracedValue, cover: TracedValue) -> TracedValue {
        let value = Tapered::danger(units.value, per_cover.value, cover.value);
        let operands = DangerOperands {
            units,
            per_cover,
            cover,
        };
        append(value, Entry::Danger(operands))
    }
}

impl Add for TracedValue {
    type Output = TracedValue;

    fn add(self, other: TracedValue) -> TracedValue {
        append(
            self.value + other.value,
            Entry::Sum(self.entry, other.entry, 1),
        )
    }
}

impl AddAssign for TracedValue {
    fn add_assign(&mut self, other: TracedValue) {
        *self = *self + other;
    }
}

impl Sub for TracedValue {
    type Output = TracedValue;

    fn sub(self, other: TracedValue) -> TracedValue {
        append(
            self.value - other.value,
            Entry::Sum(self.entry, other.entry, -1),
        )
    }
}

impl Neg for TracedValue {
    type Output = TracedValue;

    fn neg(self) -> TracedValue {
        append(-self.value, Entry::Sum(ZERO, self.entry, -1))
    }
}

impl Mul<usize> for TracedValue {
    type Output = TracedValue;

    fn mul(self, times: usize) -> TracedValue {
        append(
            self.value * times,
            Entry::Sum(ZERO, self.entry, times as i32),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visit_returns_every_weight_with_its_factor() {
        let mut tape = Tape::new();
        let mut factors = [0; 2];
        let mut dangers = Vec::new();
        tape.record(|| {
            let [one, other] = [7, -4].map(|value| Tapered::new(value, 2 * value));
            let [one, other] = [TracedValue::weight(one, 0), TracedValue::weight(other, 1)];
            let sum = one * 3 - (other + one) - -other * 5;
            assert_eq!(sum.value(), Tapered::new(-2, -4));
            let danger = TracedValue::danger(one, other, TracedValue::ZERO);
            let visit = |number: u16, factor| factors[usize::from(number)] += factor;
            (sum - danger).visit(visit, |operands, factor| {
                dangers.push((operands.units.value(), factor));
            });
        });
        assert_eq!(factors, [2, 4]);
        assert_eq!(dangers, [(Tapered::new(7, 14), -1)]);
    }

    #[test]
    fn a_truncated_tape_records_again() {
        let mut tape = Tape::new();
        let len = tape.len();
        for _ in 0..2 {
            let value = Tapered::new(1, 1);
            let weight = tape.record(|| TracedValue::weight(value, 3) + TracedValue::ZERO);
            assert_eq!((weight.value(), tape.len()), (value, len + 2));
            tape.truncate(len);
        }
    }
}
