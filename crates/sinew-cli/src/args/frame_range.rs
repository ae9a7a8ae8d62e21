//! A range of frames.

use crate::failure::{Result, refuse};
use sinew::rig::Clip;

/// Frames from one to another, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameRange {
    pub first: usize,
    pub last: usize,
}

impl FrameRange {
    /// The times of its first and its last frame in a clip.
    pub fn seconds(self, clip: &Clip) -> Result<(f64, f64)> {
        let times = clip.key_times();
        let Some((&start, &end)) = times.get(self.first).zip(times.get(self.last)) else {
            let Self { first, last } = self;
            refuse!("--range {first}:{last} is not in clip \"{}\", which has {} frames from 0", clip.name, times.len());
        };
        Ok((start, end))
    }
}

impl std::str::FromStr for FrameRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once(':').and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
        match numbers {
            Some((first, last)) if first < last => Ok(Self { first, last }),
            _ => Err("a range is two frames such as 30:90, the first below the last".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_two_numbers_in_order() {
        assert_eq!("3:17".parse(), Ok(FrameRange { first: 3, last: 17 }));
        for wrong in ["3", "17:3", "3:3", "a:b", "-1:2", ":", ""] {
            assert!(wrong.parse::<FrameRange>().is_err(), "{wrong}");
        }
    }
}
