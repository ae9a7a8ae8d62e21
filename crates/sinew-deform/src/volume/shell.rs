//! A connected piece of surface: it collects what its regions do, keeps the total exact, and hands the result on.

use super::change::Steps;
use super::correction::Request;
use super::options::VolumeOptions;
use super::oscillation::Oscillation;
use super::output::Output;
use super::region::Region;
use super::rest::{RestSurface, by_area};
use super::settings::Settings;
use super::surface::{ContactSlack, Displacements, PartSurface};
use super::whole::Whole;
use crate::skinning::Motions;
use glam::{DMat3, DQuat, DVec3};
use sinew_geometry::polar;
use sinew_rig::{Frame, Surface};

/// One shell of a part.
pub(super) struct Shell {
    pub part: usize,
    /// All its vertices.
    whole: Whole,
    /// The welded vertex of the part at each of its own, and the other way round.
    places: Vec<u32>,
    number: Vec<u32>,
    /// γ for corrections of the whole.
    gamma: Vec<f64>,
    /// γ for a volume that breathes.
    breath: Vec<f64>,
    oscillation: Option<Oscillation>,
    /// γ for a correction of free vertices, computed again each time.
    free_gamma: Vec<f64>,
    /// How far each vertex is moved from the base skin.
    displacement: Vec<DVec3>,
    /// The largest γ of the regions that each vertex is in, poses apart.
    mask: Vec<f64>,
    /// The radius of each vertex's limb at rest.
    thickness: Vec<f64>,
    /// How much larger than at rest the joints that move each vertex are in this frame.
    growth: Vec<f64>,
    largest_growth: f64,
    /// Vertices that are moved, or next to one, in this frame.
    touched: Vec<u32>,
    is_touched: Vec<bool>,
    output: Output,
    /// Volume that is still missing.
    missing: f64,
    /// Whether the changes of this frame are known exactly.
    is_exact: bool,
    motions: Motions,
    slots: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// The farthest that the joints together move a vertex, in radii of its limb.
const MAX_TOTAL_DISPLACEMENT: f64 = 0.8;

impl Shell {
    /// `thickness` is the limb's radius at each welded vertex; `breath_center` is where the body breathes.
    pub fn new(
        rest: &RestSurface<'_>,
        (part, shell): (usize, u32),
        options: &VolumeOptions,
        thickness: &[f64],
        breath_center: Option<DVec3>,
    ) -> Self {
        let closed = &rest.surface.closed;
        let faces = closed.faces().iter().zip(closed.shell_of_face()).filter(|(_, s)| **s == shell);
        let mut vertices: Vec<u32> = faces.flat_map(|(face, _)| face.corners().to_vec()).collect();
        vertices.retain(|&v| closed.rim_of(v).is_none());
        vertices.sort_unstable();
        vertices.dedup();
        let whole = Whole::new(closed, rest.faces_at, &vertices);
        let mut number = vec![NONE; closed.vertex_count()];
        vertices.iter().enumerate().for_each(|(k, &v)| number[v as usize] = k as u32);
        let count = vertices.len();
        let gamma = by_area(rest, &vertices, |v| rest.freedom(v, thickness[v as usize]) * thickness[v as usize]);
        let thickness: Vec<f64> = vertices.iter().map(|&v| thickness[v as usize]).collect();
        let breath = match breath_center {
            Some(center) => breath_gamma(rest, &vertices, &gamma, center),
            None => gamma.clone(),
        };
        let shakes = options.shake.frequency > 0.0;
        Self {
            part,
            number,
            gamma,
            breath,
            oscillation: shakes.then(|| Oscillation::new(options.shake.frequency, options.shake.damping, count)),
            free_gamma: vec![0.0; count],
            displacement: vec![DVec3::ZERO; count],
            mask: vec![0.0; count],
            thickness,
            growth: vec![0.0; count],
            largest_growth: 1.0,
            touched: Vec::with_capacity(count),
            is_touched: vec![false; count],
            output: Output::new(count),
            missing: 0.0,
            is_exact: true,
            motions: Motions::new(rest.surface.joints.len()),
            slots: (0..rest.surface.joints.len() as u32).collect(),
            places: vertices,
            whole,
        }
    }

    /// Forgets the frame before.
    pub fn begin(&mut self) {
        for &k in &self.touched {
            self.displacement[k as usize] = DVec3::ZERO;
            self.mask[k as usize] = 0.0;
            self.growth[k as usize] = 0.0;
            self.is_touched[k as usize] = false;
        }
        self.touched.clear();
        self.missing = 0.0;
        self.is_exact = true;
        self.largest_growth = 0.0;
    }

    /// The radius of a vertex's limb in this frame.
    fn limb_radius(&self, k: usize) -> f64 {
        let growth = if self.growth[k] > 0.0 { self.growth[k] } else { self.largest_growth };
        self.thickness[k] * growth
    }

    /// How far welded vertices of the part are displaced so far.
    pub fn displacements(&self) -> Displacements<'_> {
        Displacements { number: &self.number, values: &self.displacement }
    }

    /// The farthest that a vertex is moved, in radii of its limb.
    pub fn farthest_in_radii(&self) -> f64 {
        let share = |&k: &u32| self.displacement[k as usize].length() / self.limb_radius(k as usize);
        self.touched.iter().map(share).filter(|share| share.is_finite()).fold(0.0, f64::max)
    }

    /// Takes over what a region moved.
    pub fn add(&mut self, region: &Region, is_exact: bool) {
        let corrected = region.reach.patch.vertices().iter().copied().zip(region.reach.scratch.moved.iter().copied());
        for (vertex, moved) in corrected {
            self.displacement[self.number[vertex as usize] as usize] += moved;
        }
        for (&vertex, &mask) in region.reach.patch.movable().iter().zip(&region.reach.mask) {
            let place = self.number[vertex as usize] as usize;
            self.mask[place] = self.mask[place].max(mask);
        }
        let growth = if region.radius > 0.0 { region.reach.scratch.radius / region.radius } else { 0.0 };
        self.largest_growth = self.largest_growth.max(growth);
        for vertex in region.vertices() {
            let place = self.number[vertex as usize] as usize;
            self.growth[place] = self.growth[place].max(growth);
            self.touch(place);
        }
        self.missing += region.reach.scratch.left;
        self.is_exact &= is_exact;
    }

    fn touch(&mut self, place: usize) {
        if !std::mem::replace(&mut self.is_touched[place], true) {
            self.touched.push(place as u32);
        }
    }

    /// Corrects what is missing over the whole shell and writes the surface.
    pub fn finish(
        &mut self,
        part: &PartSurface,
        steps: &Steps<'_>,
        frame: &Frame<'_>,
        settings: &Settings,
        surface: &mut Surface,
        contacts: ContactSlack<'_>,
    ) {
        self.limit_displacements(part, surface);
        self.complete(part, steps, frame, settings, surface, contacts);
        if let Some(mut oscillation) = self.oscillation.take() {
            self.oscillate(&mut oscillation, part, frame, surface, contacts);
            self.oscillation = Some(oscillation);
        }
        self.output.write(part, &self.whole.patch, &self.touched, &self.displacement, surface);
    }

    /// Takes vertices that several joints together moved too far back within their limb's radius.
    fn limit_displacements(&mut self, part: &PartSurface, surface: &Surface) {
        let excess = |shell: &Self, k: u32| {
            let farthest = MAX_TOTAL_DISPLACEMENT * shell.limb_radius(k as usize);
            shell.displacement[k as usize].length() / farthest.max(f64::MIN_POSITIVE)
        };
        if self.touched.iter().all(|&k| excess(self, k) <= 1.0) {
            return;
        }
        let wanted = self.volume(part, surface);
        for index in 0..self.touched.len() {
            let k = self.touched[index];
            let excess = excess(self, k);
            if excess > 1.0 {
                self.displacement[k as usize] /= excess;
            }
        }
        self.missing += wanted - self.volume(part, surface);
    }

    /// Adds what no region could take, what the body breathes, and what stages before changed where no joint bends.
    fn complete(
        &mut self,
        part: &PartSurface,
        steps: &Steps<'_>,
        frame: &Frame<'_>,
        settings: &Settings,
        surface: &Surface,
        contacts: ContactSlack<'_>,
    ) {
        let slack = |shell: &Self, k: usize| contacts.slack(part, shell.places[k]);
        // Only what is missing is worth a look at the whole shell.
        if self.missing != 0.0 {
            self.set_free_gamma(|shell, k| shell.gamma[k] * slack(shell, k));
            self.correct_free(self.missing, part, surface);
        }
        let target = settings.target(frame.time.seconds);
        let is_trimmed = settings.is_total && !self.touched.is_empty() && (!self.is_exact || settings.follows_stages);
        if !is_trimmed && target == 1.0 {
            return;
        }
        let rest = self.rest_volume(part, steps);
        if is_trimmed {
            self.set_free_gamma(|shell, k| shell.mask[k] * slack(shell, k));
            let missing = rest - self.volume(part, surface);
            self.correct_free(missing, part, surface);
        }
        self.set_free_gamma(|shell, k| shell.breath[k] * slack(shell, k));
        self.correct_free((target - 1.0) * rest, part, surface);
    }

    /// Lets vertices move by a γ.
    fn set_free_gamma(&mut self, gamma: impl Fn(&Self, usize) -> f64) {
        for k in 0..self.free_gamma.len() {
            self.free_gamma[k] = gamma(self, k);
        }
    }

    /// Lets the displacements swing, and gives back the volume that the swing takes where it takes it. Nothing swings that
    /// touches.
    fn oscillate(
        &mut self,
        oscillation: &mut Oscillation,
        part: &PartSurface,
        frame: &Frame<'_>,
        surface: &Surface,
        contacts: ContactSlack<'_>,
    ) {
        let wanted = self.volume(part, surface);
        let vertices = &self.places;
        for (gamma, moved) in self.free_gamma.iter_mut().zip(&self.displacement) {
            *gamma = moved.length();
        }
        let turn = |k: usize| {
            let joint = part.influences(vertices[k]).first().map_or(0, |i| part.joints[i.0 as usize]);
            rotation(frame.world[joint].matrix3)
        };
        oscillation.advance(&mut self.displacement, turn, frame.time.delta);
        for (k, (gamma, moved)) in self.free_gamma.iter_mut().zip(&mut self.displacement).enumerate() {
            let slack = contacts.slack(part, vertices[k]);
            *moved *= slack;
            *gamma = (*gamma + moved.length()) * slack * self.gamma[k];
        }
        let volume = wanted - self.volume(part, surface);
        self.correct_free(volume, part, surface);
        (0..self.displacement.len()).for_each(|k| self.touch(k));
    }

    /// Adds a volume where vertices are free to move.
    fn correct_free(&mut self, volume: f64, part: &PartSurface, surface: &Surface) {
        let gamma = std::mem::take(&mut self.free_gamma);
        self.correct(Request { volume, ..Request::unlimited(&gamma) }, part, surface);
        self.free_gamma = gamma;
    }

    /// Adds a volume over the whole shell.
    fn correct(&mut self, request: Request<'_>, part: &PartSurface, surface: &Surface) {
        if request.volume == 0.0 {
            return;
        }
        let Self { whole, places, displacement, .. } = self;
        let base = |k: usize| surface.positions[part.representative(places[k])].as_dvec3();
        whole.correct(request, base, displacement);
        for (k, gamma) in request.gamma.iter().enumerate() {
            if *gamma > 0.0 {
                self.touch(k);
            }
        }
    }

    /// The volume as corrected so far.
    fn volume(&mut self, part: &PartSurface, surface: &Surface) -> f64 {
        let Self { whole, places, displacement, .. } = self;
        whole.volume(|k| surface.positions[part.representative(places[k])].as_dvec3() + displacement[k])
    }

    /// The volume of the skin before any joint's step.
    fn rest_volume(&mut self, part: &PartSurface, steps: &Steps<'_>) -> f64 {
        let Self { whole, places, motions, slots, .. } = self;
        motions.begin();
        part.set_motions(slots, motions, |j| steps.world(j, 0));
        whole.volume(|k| part.place(places[k], &steps.pose.morphs, motions))
    }
}

/// γ around a joint: a bump as wide as the body there, which is taken from the nearest tenth of the vertices.
fn breath_gamma(rest: &RestSurface<'_>, vertices: &[u32], gamma: &[f64], center: DVec3) -> Vec<f64> {
    let distances: Vec<f64> = vertices.iter().map(|&v| rest.points[v as usize].distance(center)).collect();
    let mut sorted = distances.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    let reach = 2.0 * sorted[sorted.len() / 10];
    let bump = |d: f64| if d < reach { (1.0 - (d / reach).powi(2)).powi(2) } else { 0.0 };
    distances.iter().zip(gamma).map(|(&d, gamma)| bump(d) * gamma).collect()
}

/// The rotation nearest to a joint's matrix; none for a collapsed one.
fn rotation(matrix: DMat3) -> DQuat {
    let (rotation, _) = polar(matrix);
    if rotation.is_finite() { rotation } else { DQuat::IDENTITY }
}
