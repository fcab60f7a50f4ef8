//! The date and the time of the system's clock.

use std::time::{Duration, SystemTime};

/// Seconds from the beginning of 1970 to the end of the year 9999, the last one that can be written with four digits.
const SECONDS_TO_YEAR_10000: u64 = 253_402_300_800;

/// Returns the time of the system's clock, which a person or an empty battery may have set to any year. Times before
/// 1970 and after 9999, which cannot be formatted, become the nearest ones that can.
pub fn now() -> SystemTime {
    clamped(SystemTime::now())
}

fn clamped(time: SystemTime) -> SystemTime {
    let last = Duration::new(SECONDS_TO_YEAR_10000 - 1, 999_999_999);
    time.clamp(SystemTime::UNIX_EPOCH, SystemTime::UNIX_EPOCH + last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_time_can_be_formatted() {
        let day = Duration::from_secs(24 * 60 * 60);
        let epoch = SystemTime::UNIX_EPOCH;
        for (time, expected) in [
            (epoch - 100 * 365 * day, "1970-01-01T00:00:00.000Z"),
            (
                epoch - Duration::from_nanos(100),
                "1970-01-01T00:00:00.000Z",
            ),
            (epoch, "1970-01-01T00:00:00.000Z"),
            (epoch + 20_000 * day, "2024-10-04T00:00:00.000Z"),
            (epoch + 2_932_897 * day, "9999-12-31T23:59:59.999Z"),
            (epoch + 10_000 * 365 * day, "9999-12-31T23:59:59.999Z"),
        ] {
            let text = humantime::format_rfc3339_millis(clamped(time)).to_string();
            assert_eq!(text, expected, "{time:?}");
        }
    }
}
