//! The fuzz target `samples`: reading a sample file ends, and every record that is accepted is written as it was read.

use std::io::Cursor;

use gaur_lab::sample_file::{Sample, SampleReader};

/// Reads the bytes as a file and, from any offset of 32 bytes, as records.
pub fn run(bytes: &[u8]) {
    for record in bytes.as_chunks().0 {
        if let Ok(sample) = Sample::from_bytes(record) {
            assert_eq!(sample.to_bytes(), *record);
            assert_eq!(
                sample.placed().count(),
                sample.occupied.count_ones() as usize
            );
        }
    }
    let Ok(reader) = SampleReader::new(Cursor::new(bytes)) else {
        return;
    };
    let expected = reader.header().records;
    let mut found = 0;
    for chunk in reader {
        match chunk {
            Ok(samples) => found += samples.len() as u64,
            Err(_) => return,
        }
    }
    assert_eq!(found, expected);
}
