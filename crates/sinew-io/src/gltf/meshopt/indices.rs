//! Indices by what was seen last: triangles on recent edges (mode "triangles"), and any sequence as
//! differences from one of two indices (mode "indices").

use super::{CUT_OFF, Cursor};

const UNSEEN: &str = "the compressed triangles refer to a vertex that was not there before";

/// Unpacks a list of triangles with `count` corners.
pub(super) fn decode_triangles(bytes: &[u8], count: usize) -> Result<Vec<u32>, &'static str> {
    let triangle_count = count / 3;
    if !count.is_multiple_of(3) {
        return Err("the corners of compressed triangles are not a multiple of three");
    }
    let rest = body(bytes, 0xe1)?;
    let (codes, rest) = rest.split_at_checked(triangle_count).ok_or(CUT_OFF)?;
    let (data, pairs) = rest.split_last_chunk::<16>().ok_or(CUT_OFF)?;
    if pairs.iter().any(|pair| pair >> 4 == 15 || pair & 15 == 15) || pairs[14..] != [0, 0] {
        return Err("the compressed triangles have a table that cannot be");
    }
    let mut reader = Triangles::new(data);
    let mut corners = Vec::with_capacity(count);
    for &code in codes {
        corners.extend(reader.triangle(code, pairs)?);
    }
    reader.data.finish()?;
    Ok(corners)
}

/// Unpacks `count` indices.
pub(super) fn decode_sequence(bytes: &[u8], count: usize) -> Result<Vec<u32>, &'static str> {
    let (data, _padding) = body(bytes, 0xd1)?.split_last_chunk::<4>().ok_or(CUT_OFF)?;
    // Every index has a byte at least.
    if count > data.len() {
        return Err(CUT_OFF);
    }
    let mut data = Cursor::new(data);
    let mut last = [0u32; 2];
    let mut indices = Vec::with_capacity(count);
    for _ in 0..count {
        let code = varint(&mut data)?;
        let last = &mut last[code as usize & 1];
        *last = last.wrapping_add(unzigzag(code >> 1));
        indices.push(*last);
    }
    data.finish()?;
    Ok(indices)
}

/// What follows the header byte of the one version that glTF has.
fn body(bytes: &[u8], header: u8) -> Result<&[u8], &'static str> {
    let (&first, rest) = bytes.split_first().ok_or(CUT_OFF)?;
    if first == header { Ok(rest) } else { Err("the compressed indices have an unknown version") }
}

/// The state between triangles.
struct Triangles<'a> {
    data: Cursor<'a>,
    edges: Recent<[u32; 2]>,
    vertices: Recent<u32>,
    /// The vertex that comes next if vertices are numbered in the order of their use.
    next: u32,
    last: u32,
}

impl<'a> Triangles<'a> {
    fn new(data: &'a [u8]) -> Self {
        Self { data: Cursor::new(data), edges: Recent::default(), vertices: Recent::default(), next: 0, last: 0 }
    }

    fn triangle(&mut self, code: u8, pairs: &[u8; 16]) -> Result<[u32; 3], &'static str> {
        match (code >> 4, code & 15) {
            (15, place @ 14..) => {
                let pair = self.data.byte()?;
                if pair == 0 {
                    self.next = 0;
                }
                let first = if place == 14 { self.fresh() } else { self.explicit()? };
                self.on_vertex(first, pair)
            }
            (15, place) => {
                let first = self.fresh();
                self.on_vertex(first, pairs[usize::from(place)])
            }
            (edge, third) => self.on_edge(edge, third),
        }
    }

    fn on_edge(&mut self, edge: u8, third: u8) -> Result<[u32; 3], &'static str> {
        let [a, b] = self.edges.get(edge).ok_or(UNSEEN)?;
        let c = match third {
            0 => self.fresh(),
            1..13 => self.vertices.get(third).ok_or(UNSEEN)?,
            13 => self.beside(u32::MAX),
            14 => self.beside(1),
            _ => self.explicit()?,
        };
        if !(1..13).contains(&third) {
            self.vertices.push(c);
        }
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        Ok([a, b, c])
    }

    fn on_vertex(&mut self, a: u32, pair: u8) -> Result<[u32; 3], &'static str> {
        let (second, third) = (pair >> 4, pair & 15);
        let b = self.corner(second)?;
        let c = self.corner(third)?;
        self.vertices.push(a);
        for (code, vertex) in [(second, b), (third, c)] {
            if matches!(code, 0 | 15) {
                self.vertices.push(vertex);
            }
        }
        self.edges.push([b, a]);
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        Ok([a, b, c])
    }

    fn corner(&mut self, code: u8) -> Result<u32, &'static str> {
        match code {
            0 => Ok(self.fresh()),
            15 => self.explicit(),
            _ => self.vertices.get(code - 1).ok_or(UNSEEN),
        }
    }

    fn fresh(&mut self) -> u32 {
        let vertex = self.next;
        self.next = vertex.wrapping_add(1);
        vertex
    }

    fn beside(&mut self, difference: u32) -> u32 {
        self.last = self.last.wrapping_add(difference);
        self.last
    }

    fn explicit(&mut self) -> Result<u32, &'static str> {
        let difference = unzigzag(varint(&mut self.data)?);
        Ok(self.beside(difference))
    }
}

/// The last sixteen of something.
#[derive(Default)]
struct Recent<T> {
    entries: [Option<T>; 16],
    pushed: usize,
}

impl<T: Copy> Recent<T> {
    fn push(&mut self, entry: T) {
        self.entries[self.pushed % 16] = Some(entry);
        self.pushed += 1;
    }

    /// The entry that was pushed `age` entries before the last one.
    fn get(&self, age: u8) -> Option<T> {
        self.pushed.checked_sub(1 + usize::from(age)).and_then(|at| self.entries[at % 16])
    }
}

/// A number of up to 32 bits in groups of seven, the lowest first.
fn varint(data: &mut Cursor<'_>) -> Result<u32, &'static str> {
    let mut value = 0;
    for shift in [0, 7, 14, 21, 28] {
        let byte = data.byte()?;
        value |= u32::from(byte & 127) << shift;
        if byte < 128 {
            return Ok(value);
        }
    }
    Err("a number of the compressed indices has more than five bytes")
}

fn unzigzag(code: u32) -> u32 {
    (code & 1).wrapping_neg() ^ (code >> 1)
}
