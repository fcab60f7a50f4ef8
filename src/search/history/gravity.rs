//! Update rule of all history tables.

/// Adds a bonus to an entry, or subtracts a malus if it is negative, with gravity:
///
/// ```text
/// entry += bonus - entry * |bonus| / MAX
/// ```
///
/// The bonus is clamped to ±`MAX`. Gravity keeps the entry within ±`MAX`: the closer it is to the limit, the less a
/// further bonus of the same sign adds. Newer results thereby outweigh older ones.
#[inline]
pub(super) fn add_with_gravity<const MAX: i32>(entry: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-MAX, MAX);
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / MAX) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX: i32 = 16_384;

    #[test]
    fn entries_stay_in_range() {
        let mut entry = 0;
        for _ in 0..1000 {
            add_with_gravity::<MAX>(&mut entry, 30_000);
            assert!(i32::from(entry) <= MAX);
        }
        assert!(i32::from(entry) > MAX / 2);
        for _ in 0..1000 {
            add_with_gravity::<MAX>(&mut entry, -1500);
            assert!(i32::from(entry) >= -MAX);
        }
        assert!(i32::from(entry) < -MAX / 2);
    }

    #[test]
    fn a_bonus_adds_less_near_the_limit() {
        let added = |old: i16, bonus| {
            let mut entry = old;
            add_with_gravity::<1024>(&mut entry, bonus);
            entry - old
        };
        assert_eq!(added(0, 256), 256);
        assert_eq!(added(512, 256), 128);
        assert_eq!(added(1024, 256), 0);
        assert_eq!(added(-512, 256), 384);
        assert_eq!(added(512, -256), -384);
        assert_eq!(added(0, 5000), 1024);
    }
}
