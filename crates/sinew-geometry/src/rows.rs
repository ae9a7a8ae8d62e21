//! Lists of different lengths, one after another.

/// Lists of different lengths, one after another.
#[derive(Debug, Clone)]
pub struct Rows<T> {
    begins: Vec<u32>,
    values: Vec<T>,
}

impl<T> Rows<T> {
    /// The lists, one after another.
    pub fn new(rows: impl Iterator<Item = Vec<T>>) -> Self {
        let mut result = Self { begins: vec![0], values: Vec::new() };
        for row in rows {
            result.values.extend(row);
            result.begins.push(result.values.len() as u32);
        }
        result
    }

    /// Rows of `values`, where row k is `begins[k]..begins[k + 1]`.
    ///
    /// # Panics
    /// If `begins` does not end with the number of values.
    pub fn from_parts(begins: Vec<u32>, values: Vec<T>) -> Self {
        assert_eq!(begins.last().map(|&end| end as usize), Some(values.len()), "the last row ends with the values");
        Self { begins, values }
    }

    /// A list by its place.
    #[inline]
    pub fn row(&self, index: u32) -> &[T] {
        let index = index as usize;
        &self.values[self.begins[index] as usize..self.begins[index + 1] as usize]
    }
}
