//! An allocator that counts the allocations of each thread.
//!
//! A test program installs it once: `#[global_allocator] static ALLOCATOR: CountingAllocator = CountingAllocator;`.
//! Threads count for themselves, so tests that run side by side do not disturb each other. Work that rayon may hand
//! to other threads is measured inside a pool of one thread (`ThreadPool::install`), where all of it stays.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    // Without a destructor or lazy initialisation, so that the allocator may use it at any time.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// The number of allocations and reallocations of the calling thread so far.
#[must_use]
pub fn allocations() -> usize {
    ALLOCATIONS.get()
}

/// The system's allocator, which counts for [`allocations`].
#[derive(Debug)]
pub struct CountingAllocator;

fn count() {
    ALLOCATIONS.set(ALLOCATIONS.get() + 1);
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract, and the pointer came from the system.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the contract, and the pointer came from the system.
        unsafe { System.realloc(pointer, layout, size) }
    }
}
