//! The cache of a character's expensive precomputations, as bytes.
//!
//! It has the fields of its limbs; the rest is computed from the character quickly.
//! The bytes begin with a mark, a version, a checksum of all inputs, and a checksum of the bytes themselves; other
//! bytes are ignored, and so are numbers that no field has. Bytes with sound numbers of another character
//! give that character's fields, so a cache belongs where only its user can write.
//!
//! The tables of the operators come before them: their length in eight bytes, then the tables.

use super::limb_field::{Fit, LimbField};
use super::options::ImplicitOptions;
use crate::welded::WeldedSurface;
use glam::DVec3;
use sinew_field::{Grid, OperatorTables, Oriented};
use sinew_geometry::checksum::{START, checksum};
use sinew_rig::Character;
use std::sync::Arc;

/// The first bytes.
const MARK: [u8; 8] = *b"sinew L\0";

/// Changes whenever fields do.
const VERSION: u32 = 4;

/// Bytes before the numbers: mark, version, key, checksum.
const HEAD: usize = 8 + 4 + 8 + 8;

/// The tables and the bytes of the fields in a cache. Tables that are not there or damaged are built when needed.
pub(crate) fn split(cache: &[u8]) -> (Arc<OperatorTables>, &[u8]) {
    let parts = cache
        .split_first_chunk()
        .and_then(|(length, rest)| rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?));
    let (tables, fields) = parts.unwrap_or_default();
    (Arc::new(OperatorTables::from_bytes(tables).unwrap_or_default()), fields)
}

/// The bytes of a cache.
pub(super) fn join(tables: &OperatorTables, fields: &[u8]) -> Vec<u8> {
    let tables = tables.to_bytes();
    [&(tables.len() as u64).to_le_bytes()[..], &tables, fields].concat()
}

/// The checksum of all that fields depend on: the version, the samples, the skeleton, the pose that the file has the
/// character in, and the surface with its weights.
pub(super) fn key(character: &Character, body: &WeldedSurface, options: &ImplicitOptions) -> u64 {
    let mut key = checksum(START, format!("{VERSION} {} {:?}", options.samples, options.limbs).as_bytes());
    for (joint, base) in character.skeleton.joints().iter().zip(&character.base_pose.joints) {
        key = checksum(key, format!("{joint:?} {base:?}").as_bytes());
    }
    key = checksum(key, format!("{:?}", character.base_pose.morphs).as_bytes());
    let mut add = |number: u64| key = checksum(key, &number.to_le_bytes());
    for point in 0..body.len() {
        add(body.influences.row(point as u32).len() as u64);
        body.rest[point].to_array().into_iter().for_each(|x| add(x.to_bits()));
        for &(joint, weight) in body.influences.row(point as u32) {
            add(u64::from(joint));
            add(weight.to_bits());
        }
    }
    for face in &body.faces {
        add(face.corners().len() as u64);
        face.corners().iter().for_each(|&corner| add(u64::from(corner)));
    }
    key
}

/// Writes a cache.
pub(super) fn write(fields: &[Option<LimbField>], key: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    for field in fields {
        let mut numbers = |values: &[f64]| bytes.extend(values.iter().flat_map(|x| x.to_le_bytes()));
        numbers(&[field.as_ref().map_or(0.0, |field| field.samples().len() as f64)]);
        let Some(field) = field else { continue };
        for sample in field.samples() {
            numbers(&sample.point.to_array());
            numbers(&sample.normal.to_array());
        }
        numbers(&[field.radius(), field.fit().mean, field.fit().worst]);
        let (origin, cell, counts) = field.grid().frame();
        numbers(&origin.to_array());
        numbers(&[cell]);
        numbers(&counts.map(|count| count as f64));
        bytes.extend(field.grid().values().flat_map(f32::to_le_bytes));
    }
    let sum = checksum(START, &bytes);
    [&MARK[..], &VERSION.to_le_bytes(), &key.to_le_bytes(), &sum.to_le_bytes(), &bytes].concat()
}

/// Reads the cache of a character with so many limbs and this key; none if the bytes are of anything else.
pub(super) fn read(bytes: &[u8], key: u64, limbs: usize) -> Option<Vec<Option<LimbField>>> {
    let (head, values) = bytes.split_at_checked(HEAD)?;
    let wanted = [&MARK[..], &VERSION.to_le_bytes(), &key.to_le_bytes(), &checksum(START, values).to_le_bytes()];
    if head != wanted.concat() {
        return None;
    }
    let mut reader = Reader(values);
    let mut fields = Vec::new();
    for _ in 0..limbs {
        let [samples] = reader.numbers()?;
        fields.push(if samples > 0.0 { Some(reader.field(samples as usize)?) } else { None });
    }
    reader.0.is_empty().then_some(fields)
}

/// Bytes that are still to be read.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    /// The next numbers, if all are finite.
    fn numbers<const N: usize>(&mut self) -> Option<[f64; N]> {
        let (bytes, rest) = self.0.split_at_checked(8 * N)?;
        self.0 = rest;
        let mut numbers = bytes.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes));
        let numbers = [(); N].map(|()| numbers.next().unwrap_or_default());
        numbers.iter().all(|number| number.is_finite()).then_some(numbers)
    }

    fn vector(&mut self) -> Option<DVec3> {
        self.numbers().map(DVec3::from_array)
    }

    fn field(&mut self, samples: usize) -> Option<LimbField> {
        // A count beyond the bytes ends with them: nothing is reserved for it.
        let sample = |_| Some(Oriented { point: self.vector()?, normal: self.vector()? });
        let samples = (0..samples).map(sample).collect::<Option<Vec<_>>>()?;
        let [radius, mean, worst] = self.numbers()?;
        let (origin, [cell]) = (self.vector()?, self.numbers()?);
        let counts = self.numbers()?.map(|count: f64| count as usize);
        let nodes = counts.iter().try_fold(4usize, |bytes, &count: &usize| bytes.checked_mul(count))?;
        let (values, rest) = self.0.split_at_checked(nodes)?;
        self.0 = rest;
        let values = values.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        LimbField::from_cache(Grid::from_cache(origin, cell, counts, values)?, radius, samples, Fit { mean, worst })
    }
}

/// Reads bytes as the fields of as many limbs as the first one says, as if their checksum were right, and evaluates
/// what it gets.
#[cfg(fuzzing)]
pub fn fuzz(bytes: &[u8]) {
    let Some((&limbs, values)) = bytes.split_first() else { return };
    let head = [&MARK[..], &VERSION.to_le_bytes(), &[0; 8], &checksum(START, values).to_le_bytes()].concat();
    let Some(fields) = read(&[&head, values].concat(), 0, usize::from(limbs)) else { return };
    for field in fields.iter().flatten() {
        for sample in field.samples() {
            let density = field.density(sample.point).value;
            assert!((0.0..=1.0).contains(&density), "a field that was read has densities, not {density}");
        }
    }
}
