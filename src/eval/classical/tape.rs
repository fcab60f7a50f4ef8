//! Numbers that remember how they came about, so that a tuner learns what each weight has to do with a value.
//!
//! Each operation is noted on a tape; a number is its value and its place there. (Reverse automatic differentiation,
//! as far as sums need it.)

use std::cell::RefCell;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use super::tapered::Tapered;
use super::value::Value;

/// A number and its place on the tape it was noted on; meaningful while that tape records.
#[derive(Clone, Copy, Debug)]
pub(super) struct Traced {
    value: Tapered,
    place: Place,
}

type Place = u32;

/// How a number came about.
#[derive(Clone, Copy, Debug)]
enum Note {
    Zero,
    /// The weight with this number.
    Weight(u16),
    /// One number and a multiple of another.
    Sum(Place, Place, i32),
    Danger(DangerParts),
}

/// What danger was made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct DangerParts {
    pub(super) units: Traced,
    pub(super) per_cover: Traced,
    pub(super) cover: Traced,
}

/// The place of zero on every tape.
const ZERO: Place = 0;

thread_local! {
    /// The tape that records in this thread: operators have no way to be handed one.
    static RECORDING: RefCell<Vec<Note>> = const { RefCell::new(Vec::new()) };
}

/// What was done with numbers, in order.
pub(super) struct Tape(Vec<Note>);

impl Tape {
    /// An empty tape.
    pub(super) fn new() -> Tape {
        Tape(vec![Note::Zero])
    }

    /// Notes all that `work` does with numbers.
    pub(super) fn record<T>(&mut self, work: impl FnOnce() -> T) -> T {
        RECORDING.with_borrow_mut(|recording| std::mem::swap(recording, &mut self.0));
        let result = work();
        RECORDING.with_borrow_mut(|recording| std::mem::swap(recording, &mut self.0));
        result
    }

    /// How long it is.
    pub(super) fn length(&self) -> usize {
        self.0.len()
    }

    /// Forgets all numbers that were noted after it had this length.
    pub(super) fn rewind(&mut self, length: usize) {
        self.0.truncate(length);
    }
}

fn note(value: Tapered, note: Note) -> Traced {
    RECORDING.with_borrow_mut(|tape| {
        tape.push(note);
        Traced {
            value,
            place: (tape.len() - 1) as Place,
        }
    })
}

impl Traced {
    /// The weight with this number.
    pub(super) fn weight(value: Tapered, number: u16) -> Traced {
        note(value, Note::Weight(number))
    }

    /// Shows how often each weight was added up, and each danger; the same one perhaps several times.
    pub(super) fn visit(
        self,
        mut weight: impl FnMut(u16, i32),
        mut danger: impl FnMut(DangerParts, i32),
    ) {
        RECORDING.with_borrow(|tape| {
            let mut open = vec![(self.place, 1)];
            while let Some((place, times)) = open.pop() {
                match tape[place as usize] {
                    Note::Zero => {}
                    Note::Weight(number) => weight(number, times),
                    Note::Sum(one, other, factor) => {
                        open.push((one, times));
                        open.push((other, times * factor));
                    }
                    Note::Danger(parts) => danger(parts, times),
                }
            }
        });
    }
}

impl Value for Traced {
    const ZERO: Traced = Traced {
        value: Tapered::ZERO,
        place: ZERO,
    };
    const IS_CACHEABLE: bool = false;

    fn value(self) -> Tapered {
        self.value
    }

    fn danger(units: Traced, per_cover: Traced, cover: Traced) -> Traced {
        let value = Tapered::danger(units.value, per_cover.value, cover.value);
        let parts = DangerParts {
            units,
            per_cover,
            cover,
        };
        note(value, Note::Danger(parts))
    }
}

impl Add for Traced {
    type Output = Traced;

    fn add(self, other: Traced) -> Traced {
        note(
            self.value + other.value,
            Note::Sum(self.place, other.place, 1),
        )
    }
}

impl AddAssign for Traced {
    fn add_assign(&mut self, other: Traced) {
        *self = *self + other;
    }
}

impl Sub for Traced {
    type Output = Traced;

    fn sub(self, other: Traced) -> Traced {
        note(
            self.value - other.value,
            Note::Sum(self.place, other.place, -1),
        )
    }
}

impl Neg for Traced {
    type Output = Traced;

    fn neg(self) -> Traced {
        note(-self.value, Note::Sum(ZERO, self.place, -1))
    }
}

impl Mul<usize> for Traced {
    type Output = Traced;

    fn mul(self, times: usize) -> Traced {
        note(
            self.value * times,
            Note::Sum(ZERO, self.place, times as i32),
        )
    }
}
