//! Any number of different motions of the demo figure.

use glam::Quat;
use sinew::demo;
use sinew::rig::{Character, Clip, JointTracks};

/// Variations of the demo figure's clips.
pub struct VariedMotions {
    /// The figure.
    pub character: Character,
    state: u64,
}

impl Default for VariedMotions {
    fn default() -> Self {
        Self { character: demo::character(), state: 1 }
    }
}

impl VariedMotions {
    /// From 0 to 1.
    fn random(&mut self) -> f32 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 40) as f32 / (1u64 << 24) as f32
    }

    /// A clip of so many seconds whose joints turn more, less and elsewhere than in one of the figure's own.
    pub fn clip(&mut self, seconds: f64) -> Clip {
        let clips = self.character.clips.len();
        let choice = ((self.random() * clips as f32) as usize).min(clips - 1);
        let source = self.character.clips[choice].clone();
        let base = self.character.base_pose.clone();
        let speed = 0.6 + f64::from(self.random());
        let mut joints = Vec::new();
        for tracks in &source.joints {
            let Some(rotation) = &tracks.rotation else { continue };
            let turn = [0; 3].map(|_| 0.5 * (self.random() - 0.5));
            let lean = Quat::from_euler(glam::EulerRot::XYZ, turn[0], turn[1], turn[2]);
            let rest = base.joints[tracks.joint].rotation.as_quat();
            let share = 1.5 * self.random();
            let length = source.seconds();
            let times: Vec<f64> = (0..=(seconds * 30.0) as usize).map(|k| k as f64 / 30.0).collect();
            let value = |t: &f64| rest.slerp(rotation.sample(source.range().0 + (t * speed) % length), share) * lean;
            let values = times.iter().map(value).map(Quat::normalize).collect();
            let rotation = Some(sinew::rig::Track::linear(times, values));
            joints.push(JointTracks { joint: tracks.joint, rotation, translation: None, scale: None });
        }
        Clip { name: "varied".into(), joints, morphs: Vec::new() }
    }
}
