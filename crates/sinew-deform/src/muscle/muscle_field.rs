//! The distance field of a muscle.
//!
//! With the place s of the axis that a point q belongs to ([`Axis::project`]), ρ its distance from there and θ
//! its angle to the normal there, the field is \[R18 §4.2\]
//!
//! ```text
//! f = ρ − w Φ(s) r(θ)        r = (u² cos²θ + v² sin²θ)^(−½)        u = (1−e²)^¼        v = 1/u
//! ```
//!
//! The ellipse of eccentricity e has the area of the unit circle, and its largest radius is v, along the
//! normal. On the axis itself θ means nothing, and f would jump; so within an eccentric muscle it is
//!
//! ```text
//! f = w Φ (t − 1) (1 + (r−1) t²)        t = ρ / (w Φ r)
//! ```
//!
//! which is −wΦ on the axis whatever θ, grows with t, and continues f smoothly at the surface (t = 1).
//! The width preserves the volume: `w' = w √(l/l')` at the length l' \[R18 §4.3.1\].

use super::axis::{Axis, AxisPoint};
use super::profile::within;
use super::profile::{Activated, ProfilePair, Radius};
use crate::Result;
use glam::DVec3;
use sinew_field::{Box3, CompactField, DistanceField, Falloff, Sample};
use std::f64::consts::PI;

/// The largest eccentricity: sections seven times as wide as thick.
pub const MAX_ECCENTRICITY: f64 = 0.99;

/// A muscle that is shorter than this share of its length at rest does not get wider still.
const MIN_STRETCH: f64 = 0.2;

/// The shape of a muscle at rest.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// The radius along the axis, relaxed and active.
    pub profiles: ProfilePair,
    /// The radius whose circle, all along the axis, would make the muscle's volume: `V = π w² l`.
    pub width: f64,
    /// How flat sections are, from 0 for a circle to [`MAX_ECCENTRICITY`].
    pub eccentricity: f64,
}

/// The settings per frame; only the width changes the volume.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MuscleControl {
    /// From 0, relaxed, to 1.
    pub activation: f64,
    /// How flat sections are; that of the shape if none.
    pub eccentricity: Option<f64>,
    /// A factor on the width.
    pub width: f64,
    /// How tense its fibres are, above 0 and up to 1; that of the muscle if none. It matters to the dynamics alone.
    pub stiffness: Option<f64>,
}

impl Default for MuscleControl {
    fn default() -> Self {
        Self { activation: 0.0, eccentricity: None, width: 1.0, stiffness: None }
    }
}

/// A muscle in space.
#[derive(Debug, Clone, PartialEq)]
pub struct MuscleField {
    axis: Axis,
    shape: Shape,
    rest_length: f64,
    activated: Activated,
    /// At the present length.
    width: f64,
    /// u² and v².
    squares: [f64; 2],
    largest_radius: f64,
    bounds: Box3,
}

impl MuscleField {
    /// A muscle of a shape along an axis. Its length is the one at rest.
    pub fn new(axis: Axis, shape: Shape) -> Result<Self> {
        shape.check()?;
        let mut field = Self {
            rest_length: axis.length(),
            activated: shape.profiles.activated(0.0),
            width: shape.width,
            squares: [1.0; 2],
            largest_radius: 0.0,
            bounds: Box3::EMPTY,
            axis,
            shape,
        };
        field.set(&MuscleControl::default());
        Ok(field)
    }

    /// Moves the axis and applies a control, without allocating. Values out of range are clamped.
    ///
    /// # Panics
    /// If the axis had another number of points.
    pub fn update(&mut self, points: &[DVec3], normals: [DVec3; 2], control: &MuscleControl) {
        self.axis.place(points, normals);
        self.set(control);
    }

    fn set(&mut self, control: &MuscleControl) {
        let flatness = within(control.eccentricity.unwrap_or(self.shape.eccentricity), 0.0, MAX_ECCENTRICITY);
        let square = (1.0 - flatness * flatness).sqrt();
        self.squares = [square, 1.0 / square];
        self.activated = self.shape.profiles.activated(control.activation);
        let stretch = (self.axis.length() / self.rest_length).max(MIN_STRETCH);
        self.width = self.shape.width * control.width.max(0.0) / stretch.sqrt();
        self.largest_radius = self.width * self.squares[1].sqrt() * self.shape.profiles.largest(self.activated);
        self.bounds = self.bounds_within(self.largest_radius);
    }

    /// The axis.
    pub fn axis(&self) -> &Axis {
        &self.axis
    }

    /// Its shape at rest.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// How long it is at rest.
    pub fn rest_length(&self) -> f64 {
        self.rest_length
    }

    /// The width at the present length.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// `max w v Φ`, which is also the radius of its fall-off.
    pub fn largest_radius(&self) -> f64 {
        self.largest_radius
    }

    /// `max w Φ`: the radius of a circular section of the same area where the muscle is thickest.
    pub fn belly_radius(&self) -> f64 {
        self.largest_radius / self.squares[1].sqrt()
    }

    /// π w² l, which on a straight axis is the volume.
    pub fn nominal_volume(&self) -> f64 {
        PI * self.width * self.width * self.axis.length()
    }

    /// How much memory it takes.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.axis.points.len() * size_of::<AxisPoint>()
    }

    /// The radius of a circular section of the same area at a place, and its slope.
    #[inline]
    pub fn radius(&self, share: f64) -> Radius {
        let Radius { value, slope } = self.shape.profiles.at(self.activated, share);
        Radius { value: self.width * value, slope: self.width * slope }
    }

    /// Whether a point may be within a distance of its surface, by a quick test.
    #[inline]
    pub(crate) fn reaches(&self, place: DVec3, distance: f64) -> bool {
        let beyond = DVec3::splat((distance - self.largest_radius).max(0.0));
        let Box3 { min, max } = self.bounds;
        (place - min + beyond).min_element() >= 0.0 && (max - place + beyond).min_element() >= 0.0
    }

    /// The radius in the direction whose cosine with the normal has this square.
    pub(super) fn section(&self, cosine_squared: f64) -> f64 {
        let [u, v] = self.squares;
        (v - (v - u) * cosine_squared).sqrt().recip()
    }
}

impl DistanceField for MuscleField {
    fn distance(&self, point: DVec3) -> Sample {
        let place = self.axis.project(point);
        let frame = self.axis.at(place.share);
        let from = point - frame.position;
        let distance = from.length();
        let radius = self.radius(place.share);
        if distance == 0.0 {
            return Sample { value: -radius.value, gradient: DVec3::ZERO };
        }
        let distance_gradient = (from - from.dot(frame.velocity) * place.gradient) / distance;
        let radius_gradient = radius.slope * place.gradient;
        if self.squares[0] == 1.0 {
            return Sample { value: distance - radius.value, gradient: distance_gradient - radius_gradient };
        }
        let aside = from.dot(frame.normal);
        let aside_gradient =
            frame.normal + (from.dot(frame.normal_velocity) - frame.velocity.dot(frame.normal)) * place.gradient;
        let cosine = aside / distance;
        let section = self.section(cosine * cosine);
        let bend = (self.squares[1] - self.squares[0]) * section * section * section;
        let section_gradient = (aside_gradient - cosine * distance_gradient) * (bend * cosine / distance);
        let surface = radius.value * section;
        if distance >= surface {
            let gradient = distance_gradient - section * radius_gradient - radius.value * section_gradient;
            return Sample { value: distance - surface, gradient };
        }
        let depth = distance / surface;
        let depth_gradient =
            distance_gradient / surface - depth * (radius_gradient / radius.value + section_gradient / section);
        let (short, swelling) = (depth - 1.0, 1.0 + (section - 1.0) * depth * depth);
        let swelling_gradient = depth * depth * section_gradient + 2.0 * (section - 1.0) * depth * depth_gradient;
        Sample {
            value: radius.value * short * swelling,
            gradient: short * swelling * radius_gradient
                + radius.value * (swelling * depth_gradient + short * swelling_gradient),
        }
    }

    fn bounds_within(&self, distance: f64) -> Box3 {
        // A little more, as the largest radius is found by trying.
        Box3::around(self.axis.positions()).expanded(DVec3::splat(1.001 * self.largest_radius + distance))
    }
}

impl CompactField for MuscleField {
    #[inline]
    fn density(&self, point: DVec3) -> Sample {
        Falloff::Smooth { radius: self.largest_radius }.apply(self.distance(point))
    }

    fn bounds(&self) -> Box3 {
        self.bounds
    }
}

impl Shape {
    /// Refuses what is no shape.
    pub fn check(&self) -> Result<()> {
        if !(self.width.is_finite() && self.width > 0.0) {
            let what = "the width of a muscle";
            return Err(
                sinew_geometry::Error::OutOfRange { what, value: self.width, range: "finite and above 0" }.into()
            );
        }
        if !(0.0..=MAX_ECCENTRICITY).contains(&self.eccentricity) {
            let what = "the eccentricity of a muscle";
            return Err(sinew_geometry::Error::OutOfRange { what, value: self.eccentricity, range: "0 to 0.99" }.into());
        }
        Ok(())
    }
}
