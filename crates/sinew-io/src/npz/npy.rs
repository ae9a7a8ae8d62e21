//! NumPy's arrays (.npy, version 1.0): a magic word, a header that is a Python dictionary, the numbers.

use crate::Problem;

const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
/// Headers end at a multiple of this.
const ALIGNMENT: usize = 64;

/// The bytes before the numbers.
pub fn header(kind: &str, shape: &[usize]) -> Vec<u8> {
    let shape: String = shape.iter().map(|length| format!("{length}, ")).collect();
    let mut text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({}), }}", shape.trim_end());
    let before = MAGIC.len() + 2;
    let length = (before + text.len() + 1).next_multiple_of(ALIGNMENT) - before;
    text.extend(std::iter::repeat_n(' ', length - text.len() - 1));
    text.push('\n');
    [MAGIC, &(length as u16).to_le_bytes(), text.as_bytes()].concat()
}

/// Numbers as they are in a file; without a copy where memory has the same order.
pub fn little_endian(values: &[f32]) -> std::borrow::Cow<'_, [u8]> {
    if cfg!(target_endian = "little") {
        bytemuck::cast_slice(values).into()
    } else {
        values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>().into()
    }
}

/// The numbers of a file.
pub fn floats(data: &[u8]) -> Vec<f32> {
    data.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
}

/// The shape of an array of a kind, and the bytes of its numbers.
pub fn parse<'a>(name: &str, bytes: &'a [u8], kind: &str) -> Result<(Vec<usize>, &'a [u8]), Problem> {
    let wrong = |why: &str| Problem::malformed(name, why);
    let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| wrong("it is no array of .npy version 1.0"))?;
    let (length, rest) = rest.split_first_chunk::<2>().ok_or_else(|| wrong("its header is cut"))?;
    let length = usize::from(u16::from_le_bytes(*length));
    let (text, data) = rest.split_at_checked(length).ok_or_else(|| wrong("its header is cut"))?;
    let text = std::str::from_utf8(text).map_err(|_| wrong("its header is no text"))?;
    if !text.contains(&format!("'descr': '{kind}'")) || !text.contains("'fortran_order': False") {
        return Err(wrong(&format!("its numbers are not of kind {kind} in C order")));
    }
    let shape = shape(text).ok_or_else(|| wrong("its header has no shape"))?;
    let size = if kind == "<f4" { 4 } else { 1 };
    let expected = shape.iter().try_fold(size, |product: usize, &n| product.checked_mul(n));
    if expected != Some(data.len()) {
        return Err(wrong(&format!("its shape {shape:?} does not fit its {} bytes", data.len())));
    }
    Ok((shape, data))
}

fn shape(header: &str) -> Option<Vec<usize>> {
    let (_, after) = header.split_once("'shape': (")?;
    let (inside, _) = after.split_once(')')?;
    inside.split(',').map(str::trim).filter(|n| !n.is_empty()).map(|n| n.parse().ok()).collect()
}
