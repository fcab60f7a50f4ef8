//! Sample files are read as they were written, and damage is recognised.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use super::*;

/// Kings on e1 and e8, and an own pawn on a square from a2 to h7.
fn sample(pawn: u8) -> Sample {
    let mut sample = Sample {
        occupied: 1 << 4 | 1 << pawn | 1 << 60,
        score: i16::from(pawn) - 30,
        result: pawn % 3,
        lambda_return: u16::from(pawn) * 1000,
        ..Sample::default()
    };
    sample.pieces[..3].copy_from_slice(&[5, 0, 13]);
    sample
}

fn samples(count: usize) -> Vec<Sample> {
    (8..56).cycle().take(count).map(sample).collect()
}

/// Writes a file of samples.
fn write(path: &Path, samples: &[Sample]) {
    let share = Share::new(0.05).unwrap();
    let mut writer = SampleWriter::create(path, SampleKind::Validation, share, 7).unwrap();
    let records: Vec<_> = samples.iter().map(Sample::to_bytes).collect();
    for part in records.chunks(1000) {
        writer.write(part).unwrap();
    }
    assert_eq!(writer.records(), samples.len() as u64);
    assert_eq!(writer.finish(path).unwrap(), samples.len() as u64);
}

/// Reads a whole file.
fn read(bytes: &[u8]) -> Result<Vec<Sample>, SampleError> {
    let chunks: Result<Vec<_>, _> = SampleReader::new(Cursor::new(bytes))?.collect();
    Ok(chunks?.concat())
}

fn message(bytes: &[u8]) -> String {
    match read(bytes) {
        Ok(samples) => format!("{} samples", samples.len()),
        Err(error) => error.to_string(),
    }
}

#[test]
fn samples_are_read_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let chunk = RECORDS_PER_CHUNK as usize;
    for count in [1, chunk - 1, chunk, chunk + 1, 2 * chunk + 100] {
        let path = folder.path().join(count.to_string());
        write(&path, &samples(count));
        assert!(SampleReader::is_samples(&path));
        let bytes = fs::read(&path).unwrap();
        let header = *SampleReader::open(&path).unwrap().header();
        assert_eq!(header.kind, SampleKind::Validation);
        assert_eq!(Some(header.validation_share), Share::new(0.05));
        assert_eq!(header.max_occurrences, 7);
        assert_eq!(header.records, count as u64);
        assert_eq!(bytes.len(), 64 + 32 * count + 4 * count.div_ceil(chunk));
        assert!(read(&bytes).unwrap() == samples(count));
    }
}

#[test]
fn records_have_the_documented_bytes() {
    let bytes = sample(9).to_bytes();
    assert_eq!(bytes[0..8], (1_u64 << 4 | 1 << 9 | 1 << 60).to_le_bytes());
    // King, pawn; the opponent's king.
    assert_eq!(bytes[8..11], [0x05, 0x0D, 0]);
    assert_eq!(bytes[24..26], (-21_i16).to_le_bytes());
    // Lost; own king on e1; the opponent's king on e8, which is e1 from its perspective.
    assert_eq!(bytes[26..30], [0, 4, 4, 0]);
    assert_eq!(bytes[30..32], 9000_u16.to_le_bytes());
}

#[test]
fn bad_records_are_rejected() {
    let sound = sample(9).to_bytes();
    let changed = |at: usize, byte: u8| {
        let mut bytes = sound;
        bytes[at] = byte;
        Sample::from_bytes(&bytes)
    };
    assert_eq!(changed(9, 0x0D), Ok(sample(9)));
    assert_eq!(changed(0, 0x10 | 1), Err(BadSample::Kings));
    assert_eq!(changed(7, 0), Err(BadSample::Unused(9)));
    assert_eq!(changed(9, 0x06), Err(BadSample::Code(6)));
    assert_eq!(changed(9, 0x05), Err(BadSample::Kings));
    assert_eq!(changed(9, 0x1D), Err(BadSample::Unused(9)));
    assert_eq!(changed(26, 3), Err(BadSample::Result(3)));
    assert_eq!(changed(27, 5), Err(BadSample::Kings));
    assert_eq!(changed(28, 60), Err(BadSample::Kings));
    assert_eq!(changed(29, 1), Err(BadSample::Unused(29)));
    assert_eq!(Sample::from_bytes(&[0; 32]), Err(BadSample::Pieces(0)));
    assert_eq!(Sample::from_bytes(&[255; 32]), Err(BadSample::Pieces(64)));
}

#[test]
fn every_changed_byte_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("samples");
    write(&path, &samples(3));
    let sound = fs::read(&path).unwrap();
    for at in 0..sound.len() {
        let mut bytes = sound.clone();
        bytes[at] ^= 4;
        let expected = match at {
            0..8 => "not a sample file".to_owned(),
            8..10 => "format version".to_owned(),
            10..64 => "the header (bytes 0 to 63) is damaged".to_owned(),
            64..160 => "damaged between byte 64 and byte 160".to_owned(),
            _ => "the checksums from byte 160 on are damaged".to_owned(),
        };
        let message = message(&bytes);
        assert!(message.starts_with(&expected), "byte {at}: {message}");
        assert!(message.contains("`gaur-lab data samples`"), "{message}");
    }
    for length in 0..sound.len() {
        let message = message(&sound[..length]);
        let expected = match length {
            0..8 => "not a sample file".to_owned(),
            8..64 => "the header (bytes 0 to 63) is damaged".to_owned(),
            _ => format!("{length} bytes instead of 164"),
        };
        assert!(message.starts_with(&expected), "{length}: {message}");
    }
    let longer = [&sound[..], b"more"].concat();
    assert!(message(&longer).starts_with("168 bytes instead of 164"));
    assert!(message(b"").starts_with("not a sample file"));
}

#[test]
fn a_bad_record_with_a_right_checksum_is_located() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("samples");
    let mut bad = samples(3);
    bad[2].result = 9;
    write(&path, &bad);
    let message = message(&fs::read(&path).unwrap());
    assert!(
        message.starts_with("record at byte 128: result 9;"),
        "{message}"
    );
}

#[test]
fn unknown_values_of_the_header_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("samples");
    write(&path, &samples(3));
    let sound = fs::read(&path).unwrap();
    for (at, byte) in [
        (10, 33),
        (12, 0),
        (12, 4),
        (13, 1),
        (15, 255),
        (26, 2),
        (40, 1),
    ] {
        let mut bytes = sound.clone();
        bytes[at] = byte;
        let checksum = crc32fast::hash(&bytes[..60]);
        bytes[60..64].copy_from_slice(&checksum.to_le_bytes());
        let message = message(&bytes);
        assert!(
            message.starts_with("unknown value in byte "),
            "{at}: {message}"
        );
    }
    // A number of records whose length in bytes overflows.
    let mut bytes = sound;
    bytes[16..24].fill(255);
    let checksum = crc32fast::hash(&bytes[..60]);
    bytes[60..64].copy_from_slice(&checksum.to_le_bytes());
    assert!(message(&bytes).starts_with("164 bytes instead of"));
}

#[test]
fn a_file_that_is_not_finished_or_not_new_disappears() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("samples");
    let names = || fs::read_dir(folder.path()).unwrap().count();
    let create = || SampleWriter::create(&path, SampleKind::Training, Share::ALL, 0).unwrap();
    let mut writer = create();
    writer.write(&[sample(9).to_bytes()]).unwrap();
    assert_eq!(names(), 1);
    assert!(!path.exists());
    drop(writer);
    assert_eq!(names(), 0);

    fs::write(&path, "a diary").unwrap();
    let error = create().finish(&path).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::AlreadyExists);
    assert_eq!(names(), 1);
    assert_eq!(fs::read(&path).unwrap(), b"a diary");
}

#[test]
fn shares_are_nested_and_have_their_size() {
    let step = u64::MAX / 10_000;
    let contained = |share: f64| {
        let share = Share::new(share).unwrap();
        let hashes = (0..10_000).map(|number| number * step + step / 2);
        hashes
            .filter(|&hash| share.contains(hash))
            .collect::<Vec<_>>()
    };
    assert!(contained(0.0).is_empty());
    assert_eq!(contained(0.01).len(), 100);
    assert_eq!(contained(1.0).len(), 10_000);
    let [small, large] = [0.01, 0.02].map(contained);
    assert!(small.iter().all(|hash| large.contains(hash)));
    for (share, part, rest) in [
        (0.0, 0, 200),
        (0.0001, 1, 200),
        (0.3, 60, 140),
        (1.0, 200, 0),
    ] {
        let share = Share::new(share).unwrap();
        assert_eq!((share.of(200), share.rest().of(200)), (part, rest));
    }
    for wrong in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        assert_eq!(Share::new(wrong), None);
    }
}
