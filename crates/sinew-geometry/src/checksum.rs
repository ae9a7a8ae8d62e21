//! The checksum of cached bytes: 64-bit FNV-1a.

/// FNV-1a with 64 bits, going on from another; see [`START`].
pub fn checksum(start: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(start, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The checksum of nothing. The offset basis of 64-bit FNV-1a.
pub const START: u64 = 0xcbf2_9ce4_8422_2325;
