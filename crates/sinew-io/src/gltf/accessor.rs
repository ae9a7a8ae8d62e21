//! Typed arrays out of buffers: all component types, normalised integers, interleaving, sparse
//! overlays and arrays of zeros.
//!
//! Normalised integers follow the specification (§3.11): unsigned `c / (2ⁿ−1)`, signed
//! `max(c / (2ⁿ⁻¹−1), −1)`.

use super::component::{Component, width};
use super::container::Source;
use super::schema;
use crate::Problem;

/// A decoded array: `width` numbers for each element.
pub(super) struct Array<T> {
    pub width: usize,
    pub values: Vec<T>,
}

impl<T> Array<T> {
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.values.len() / self.width
    }
}

/// How an array is laid out.
#[derive(Clone, Copy)]
struct Layout {
    count: usize,
    width: usize,
    component: Component,
    normalized: bool,
}

/// Elements in a buffer, known to lie within it.
pub(super) struct Strided<'a> {
    bytes: &'a [u8],
    stride: usize,
    layout: Layout,
}

impl Strided<'_> {
    fn gather<const SIZE: usize, T>(&self, values: &mut Vec<T>, convert: impl Fn([u8; SIZE]) -> T) {
        let used = self.layout.width * SIZE;
        for element in self.bytes.chunks(self.stride.max(1)).take(self.layout.count) {
            values.extend(element[..used].as_chunks::<SIZE>().0.iter().map(|c| convert(*c)));
        }
    }
}

/// An element type of a decoded array.
pub(super) trait Element: Copy + Default {
    fn decode(from: &Strided<'_>, values: &mut Vec<Self>) -> Result<(), &'static str>;
}

impl Element for f32 {
    fn decode(from: &Strided<'_>, values: &mut Vec<Self>) -> Result<(), &'static str> {
        match (from.layout.component, from.layout.normalized) {
            (Component::F32, _) => from.gather(values, f32::from_le_bytes),
            (Component::I8, false) => from.gather(values, |c| f32::from(i8::from_le_bytes(c))),
            (Component::U8, false) => from.gather(values, |[c]| f32::from(c)),
            (Component::I16, false) => from.gather(values, |c| f32::from(i16::from_le_bytes(c))),
            (Component::U16, false) => from.gather(values, |c| f32::from(u16::from_le_bytes(c))),
            (Component::I8, true) => from.gather(values, |c| (f32::from(i8::from_le_bytes(c)) / 127.0).max(-1.0)),
            (Component::U8, true) => from.gather(values, |[c]| f32::from(c) / 255.0),
            (Component::I16, true) => from.gather(values, |c| (f32::from(i16::from_le_bytes(c)) / 32767.0).max(-1.0)),
            (Component::U16, true) => from.gather(values, |c| f32::from(u16::from_le_bytes(c)) / 65535.0),
            (Component::U32, false) => from.gather(values, |c| u32::from_le_bytes(c) as f32),
            (Component::U32, true) => {
                from.gather(values, |c| (f64::from(u32::from_le_bytes(c)) / f64::from(u32::MAX)) as f32);
            }
        }
        Ok(())
    }
}

impl Element for u32 {
    fn decode(from: &Strided<'_>, values: &mut Vec<Self>) -> Result<(), &'static str> {
        match from.layout.component {
            Component::U8 => from.gather(values, |[c]| u32::from(c)),
            Component::U16 => from.gather(values, |c| u32::from(u16::from_le_bytes(c))),
            Component::U32 => from.gather(values, u32::from_le_bytes),
            _ => return Err("unsigned integers are needed here"),
        }
        Ok(())
    }
}

impl Source<'_> {
    /// Decodes an accessor; `place` is who refers to it.
    pub fn array<T: Element>(&self, index: usize, place: &str) -> Result<Array<T>, Problem> {
        let accessor = self.document.accessors.get(index);
        let accessor = accessor.ok_or_else(|| Problem::malformed(place, format!("there is no accessor {index}")))?;
        let place = format!("accessor {index}");
        let layout = Layout {
            count: accessor.count,
            width: width(&accessor.kind, &place)?,
            component: Component::of(accessor.component_type, &place)?,
            normalized: accessor.normalized,
        };
        let base = match (self.decoded.get(&index), accessor.buffer_view) {
            (Some(bytes), _) => Some(Strided { bytes, stride: layout.width * layout.component.size(), layout }),
            (None, Some(view)) => Some(self.strided(view, accessor.byte_offset, layout, &place)?),
            (None, None) => None,
        };
        let Layout { count, width, .. } = layout;
        self.budget.charge(&place, count, width * size_of::<T>())?;
        let mut values = Vec::with_capacity(count * width);
        match base {
            Some(base) => T::decode(&base, &mut values).map_err(|why| Problem::malformed(&place, why))?,
            None => values.resize(count * width, T::default()),
        }
        if let Some(sparse) = &accessor.sparse {
            self.overlay(sparse, layout, &place, &mut values)?;
        }
        Ok(Array { width, values })
    }

    /// Decodes an accessor whose elements must have one of these widths and, if given, this count.
    pub fn array_of<T: Element>(
        &self,
        index: usize,
        place: &str,
        widths: &[usize],
        count: Option<usize>,
    ) -> Result<Array<T>, Problem> {
        let array = self.array(index, place)?;
        let fail = |why| Err(Problem::malformed(place, why));
        if !widths.contains(&array.width) {
            return fail(format!("accessor {index} has {} numbers per element, not {widths:?}", array.width));
        }
        match count {
            Some(count) if count != array.len() => {
                fail(format!("accessor {index} has {} elements, but {count} are needed", array.len()))
            }
            _ => Ok(array),
        }
    }

    /// Replaces some elements of an array.
    fn overlay<T: Element>(
        &self,
        sparse: &schema::Sparse,
        layout: Layout,
        place: &str,
        values: &mut [T],
    ) -> Result<(), Problem> {
        let malformed = |why: String| Problem::malformed(place, why);
        let Layout { count, width, .. } = layout;
        if sparse.count > count {
            return Err(malformed(format!("it replaces {} of {count} elements", sparse.count)));
        }
        let component = Component::of(sparse.indices.component_type, place)?;
        let index_layout = Layout { count: sparse.count, width: 1, component, normalized: false };
        let indices = self.strided(sparse.indices.buffer_view, sparse.indices.byte_offset, index_layout, place)?;
        let value_layout = Layout { count: sparse.count, ..layout };
        let elements = self.strided(sparse.values.buffer_view, sparse.values.byte_offset, value_layout, place)?;
        let (mut places, mut replacements) = (Vec::<u32>::new(), Vec::new());
        u32::decode(&indices, &mut places).map_err(|why| malformed(format!("the sparse indices: {why}")))?;
        T::decode(&elements, &mut replacements).map_err(|why| malformed(why.into()))?;
        for (&at, element) in places.iter().zip(replacements.chunks_exact(width)) {
            let at = at as usize;
            if at >= count {
                return Err(malformed(format!("it replaces element {at} of {count}")));
            }
            values[at * width..(at + 1) * width].copy_from_slice(element);
        }
        Ok(())
    }

    /// Elements in a buffer view, checked to lie within it.
    fn strided(&self, view: usize, offset: usize, layout: Layout, place: &str) -> Result<Strided<'_>, Problem> {
        let bytes = self.view(view, place)?;
        let Layout { count, width, component, .. } = layout;
        let size = width * component.size();
        let stride = self.document.buffer_views[view].byte_stride.filter(|&s| s != 0).unwrap_or(size);
        if stride < size {
            let why = format!("elements of {size} bytes overlap in a stride of {stride}");
            return Err(Problem::malformed(place, why));
        }
        let end = match count {
            0 => Some(offset),
            _ => stride.checked_mul(count - 1).and_then(|n| n.checked_add(size)).and_then(|n| n.checked_add(offset)),
        };
        let bytes = end.and_then(|end| bytes.get(offset..end)).ok_or_else(|| {
            let length = bytes.len();
            let why = format!("{count} elements from byte {offset} reach past buffer view {view} of {length} bytes");
            Problem::malformed(place, why)
        })?;
        Ok(Strided { bytes, stride, layout })
    }
}
