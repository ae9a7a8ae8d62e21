//! The content of a BVH file.

/// One number of a joint that a frame sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// The position along x, y or z (0, 1 or 2), in the file's unit.
    Position(usize),
    /// The rotation about x, y or z (0, 1 or 2), in degrees.
    Rotation(usize),
}

impl Channel {
    const NAMES: [(&'static str, Self); 6] = [
        ("Xposition", Self::Position(0)),
        ("Yposition", Self::Position(1)),
        ("Zposition", Self::Position(2)),
        ("Xrotation", Self::Rotation(0)),
        ("Yrotation", Self::Rotation(1)),
        ("Zrotation", Self::Rotation(2)),
    ];

    /// The channel of that name, in any case.
    pub fn from_name(name: &[u8]) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| name.eq_ignore_ascii_case(known.as_bytes())).map(|&(_, channel)| channel)
    }

    /// Its name in the file.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|&&(_, channel)| channel == self).map_or("", |&(name, _)| name)
    }
}

/// One joint of the hierarchy.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BvhJoint {
    /// Its name, which may hold spaces and colons.
    pub name: String,
    /// Index of its parent; none for a root.
    pub parent: Option<usize>,
    /// From the parent's origin to this joint's.
    pub offset: [f64; 3],
    /// The channels of a frame, in order.
    pub channels: Vec<Channel>,
    /// Where bones end that lead to no joint: none or one in most files.
    pub end_sites: Vec<[f64; 3]>,
}

/// A BVH file: joints depth first, and the channels' values frame by frame.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bvh {
    pub(super) joints: Vec<BvhJoint>,
    pub(super) frame_time: f64,
    pub(super) frames: Vec<f64>,
}

impl Bvh {
    /// The joints, depth first as in the file.
    pub fn joints(&self) -> &[BvhJoint] {
        &self.joints
    }

    /// Seconds from frame to frame.
    pub fn frame_time(&self) -> f64 {
        self.frame_time
    }

    /// Values per frame: the channels of all joints in order.
    pub fn channel_count(&self) -> usize {
        self.joints.iter().map(|j| j.channels.len()).sum()
    }

    /// How many frames there are.
    pub fn frame_count(&self) -> usize {
        self.frames.len() / self.channel_count().max(1)
    }

    /// The values of each frame in turn.
    pub fn frames(&self) -> std::slice::ChunksExact<'_, f64> {
        self.frames.chunks_exact(self.channel_count().max(1))
    }
}
