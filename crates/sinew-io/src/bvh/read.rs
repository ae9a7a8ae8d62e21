//! From text to document.

use super::{Bvh, BvhJoint, Channel};
use crate::Problem;
use crate::scan::{Scanner, quoted};

/// Deeper hierarchies are refused: no body has them, and they make tools quadratic.
const MAX_DEPTH: usize = 512;
/// More joints are refused for the same reason.
const MAX_JOINTS: usize = 10_000;
/// Position and rotation, x, y and z.
const MAX_CHANNELS: usize = 6;

impl Bvh {
    /// Reads a file. Any channel order, several roots, any spacing and line ends are accepted; errors
    /// name the line.
    pub fn parse(bytes: &[u8]) -> Result<Self, Problem> {
        let mut scanner = Scanner::new(bytes);
        scanner.expect("HIERARCHY")?;
        let joints = hierarchy(&mut scanner)?;
        let mut bvh = Self { joints, frame_time: 0.0, frames: Vec::new() };
        bvh.read_motion(&mut scanner)?;
        Ok(bvh)
    }

    fn read_motion(&mut self, scanner: &mut Scanner<'_>) -> Result<(), Problem> {
        let channels = self.channel_count();
        if channels == 0 {
            return Err(scanner.malformed("no joint has a channel, so there is no motion to read"));
        }
        label(scanner, &["Frames"])?;
        let at_count = scanner.position();
        let frames = scanner.count("the number of frames")?;
        if frames == 0 {
            return Err(scanner.malformed_at(at_count, "the file has 0 frames; a motion needs at least one"));
        }
        label(scanner, &["Frame", "Time"])?;
        let at_time = scanner.position();
        self.frame_time = scanner.number("the frame time")?;
        if self.frame_time <= 0.0 {
            let why = format!("the frame time must be above 0 seconds, found {}", self.frame_time);
            return Err(scanner.malformed_at(at_time, why));
        }
        let start = scanner.clone();
        // Every value takes a digit and a space at least, so the bytes left bound what is allocated.
        let most = scanner.remaining() / 2 + 1;
        let expected = frames.saturating_mul(channels);
        self.frames = Vec::with_capacity(expected.min(most));
        loop {
            scanner.skip_space();
            if scanner.remaining() == 0 {
                break;
            }
            if self.frames.len() == expected {
                return Err(miscounted(start, channels, frames, self.frames.len()));
            }
            self.frames.push(scanner.number("a channel value")?);
        }
        if self.frames.len() != expected {
            return Err(miscounted(start, channels, frames, self.frames.len()));
        }
        Ok(())
    }
}

/// Joints up to the word `MOTION`, depth first and without recursion.
fn hierarchy(scanner: &mut Scanner<'_>) -> Result<Vec<BvhJoint>, Problem> {
    let mut joints: Vec<BvhJoint> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    loop {
        let parent = open.last().copied();
        let is_root = parent.is_none() && scanner.take("ROOT");
        if is_root || (parent.is_some() && scanner.take("JOINT")) {
            if open.len() == MAX_DEPTH {
                return Err(scanner.malformed(format!("joints are nested deeper than {MAX_DEPTH}")));
            }
            if joints.len() == MAX_JOINTS {
                return Err(scanner.malformed(format!("the file has more than {MAX_JOINTS} joints")));
            }
            joints.push(BvhJoint { name: scanner.name(), parent, ..BvhJoint::default() });
            open.push(joints.len() - 1);
            scanner.expect("{")?;
            continue;
        }
        let Some(joint) = parent.and_then(|index| joints.get_mut(index)) else {
            if joints.is_empty() {
                let found = quoted(scanner.peek());
                return Err(scanner.malformed(format!("expected \"ROOT\", found {found}")));
            }
            scanner.expect("MOTION")?;
            return Ok(joints);
        };
        if scanner.take("OFFSET") {
            joint.offset = scanner.vector("an offset")?;
        } else if scanner.take("CHANNELS") {
            joint.channels = channels(scanner, &joint.name)?;
        } else if scanner.take("End") {
            scanner.name();
            scanner.expect("{")?;
            scanner.expect("OFFSET")?;
            joint.end_sites.push(scanner.vector("an offset")?);
            scanner.expect("}")?;
        } else if scanner.take("}") {
            open.pop();
        } else {
            let found = quoted(scanner.peek());
            let why =
                format!("in joint \"{}\": expected OFFSET, CHANNELS, JOINT, End Site or }}, found {found}", joint.name);
            return Err(scanner.malformed(why));
        }
    }
}

fn channels(scanner: &mut Scanner<'_>, joint: &str) -> Result<Vec<Channel>, Problem> {
    let count = scanner.count("the number of channels")?;
    if count > MAX_CHANNELS {
        return Err(
            scanner.malformed(format!("joint \"{joint}\" has {count} channels, but {MAX_CHANNELS} are the most"))
        );
    }
    let mut channels = Vec::with_capacity(count);
    for _ in 0..count {
        let word = scanner.peek();
        let Some(channel) = Channel::from_name(word) else {
            let why = format!("joint \"{joint}\" should have {count} channels, but {} is none", quoted(word));
            return Err(scanner.malformed(why));
        };
        if channels.contains(&channel) {
            return Err(scanner.malformed(format!("joint \"{joint}\" has the channel {} twice", channel.name())));
        }
        scanner.word();
        channels.push(channel);
    }
    Ok(channels)
}

/// Words and a colon with any spacing: `Frame Time:`, `FrameTime :`, `Frame  Time`.
fn label(scanner: &mut Scanner<'_>, words: &[&str]) -> Result<(), Problem> {
    if words.iter().all(|word| scanner.take_prefix(word)) {
        scanner.take_prefix(":");
        scanner.skip_space();
        return Ok(());
    }
    let found = quoted(scanner.peek());
    Err(scanner.malformed(format!("expected \"{}:\", found {found}", words.join(" "))))
}

/// The error for too few or too many values: at the first line that holds no whole frame, else at the
/// end of what is there.
#[cold]
fn miscounted(mut values: Scanner<'_>, channels: usize, frames: usize, found: usize) -> Problem {
    values.skip_space();
    for frame in 0..frames {
        let start = values.position();
        if values.remaining() == 0 {
            return values.malformed(format!("expected {frames} frames of {channels} values, found {frame} frames"));
        }
        let count = values.rest_of_line().split(u8::is_ascii_whitespace).filter(|w| !w.is_empty()).count();
        values.skip_space();
        if count != channels {
            return values.malformed_at(
                start,
                format!("frame {frame} should have {channels} values, one for each channel, found {count}"),
            );
        }
    }
    let more = if found == frames.saturating_mul(channels) { ", but more follow" } else { "" };
    values.malformed(format!("expected {frames} frames of {channels} values{more}"))
}
