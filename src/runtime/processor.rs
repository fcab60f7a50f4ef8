//! Instruction sets that the build requires of the processor.
//!
//! A clone of the repository is built for x86-64-v2 (`.cargo/config.toml`). On an older processor such a program would
//! end with an illegal instruction, without a message.

/// A bit of the processor's answer to `cpuid` (leaf 1, register ecx), and the instruction set for which it stands.
#[cfg(target_arch = "x86_64")]
type FeatureBit = (u32, &'static str);

/// The instruction sets of x86-64-v2 that this build uses. It may not use others without a test at run time.
#[cfg(target_arch = "x86_64")]
const REQUIRED: [Option<FeatureBit>; 5] = [
    required(cfg!(target_feature = "sse3"), (0, "SSE3")),
    required(cfg!(target_feature = "ssse3"), (9, "SSSE3")),
    required(cfg!(target_feature = "sse4.1"), (19, "SSE4.1")),
    required(cfg!(target_feature = "sse4.2"), (20, "SSE4.2")),
    required(cfg!(target_feature = "popcnt"), (23, "POPCNT")),
];

#[cfg(target_arch = "x86_64")]
const fn required(is_used: bool, bit: FeatureBit) -> Option<FeatureBit> {
    if is_used { Some(bit) } else { None }
}

/// Returns an error message if the processor lacks an instruction set that this build uses everywhere.
pub fn processor_error() -> Option<String> {
    #[cfg(target_arch = "x86_64")]
    {
        let features = std::arch::x86_64::__cpuid(1).ecx;
        error(features, REQUIRED.iter().flatten())
    }
    #[cfg(not(target_arch = "x86_64"))]
    None
}

/// Returns an error message if one of the required bits is not set in `features`.
#[cfg(target_arch = "x86_64")]
fn error<'a>(features: u32, required: impl Iterator<Item = &'a FeatureBit>) -> Option<String> {
    let missing: Vec<&str> = required
        .filter(|(bit, _)| features & (1 << bit) == 0)
        .map(|(_, name)| *name)
        .collect();
    if missing.is_empty() {
        return None;
    }
    Some(format!(
        "this processor lacks {}, which this build needs; use a build for all x86-64 processors (docs/install.md)",
        missing.join(", ")
    ))
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::{error, processor_error};

    const SSE3: (u32, &str) = (0, "SSE3");
    const POPCNT: (u32, &str) = (23, "POPCNT");

    #[test]
    fn missing_instruction_sets_are_named() {
        let text = error(1, [SSE3, POPCNT].iter()).expect("POPCNT is missing");
        assert!(
            text.starts_with("this processor lacks POPCNT, which"),
            "{text}"
        );
        assert_eq!(error(1 | 1 << 23, [SSE3, POPCNT].iter()), None);
        assert_eq!(error(0, [].iter()), None);
    }

    #[test]
    fn processor_of_this_test_is_sufficient() {
        assert_eq!(processor_error(), None);
    }
}
