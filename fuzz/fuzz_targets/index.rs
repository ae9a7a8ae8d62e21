//! The index of motions, with right checksums.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut bytes = bytes.to_vec();
    repair(&mut bytes);
    let _ = sinew_tasks::motion::library::Library::from_bytes(&bytes);
});

/// Writes the checksum of each member that the directory of a ZIP archive lists.
fn repair(bytes: &mut [u8]) -> Option<()> {
    let word = |bytes: &[u8], at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?) as usize);
    let half = |bytes: &[u8], at: usize| Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?) as usize);
    let end = bytes.len().checked_sub(22)?;
    let mut at = word(bytes, end + 16)?;
    for _ in 0..half(bytes, end + 10)?.min(16) {
        let (size, local) = (word(bytes, at + 20)?, word(bytes, at + 42)?);
        let start = local + 30 + half(bytes, local + 26)? + half(bytes, local + 28)?;
        let sum = crc32fast::hash(bytes.get(start..start + size)?);
        bytes.get_mut(at + 16..at + 20)?.copy_from_slice(&sum.to_le_bytes());
        at += 46 + half(bytes, at + 28)? + half(bytes, at + 30)? + half(bytes, at + 32)?;
    }
    Some(())
}
