//! Compressed sparse rows: lists of different lengths in one array.

use std::ops::Range;

/// Rows that one thread sorts at a time. A granularity, without effect on results.
const ROWS_PER_TASK: usize = 4096;

/// Compressed sparse rows: the values of all rows one after another, and the offset of each row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rows<T> {
    /// Where each row begins, and where the last one ends.
    offsets: Vec<u32>,
    values: Vec<T>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self::with_capacity(0, 0)
    }
}

impl<T> Rows<T> {
    /// The rows in order.
    pub fn new(rows: impl Iterator<Item = Vec<T>>) -> Self {
        let mut result = Self::with_capacity(rows.size_hint().0, 0);
        rows.for_each(|row| result.push(row));
        result
    }

    /// No rows yet, with room for some.
    pub fn with_capacity(rows: usize, values: usize) -> Self {
        let mut offsets = Vec::with_capacity(rows + 1);
        offsets.push(0);
        Self { offsets, values: Vec::with_capacity(values) }
    }

    /// One value in each row.
    pub fn singles(values: Vec<T>) -> Self {
        Self { offsets: (0..=values.len() as u32).collect(), values }
    }

    /// Appends a row.
    pub fn push(&mut self, row: impl IntoIterator<Item = T>) {
        self.values.extend(row);
        self.offsets.push(self.values.len() as u32);
    }

    /// Appends an empty row, to which values can be added one by one.
    pub fn begin_row(&mut self) -> NewRow<'_, T> {
        let start = self.values.len();
        self.offsets.push(start as u32);
        NewRow { rows: self, start }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A row by its index.
    #[inline]
    pub fn row(&self, index: u32) -> &[T] {
        &self.values[self.range(index)]
    }

    /// A row by its index, to change its values.
    pub fn row_mut(&mut self, index: u32) -> &mut [T] {
        let range = self.range(index);
        &mut self.values[range]
    }

    #[inline]
    fn range(&self, index: u32) -> Range<usize> {
        let index = index as usize;
        self.offsets[index] as usize..self.offsets[index + 1] as usize
    }

    /// The rows in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> {
        (0..self.len() as u32).map(|index| self.row(index))
    }

    /// The values of all rows.
    pub fn values(&self) -> &[T] {
        &self.values
    }
}

/// The last of [`Rows`] while it is filled.
#[derive(Debug)]
pub struct NewRow<'a, T> {
    rows: &'a mut Rows<T>,
    start: usize,
}

impl<T> NewRow<'_, T> {
    /// Appends a value.
    #[inline]
    pub fn push(&mut self, value: T) {
        self.rows.values.push(value);
        if let Some(end) = self.rows.offsets.last_mut() {
            *end += 1;
        }
    }

    /// The values so far.
    #[inline]
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.rows.values[self.start..]
    }
}

impl Rows<u32> {
    /// The indices from 0 of a list, by the row that each belongs to, in increasing order within a row. A counting
    /// sort: the cost is linear.
    pub fn grouped(rows: usize, row_of: impl Iterator<Item = u32> + Clone) -> Self {
        let mut offsets = vec![0; rows + 1];
        row_of.clone().for_each(|row| offsets[row as usize + 1] += 1);
        (0..rows).for_each(|row| offsets[row + 1] += offsets[row]);
        let mut values = vec![0; offsets[rows] as usize];
        let mut next = offsets.clone();
        for (index, row) in row_of.enumerate() {
            let place = &mut next[row as usize];
            values[*place as usize] = index as u32;
            *place += 1;
        }
        Self { offsets, values }
    }

    /// Sorts each row by a key, which no two values of a row share.
    pub(crate) fn sort_rows_by_key<K: Ord>(&mut self, key: &(impl Fn(u32) -> K + Sync)) {
        sort(&self.offsets, &mut self.values, key);
    }
}

/// Sorts rows whose values these are; the first offset is that of the first value.
fn sort<K: Ord>(offsets: &[u32], values: &mut [u32], key: &(impl Fn(u32) -> K + Sync)) {
    let rows = offsets.len() - 1;
    if rows > ROWS_PER_TASK {
        let middle = rows / 2;
        let (low, high) = values.split_at_mut((offsets[middle] - offsets[0]) as usize);
        crate::parallel::join(|| sort(&offsets[..=middle], low, key), || sort(&offsets[middle..], high, key));
        return;
    }
    for ends in offsets.windows(2) {
        let row = (ends[0] - offsets[0]) as usize..(ends[1] - offsets[0]) as usize;
        values[row].sort_unstable_by_key(|&value| key(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_grouped_in_a_stable_order() {
        let mut rows = Rows::grouped(4, [2, 0, 2, 3, 0].into_iter());
        assert_eq!(rows.iter().collect::<Vec<_>>(), [&[1, 4][..], &[], &[0, 2], &[3]]);
        rows.sort_rows_by_key(&|index| std::cmp::Reverse(index));
        assert_eq!(rows.row(2), [2, 0]);
    }
}
