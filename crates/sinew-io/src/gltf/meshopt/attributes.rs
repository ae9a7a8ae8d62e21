//! Elements as differences of their bytes from the element before (mode "attributes", versions 0 and 1).
//!
//! A block of up to 256 elements holds one run for each byte of the stride, a run one group for each 16
//! elements, and a group its differences in 0, 1, 2, 4 or 8 bits each. A difference of all ones stands
//! for one that has a byte of its own behind the group.

use super::{CUT_OFF, Cursor};

const GROUP: usize = 16;
const MAX_BLOCK: usize = 256;
const MAX_BLOCK_BYTES: usize = 8192;

/// How four bytes follow from those of the element before: the channel modes of the specification.
#[derive(Clone, Copy)]
enum Channel {
    Bytes,
    Words,
    Xor { rotation: u32 },
}

impl Channel {
    fn of(code: u8) -> Result<Self, &'static str> {
        match (code & 15, code >> 4) {
            (0, 0) => Ok(Self::Bytes),
            (1, 0) => Ok(Self::Words),
            (2, rotation) => Ok(Self::Xor { rotation: u32::from(rotation) }),
            _ => Err("the compressed attributes have a channel of unknown mode"),
        }
    }

    fn next(self, last: [u8; 4], difference: [u8; 4]) -> [u8; 4] {
        match self {
            Self::Bytes => std::array::from_fn(|k| last[k].wrapping_add(unzigzag_8(difference[k]))),
            Self::Words => {
                let word = |bytes: [u8; 4], k: usize| u16::from_le_bytes([bytes[2 * k], bytes[2 * k + 1]]);
                let [a, b] = [0, 1].map(|k| word(last, k).wrapping_add(unzigzag_16(word(difference, k))).to_le_bytes());
                [a[0], a[1], b[0], b[1]]
            }
            Self::Xor { rotation } => {
                let difference = u32::from_le_bytes(difference).rotate_right(rotation);
                (u32::from_le_bytes(last) ^ difference).to_le_bytes()
            }
        }
    }
}

/// Unpacks `count` elements of `stride` bytes, a multiple of 4 up to 256.
pub(super) fn decode(bytes: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, &'static str> {
    let (&header, rest) = bytes.split_first().ok_or(CUT_OFF)?;
    let (is_first_version, least_tail) = match header {
        0xa0 => (true, 32),
        0xa1 => (false, 24),
        _ => return Err("the compressed attributes have an unknown version"),
    };
    let tail_length = if is_first_version { stride } else { stride + stride / 4 };
    let tail_start = rest.len().checked_sub(tail_length.max(least_tail)).ok_or(CUT_OFF)?;
    let (mut last, codes) = rest[rest.len() - tail_length..].split_at(stride);
    let channels = match is_first_version {
        true => vec![Channel::Bytes; stride / 4],
        false => codes.iter().map(|&code| Channel::of(code)).collect::<Result<_, _>>()?,
    };

    let mut data = Cursor::new(&rest[..tail_start]);
    let mut elements = vec![0; count * stride];
    let mut differences = [[0; MAX_BLOCK]; 4];
    let block_length = ((MAX_BLOCK_BYTES / stride) & !(GROUP - 1)).min(MAX_BLOCK);
    for block in elements.chunks_mut(block_length * stride) {
        let block_count = block.len() / stride;
        let controls = if is_first_version { None } else { Some(data.take(stride / 4)?) };
        for (at, channel) in channels.iter().enumerate() {
            for (k, run) in differences.iter_mut().enumerate() {
                let control = controls.map(|controls| controls[at] >> (2 * k) & 3);
                decode_run(&mut data, control, block_count, run)?;
            }
            let mut four: [u8; 4] = last[4 * at..4 * at + 4].try_into().expect("four bytes of the stride");
            for (i, element) in block.chunks_exact_mut(stride).enumerate() {
                four = channel.next(four, std::array::from_fn(|k| differences[k][i]));
                element[4 * at..4 * at + 4].copy_from_slice(&four);
            }
        }
        last = &block[block.len() - stride..];
    }
    data.finish()?;
    Ok(elements)
}

/// Reads the differences of one byte of `count` elements. Only the second version has a control.
fn decode_run(
    data: &mut Cursor<'_>,
    control: Option<u8>,
    count: usize,
    run: &mut [u8; MAX_BLOCK],
) -> Result<(), &'static str> {
    let bits: [usize; 4] = match control {
        None => [0, 2, 4, 8],
        Some(0) => [0, 1, 2, 4],
        Some(1) => [1, 2, 4, 8],
        Some(2) => {
            run[..count].fill(0);
            return Ok(());
        }
        Some(_) => {
            run[..count].copy_from_slice(data.take(count)?);
            return Ok(());
        }
    };
    let groups = count.div_ceil(GROUP);
    let header = data.take(groups.div_ceil(4))?;
    for (g, group) in run.as_chunks_mut::<GROUP>().0.iter_mut().take(groups).enumerate() {
        let mode = header[g / 4] >> (2 * (g % 4)) & 3;
        decode_group(data, bits[usize::from(mode)], group)?;
    }
    Ok(())
}

fn decode_group(data: &mut Cursor<'_>, bits: usize, group: &mut [u8; GROUP]) -> Result<(), &'static str> {
    match bits {
        0 => group.fill(0),
        8 => group.copy_from_slice(data.take(GROUP)?),
        _ => {
            let packed = data.take(GROUP * bits / 8)?;
            let sentinel = (1u8 << bits) - 1;
            let in_byte = 8 / bits;
            for (i, difference) in group.iter_mut().enumerate() {
                let place = i % in_byte;
                // Single bits begin at the lowest, pairs and fours at the highest.
                let shift = if bits == 1 { place } else { 8 - bits * (place + 1) };
                let small = packed[i / in_byte] >> shift & sentinel;
                *difference = if small == sentinel { data.byte()? } else { small };
            }
        }
    }
    Ok(())
}

/// The difference of a code whose lowest bit is the sign.
fn unzigzag_8(code: u8) -> u8 {
    (code & 1).wrapping_neg() ^ (code >> 1)
}

fn unzigzag_16(code: u16) -> u16 {
    (code & 1).wrapping_neg() ^ (code >> 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_of_the_specification_is_read() {
        let mut data = Cursor::new(&[0x17, 0x5f, 0xf0, 0xbc, 0x77, 0xa9, 0x21, 0x00, 0x34, 0xb5]);
        let mut group = [0; GROUP];
        decode_group(&mut data, 4, &mut group).unwrap();
        data.finish().unwrap();
        let differences = group.map(|code| unzigzag_8(code) as i8);
        assert_eq!(differences, [-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0]);
    }

    #[test]
    fn single_bits_begin_at_the_lowest() {
        let mut data = Cursor::new(&[0b0000_0101, 0, 7, 9]);
        let mut group = [0; GROUP];
        decode_group(&mut data, 1, &mut group).unwrap();
        data.finish().unwrap();
        assert_eq!(group[..4], [7, 0, 9, 0]);
    }
}
