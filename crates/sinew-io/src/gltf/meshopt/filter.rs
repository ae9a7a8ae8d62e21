//! What is done to elements after they are unpacked: the filters of the specification.

/// Unit vectors in octahedral form, as four numbers of 8 bits: x, y, the number that stands for one, and
/// a fourth that stays.
pub(super) fn octahedral_8(elements: &mut [u8]) {
    for element in elements.as_chunks_mut::<4>().0 {
        let [x, y, one] = [0, 1, 2].map(|k| f32::from(element[k] as i8));
        for (out, value) in element.iter_mut().zip(unit_vector(x, y, one)) {
            *out = (value * 127.0).round() as i8 as u8;
        }
    }
}

/// The same as four numbers of 16 bits.
pub(super) fn octahedral_16(elements: &mut [u8]) {
    for element in elements.as_chunks_mut::<8>().0 {
        let numbers = words(element).map(|word| word as i16);
        let [x, y, one] = [0, 1, 2].map(|k| f32::from(numbers[k]));
        let [x, y, z] = unit_vector(x, y, one).map(|value| (value * 32767.0).round() as i16);
        *element = from_words([x, y, z, numbers[3]].map(|number| number as u16));
    }
}

fn unit_vector(x: f32, y: f32, one: f32) -> [f32; 3] {
    let (x, y) = (x / one, y / one);
    let z = 1.0 - x.abs() - y.abs();
    // The lower half is folded over the edges of the square.
    let fold = z.min(0.0);
    let (x, y) = (x - fold.copysign(x), y - fold.copysign(y));
    let length = (x * x + y * y + z * z).sqrt();
    [x, y, z].map(|value| value / length)
}

/// Unit quaternions without their largest component, as four numbers of 16 bits. The fourth has the place
/// of the largest in its lowest two bits, and is the number that stands for one above them.
pub(super) fn quaternion(elements: &mut [u8]) {
    for element in elements.as_chunks_mut::<8>().0 {
        let numbers = words(element).map(|word| word as i16);
        let scale = std::f32::consts::FRAC_1_SQRT_2 / f32::from(numbers[3] | 3);
        let [x, y, z] = [0, 1, 2].map(|k| f32::from(numbers[k]) * scale);
        let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
        let largest = numbers[3] as usize & 3;
        let mut quaternion = [0; 4];
        for (k, value) in [w, x, y, z].into_iter().enumerate() {
            quaternion[(largest + k) % 4] = (value * 32767.0).round() as i16 as u16;
        }
        *element = from_words(quaternion);
    }
}

/// Numbers `2^e · m` with an exponent of 8 bits above a mantissa of 24.
pub(super) fn exponential(elements: &mut [u8]) {
    for element in elements.as_chunks_mut::<4>().0 {
        let code = i32::from_le_bytes(*element);
        let value = f64::from((code << 8) >> 8) * f64::from(code >> 24).exp2();
        *element = (value as f32).to_le_bytes();
    }
}

/// Colours as brightness and two differences, as four numbers of 8 bits.
pub(super) fn colour_8(elements: &mut [u8]) {
    for element in elements.as_chunks_mut::<4>().0 {
        let [y, orange, green, alpha] = *element;
        let numbers = [i32::from(y), i32::from(orange as i8), i32::from(green as i8), i32::from(alpha)];
        *element = colour(numbers, 255.0).map(|value| value as u8);
    }
}

/// The same as four numbers of 16 bits.
pub(super) fn colour_16(elements: &mut [u8]) {
    for element in elements.as_chunks_mut::<8>().0 {
        let [y, orange, green, alpha] = words(element);
        let numbers = [i32::from(y), i32::from(orange as i16), i32::from(green as i16), i32::from(alpha)];
        *element = from_words(colour(numbers, 65535.0).map(|value| value as u16));
    }
}

/// Red, green, blue and alpha. The highest bit of the coded alpha is the highest of all four's range.
fn colour([y, orange, green, alpha]: [i32; 4], max: f32) -> [f32; 4] {
    let range = (1 << (32 - alpha.leading_zeros())) - 1;
    let opacity = alpha & (range >> 1);
    let opacity = opacity << 1 | opacity & 1;
    let scale = max / range.max(1) as f32;
    [y + orange - green, y + green, y - orange - green, opacity].map(|value| (value as f32 * scale).round())
}

fn words(bytes: &[u8; 8]) -> [u16; 4] {
    std::array::from_fn(|k| u16::from_le_bytes([bytes[2 * k], bytes[2 * k + 1]]))
}

fn from_words(words: [u16; 4]) -> [u8; 8] {
    let bytes = words.map(u16::to_le_bytes);
    std::array::from_fn(|k| bytes[k / 2][k % 2])
}
