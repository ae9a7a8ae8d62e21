//! Parallel iterators: those of rayon, or without the feature `parallel` those of the standard library.
//!
//! Every sum of the engine has a fixed order, so both give the same numbers to the last bit.

#[cfg(feature = "parallel")]
pub use rayon::{join, prelude::*};

#[cfg(not(feature = "parallel"))]
pub use serial::*;

/// The methods of rayon that the engine calls, on the calling thread.
#[cfg(not(feature = "parallel"))]
mod serial {
    use std::slice::{Chunks, ChunksExact, ChunksMut, Iter, IterMut};

    /// Runs one function after the other.
    pub fn join<A, B>(first: impl FnOnce() -> A, second: impl FnOnce() -> B) -> (A, B) {
        (first(), second())
    }

    /// What can be iterated.
    pub trait IntoParallelIterator: IntoIterator + Sized {
        /// Its iterator.
        fn into_par_iter(self) -> Self::IntoIter {
            self.into_iter()
        }
    }

    impl<I: IntoIterator> IntoParallelIterator for I {}

    /// Slices.
    pub trait ParallelSlice<T> {
        /// Its elements.
        fn par_iter(&self) -> Iter<'_, T>;
        /// Pieces of so many elements.
        fn par_chunks(&self, size: usize) -> Chunks<'_, T>;
        /// Pieces of so many elements, without a shorter last one.
        fn par_chunks_exact(&self, size: usize) -> ChunksExact<'_, T>;
    }

    impl<T> ParallelSlice<T> for [T] {
        fn par_iter(&self) -> Iter<'_, T> {
            self.iter()
        }

        fn par_chunks(&self, size: usize) -> Chunks<'_, T> {
            self.chunks(size)
        }

        fn par_chunks_exact(&self, size: usize) -> ChunksExact<'_, T> {
            self.chunks_exact(size)
        }
    }

    /// Slices that change.
    pub trait ParallelSliceMut<T> {
        /// Its elements.
        fn par_iter_mut(&mut self) -> IterMut<'_, T>;
        /// Pieces of so many elements.
        fn par_chunks_mut(&mut self, size: usize) -> ChunksMut<'_, T>;
        /// Sorts; equal elements may change places.
        fn par_sort_unstable(&mut self)
        where
            T: Ord;
    }

    impl<T> ParallelSliceMut<T> for [T] {
        fn par_iter_mut(&mut self) -> IterMut<'_, T> {
            self.iter_mut()
        }

        fn par_chunks_mut(&mut self, size: usize) -> ChunksMut<'_, T> {
            self.chunks_mut(size)
        }

        fn par_sort_unstable(&mut self)
        where
            T: Ord,
        {
            self.sort_unstable();
        }
    }

    /// Lists that grow.
    pub trait ParallelExtend<T> {
        /// Appends elements.
        fn par_extend(&mut self, elements: impl IntoIterator<Item = T>);
    }

    impl<T> ParallelExtend<T> for Vec<T> {
        fn par_extend(&mut self, elements: impl IntoIterator<Item = T>) {
            self.extend(elements);
        }
    }

    /// What rayon's iterators have beyond those of the standard library.
    pub trait ParallelIterator: Iterator + Sized {
        /// Has no effect on one thread.
        fn with_min_len(self, _least: usize) -> Self {
            self
        }

        /// Has no effect on one thread.
        fn with_max_len(self, _most: usize) -> Self {
            self
        }

        /// Maps with a state that is reused.
        fn map_init<S, R>(
            self,
            init: impl FnOnce() -> S,
            mut map: impl FnMut(&mut S, Self::Item) -> R,
        ) -> impl Iterator<Item = R> {
            let mut state = init();
            self.map(move |item| map(&mut state, item))
        }

        /// Runs with a state that is reused.
        fn for_each_init<S>(self, init: impl FnOnce() -> S, mut run: impl FnMut(&mut S, Self::Item)) {
            let mut state = init();
            self.for_each(|item| run(&mut state, item));
        }

        /// Maps every element to several.
        fn flat_map_iter<I: IntoIterator>(self, map: impl FnMut(Self::Item) -> I) -> impl Iterator<Item = I::Item> {
            self.flat_map(map)
        }

        /// Combines results up to the first error.
        fn try_reduce<T, E>(
            mut self,
            identity: impl FnOnce() -> T,
            mut combine: impl FnMut(T, T) -> Result<T, E>,
        ) -> Result<T, E>
        where
            Self: Iterator<Item = Result<T, E>>,
        {
            self.try_fold(identity(), |one, other| combine(one, other?))
        }
    }

    impl<I: Iterator> ParallelIterator for I {}
}
