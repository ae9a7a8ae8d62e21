//! Primitives that Draco compressed (`KHR_draco_mesh_compression`).
//!
//! A stream holds the triangles and some attributes of a primitive. Each becomes the bytes of the accessor
//! that the primitive names for it, so that the rest of the reader sees no difference. Counts are those
//! of the stream, which exporters' accessors do not always have.

use super::budget::Budget;
use super::component::{Component, width};
use super::schema::{Accessor, Document};
use super::views::Views;
use crate::Problem;
use draco_core::draco_types::DataType;
use draco_core::geometry_attribute::PointAttribute;
use draco_core::geometry_indices::PointIndex;
use draco_core::{DecodeLimits, DecoderBuffer, Mesh, MeshDecoder};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The bytes of accessors that exist in compressed form alone.
pub(super) type DecodedAccessors = HashMap<usize, Vec<u8>>;

/// Unpacks all compressed primitives. Each stream has accessors of its own afterwards, as several may be
/// described by one accessor.
pub(super) fn decode_primitives(
    document: &mut Document,
    views: &Views<'_>,
    budget: &Budget,
) -> Result<DecodedAccessors, Problem> {
    let Document { meshes, accessors, buffer_views, .. } = document;
    let mut streams: HashMap<usize, Stream> = HashMap::new();
    let mut decoded = Decoded { accessors, budget, bytes: HashMap::new() };
    for (number, mesh) in meshes.iter_mut().enumerate() {
        for (part, primitive) in mesh.primitives.iter_mut().enumerate() {
            let Some(draco) = &primitive.extensions.draco else { continue };
            let place = format!("mesh {number} primitive {part}");
            let is_plain = |index: &usize| decoded.accessors.get(*index).is_some_and(|a| a.buffer_view.is_some());
            let listed = draco.attributes.keys().filter_map(|name| primitive.attributes.get(name));
            if listed.chain(&primitive.indices).all(is_plain) {
                continue;
            }
            let stream = match streams.entry(draco.buffer_view) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => {
                    let bytes = views.bytes(buffer_views, draco.buffer_view, &place)?;
                    let mesh = decode(bytes, budget, &place)?;
                    let indices = decoded.indices(&mesh, &place)?;
                    entry.insert(Stream { mesh, indices, accessors: HashMap::new() })
                }
            };
            // A stream has triangles, whatever the primitive was.
            (primitive.mode, primitive.indices) = (None, Some(stream.indices));
            for (name, &id) in &draco.attributes {
                let Some(accessor) = primitive.attributes.get_mut(name) else { continue };
                let entry = match stream.accessors.entry((*accessor, id)) {
                    Entry::Occupied(entry) => entry.into_mut(),
                    Entry::Vacant(entry) => {
                        let attribute = stream.mesh.attribute_by_unique_id(id).ok_or_else(|| {
                            Problem::malformed(&place, format!("its Draco data has no attribute {id}, which is {name}"))
                        })?;
                        entry.insert(decoded.attribute(*accessor, stream.mesh.num_points(), attribute, &place)?)
                    }
                };
                *accessor = *entry;
            }
        }
    }
    Ok(decoded.bytes)
}

/// A stream, the accessor of its triangles, and those of its attributes in place of the ones that the file names.
struct Stream {
    mesh: Mesh,
    indices: usize,
    accessors: HashMap<(usize, u32), usize>,
}

/// Unpacks a stream, bounded by what the file may unpack to. On the way each face takes a table of corners, and again one
/// for each set of attributes with seams; values of a byte take four.
fn decode(bytes: &[u8], budget: &Budget, place: &str) -> Result<Mesh, Problem> {
    let left = budget.left();
    let limits = DecodeLimits::default()
        .with_max_faces(left / (40 + 28 * u64::from(seam_tables(bytes))))
        .with_max_decoded_bytes(left / 4);
    let mut mesh = Mesh::new();
    MeshDecoder::new()
        .decode(&mut DecoderBuffer::new(bytes).with_limits(limits), &mut mesh)
        .map_err(|error| Problem::malformed(place, format!("its Draco data cannot be read: {error}")))?;
    let attribute_bytes = (0..mesh.num_attributes()).map(|id| mesh.attribute(id).buffer().data_size()).sum();
    budget.charge(place, attribute_bytes, 1)?;
    budget.charge(place, mesh.num_faces(), size_of::<[u32; 3]>())?;
    Ok(mesh)
}

/// How many sets of attributes with seams a stream announces: after eleven bytes of header and the kind of traversal come
/// the numbers of vertices and faces, then this one. As many as there can be where metadata stand between.
fn seam_tables(bytes: &[u8]) -> u8 {
    const EDGEBREAKER: u8 = 1;
    let announced = || {
        let (header, rest) = bytes.split_first_chunk::<11>()?;
        let [.., method, _, flags] = *header;
        if method != EDGEBREAKER {
            return Some(0);
        }
        if flags & 0x80 != 0 {
            return None;
        }
        let mut rest = rest.get(1..)?.iter();
        for _number in 0..2 {
            rest.by_ref().take(5).find(|&&byte| byte < 0x80)?;
        }
        rest.next().copied()
    };
    announced().unwrap_or(u8::MAX)
}

struct Decoded<'a> {
    accessors: &'a mut Vec<Accessor>,
    budget: &'a Budget,
    bytes: DecodedAccessors,
}

impl Decoded<'_> {
    /// Appends the triangles, as numbers of 32 bits: a stream may have more vertices than the file's own indices reach.
    fn indices(&mut self, stream: &Mesh, place: &str) -> Result<usize, Problem> {
        const U32: u32 = 5125;
        let count = 3 * stream.num_faces();
        self.budget.charge(place, count, size_of::<u32>())?;
        let corners = stream.faces().iter().flatten();
        let bytes = corners.flat_map(|corner| corner.0.to_le_bytes()).collect();
        let accessor = Accessor {
            buffer_view: None,
            byte_offset: 0,
            component_type: U32,
            normalized: false,
            count,
            kind: "SCALAR".into(),
            sparse: None,
        };
        Ok(self.push(accessor, bytes))
    }

    /// Appends an accessor like one of the file, with the numbers of an attribute.
    fn attribute(
        &mut self,
        index: usize,
        point_count: usize,
        attribute: &PointAttribute,
        place: &str,
    ) -> Result<usize, Problem> {
        let unusable =
            || Problem::malformed(place, "an attribute of its Draco data has values that glTF does not have");
        let read = reader(attribute.data_type()).ok_or_else(unusable)?;
        let (size, count) = (attribute.data_type().byte_length(), usize::from(attribute.num_components()));
        let stride =
            usize::try_from(attribute.byte_stride()).ok().filter(|&s| s >= size * count).ok_or_else(unusable)?;
        let data = attribute.buffer().data();
        let element = |point: usize| {
            let value = attribute.mapped_index(PointIndex(point as u32)).0 as usize;
            value.checked_mul(stride).and_then(|at| data.get(at..)?.get(..size * count))
        };
        if (0..point_count).any(|point| element(point).is_none()) {
            return Err(unusable());
        }
        let numbers = (0..point_count).filter_map(element).flat_map(|bytes| bytes.chunks_exact(size)).map(read);
        let Some(accessor) = self.accessors.get(index) else {
            return Err(Problem::malformed(place, format!("there is no accessor {index}")));
        };
        let component = Component::of(accessor.component_type, place)?;
        if width(&accessor.kind, place)? != count {
            let why = format!("its Draco data has {count} numbers where accessor {index} has {}", accessor.kind);
            return Err(Problem::malformed(place, why));
        }
        self.budget.charge(place, point_count * count, component.size())?;
        let mut bytes = Vec::with_capacity(point_count * count * component.size());
        numbers.for_each(|number| component.write(number, &mut bytes));
        let kind = accessor.kind.clone();
        let accessor =
            Accessor { buffer_view: None, byte_offset: 0, sparse: None, count: point_count, kind, ..*accessor };
        Ok(self.push(accessor, bytes))
    }

    fn push(&mut self, accessor: Accessor, bytes: Vec<u8>) -> usize {
        self.accessors.push(accessor);
        self.bytes.insert(self.accessors.len() - 1, bytes);
        self.accessors.len() - 1
    }
}

/// How a number of a type is read.
fn reader(data_type: DataType) -> Option<fn(&[u8]) -> f64> {
    fn number<const N: usize>(bytes: &[u8]) -> [u8; N] {
        bytes.try_into().expect("as many bytes as the type has")
    }
    Some(match data_type {
        DataType::Int8 => |bytes| f64::from(i8::from_le_bytes(number(bytes))),
        DataType::Uint8 => |bytes| f64::from(u8::from_le_bytes(number(bytes))),
        DataType::Int16 => |bytes| f64::from(i16::from_le_bytes(number(bytes))),
        DataType::Uint16 => |bytes| f64::from(u16::from_le_bytes(number(bytes))),
        DataType::Int32 => |bytes| f64::from(i32::from_le_bytes(number(bytes))),
        DataType::Uint32 => |bytes| f64::from(u32::from_le_bytes(number(bytes))),
        DataType::Float32 => |bytes| f64::from(f32::from_le_bytes(number(bytes))),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::seam_tables;

    #[test]
    fn seam_tables_are_known_before_the_stream_is_read() {
        let stream =
            |method: u8, flags: u8, rest: &[u8]| [&b"DRACO\x02\x02\x01"[..], &[method, 0, flags], rest].concat();
        let numbers = [0, 0x80, 0x01, 0x05, 3];
        assert_eq!(seam_tables(&stream(1, 0, &numbers)), 3);
        assert_eq!(seam_tables(&stream(0, 0, &numbers)), 0, "in sequence, without tables");
        assert_eq!(seam_tables(&stream(1, 0x80, &numbers)), u8::MAX, "behind metadata");
        assert_eq!(seam_tables(&stream(1, 0, &numbers[..4])), u8::MAX, "cut off");
        assert_eq!(seam_tables(&stream(1, 0, &[0, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1])), u8::MAX, "no number");
    }
}
