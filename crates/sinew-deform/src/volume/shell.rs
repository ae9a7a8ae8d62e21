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
use crate::contact::DisplacementGuard;
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
    /// The guard against new contacts by corrections.
    guard: Option<DisplacementGuard>,
    /// Vertices that may move far enough in this frame to touch something.
    is_searched: Vec<bool>,
    /// The displacements before any contact.
    requested: Vec<DVec3>,
    /// Those with the fewest new contacts so far.
    best: Vec<DVec3>,
    /// γ for a correction of free vertices, computed again each time.
    free_gamma: Vec<f64>,
    /// How far each vertex is pushed to part the sides of bends.
    pushed: Vec<DVec3>,
    /// How far each vertex is moved from the base skin.
    displacement: Vec<DVec3>,
    /// The largest γ of the regions that each vertex is in, poses apart.
    mask: Vec<f64>,
    smallest_radius: f64,
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

/// The farthest that giving back a contact's volume moves a vertex, in radii of the smallest limb.
const CONTACT_STEP_LIMIT: f64 = 0.2;

/// A displacement that makes no contact that one could see, in radii of the limb.
const INVISIBLE: f64 = 4e-4;

/// A volume that is not worth a correction, as a share of the whole.
const VOLUME_TOLERANCE: f64 = 1e-13;

/// The share of contacts that a round must leave at most for another one of its kind.
const WORTHWHILE: f64 = 0.8;

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
        let painted = |v: u32| rest.paint.get(v as usize).copied().unwrap_or(1.0);
        let gamma = by_area(rest, &vertices, |v| painted(v) * thickness[v as usize]);
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
            guard: options.contacts.then(|| guard(&whole, rest, &thickness)),
            is_searched: vec![false; count],
            requested: vec![DVec3::ZERO; count],
            best: vec![DVec3::ZERO; count],
            free_gamma: vec![0.0; count],
            pushed: vec![DVec3::ZERO; count],
            displacement: vec![DVec3::ZERO; count],
            mask: vec![0.0; count],
            smallest_radius: f64::INFINITY,
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

    /// Forgets the frame before and, if some regions are going to move the shell, or it moves as a whole, looks where
    /// the base skin crosses itself there.
    pub fn begin<'a>(
        &mut self,
        part: &PartSurface,
        frame: &Frame<'_>,
        surface: &Surface,
        bent: impl Iterator<Item = &'a Region>,
        is_breathing: bool,
    ) {
        for &k in &self.touched {
            self.displacement[k as usize] = DVec3::ZERO;
            self.pushed[k as usize] = DVec3::ZERO;
            self.mask[k as usize] = 0.0;
            self.growth[k as usize] = 0.0;
            self.is_touched[k as usize] = false;
        }
        self.touched.clear();
        self.missing = 0.0;
        self.is_exact = true;
        self.smallest_radius = f64::INFINITY;
        self.largest_growth = 0.0;
        let Self { guard: Some(guard), is_searched, number, places, oscillation, .. } = self else { return };
        let moves_as_a_whole = is_breathing || oscillation.is_some();
        let mut bent = bent.peekable();
        if !moves_as_a_whole && bent.peek().is_none() {
            return;
        }
        is_searched.fill(moves_as_a_whole);
        for region in bent {
            region.vertices().for_each(|v| is_searched[number[v as usize] as usize] = true);
        }
        let base = |k: usize| surface.positions[part.representative(places[k])];
        guard.begin(frame.time.delta);
        guard.find_in_base(is_searched, base);
    }

    /// The radius of a vertex's limb in this frame.
    fn limb_radius(&self, k: usize) -> f64 {
        let growth = if self.growth[k] > 0.0 { self.growth[k] } else { self.largest_growth };
        self.thickness[k] * growth
    }

    /// Whether the base skin crosses itself at some of these welded vertices.
    pub fn is_intersecting_at(&self, vertices: &[u32]) -> bool {
        let is_intersecting =
            |guard: &DisplacementGuard, v: u32| guard.is_intersecting(self.number[v as usize] as usize);
        self.guard.as_ref().is_some_and(|guard| vertices.iter().any(|&v| is_intersecting(guard, v)))
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
        let parted = region.separation.iter().flat_map(|separation| separation.pushed());
        let corrected = region.reach.patch.vertices().iter().copied().zip(region.reach.scratch.moved.iter().copied());
        for (vertex, pushed) in parted {
            let place = self.number[vertex as usize] as usize;
            self.pushed[place] += pushed;
            self.displacement[place] += pushed;
        }
        for (vertex, moved) in corrected {
            self.displacement[self.number[vertex as usize] as usize] += moved;
        }
        for (&vertex, &mask) in region.reach.patch.movable().iter().zip(&region.reach.mask) {
            let place = self.number[vertex as usize] as usize;
            self.mask[place] = self.mask[place].max(mask);
        }
        let growth = if region.radius > 0.0 { region.reach.scratch.radius / region.radius } else { 0.0 };
        self.largest_growth = self.largest_growth.max(growth);
        if growth > 0.0 {
            self.smallest_radius = self.smallest_radius.min(region.reach.scratch.radius);
        }
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
            self.oscillate(&mut oscillation, part, frame, surface);
            self.oscillation = Some(oscillation);
        }
        if !self.touched.is_empty()
            && let Some(mut guard) = self.guard.take()
        {
            self.resolve_contacts(&mut guard, part, surface, contacts);
            self.guard = Some(guard);
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

    /// Adds what no region could take, and what the body breathes. Where the whole shell is looked at for contacts
    /// anyway, the error of the base skin's single precision is taken out as well.
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
            self.correct_free(self.missing, f64::INFINITY, part, surface);
        }
        let target = settings.target(frame.time.seconds);
        let is_trimmed = settings.is_total && !self.touched.is_empty() && (!self.is_exact || self.guard.is_some());
        if !is_trimmed && target == 1.0 {
            return;
        }
        let rest = self.rest_volume(part, steps);
        if is_trimmed {
            self.set_free_gamma(|shell, k| shell.mask[k] * slack(shell, k));
            let missing = rest - self.volume(part, surface);
            self.correct_free(missing, f64::INFINITY, part, surface);
        }
        self.set_free_gamma(|shell, k| shell.breath[k] * slack(shell, k));
        self.correct_free((target - 1.0) * rest, f64::INFINITY, part, surface);
    }

    /// Lets vertices move by a γ.
    fn set_free_gamma(&mut self, gamma: impl Fn(&Self, usize) -> f64) {
        for k in 0..self.free_gamma.len() {
            self.free_gamma[k] = gamma(self, k);
        }
    }

    /// Lets the displacements swing, and gives back the volume that the swing takes where it takes it.
    fn oscillate(&mut self, oscillation: &mut Oscillation, part: &PartSurface, frame: &Frame<'_>, surface: &Surface) {
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
        for ((gamma, moved), whole) in self.free_gamma.iter_mut().zip(&self.displacement).zip(&self.gamma) {
            *gamma = (*gamma + moved.length()) * whole;
        }
        let volume = wanted - self.volume(part, surface);
        self.correct_free(volume, f64::INFINITY, part, surface);
        (0..self.displacement.len()).for_each(|k| self.touch(k));
    }

    /// Takes back what made the surface cross itself where the base skin did not, and gives the volume back around
    /// it [R09 §5].
    fn resolve_contacts(
        &mut self,
        guard: &mut DisplacementGuard,
        part: &PartSurface,
        surface: &Surface,
        contacts: ContactSlack<'_>,
    ) {
        let wanted = self.volume(part, surface);
        self.requested.copy_from_slice(&self.displacement);
        guard.hold_intersections(|k| self.pushed[k] != DVec3::ZERO);
        let mut fewest = usize::MAX;
        let mut round = 0;
        while round < DisplacementGuard::MAX_ROUNDS {
            if !guard.is_free() {
                self.reduce(guard, round, wanted, part, surface, contacts);
            }
            let (displacement, vertices) = (&self.displacement, &self.places);
            let base = |k: usize| surface.positions[part.representative(vertices[k])].as_dvec3();
            let tolerance = |k: usize| INVISIBLE * self.limb_radius(k);
            let found = guard.find_new(round, |k| (base(k) + displacement[k]).as_vec3(), tolerance);
            if found == 0 {
                return;
            }
            // Where a round brings little, more of its kind do not bring much either.
            let is_worth_it = (found as f64) < WORTHWHILE * fewest as f64;
            round = if is_worth_it { round + 1 } else { DisplacementGuard::next_kind(round) };
            if found < fewest {
                fewest = found;
                self.best.copy_from_slice(&self.displacement);
            }
        }
        self.displacement.copy_from_slice(&self.best);
    }

    /// Reduces displacements by the guard's factors and distributes their volume over the free vertices: those around
    /// the joints that bend, then all.
    fn reduce(
        &mut self,
        guard: &DisplacementGuard,
        round: usize,
        wanted: f64,
        part: &PartSurface,
        surface: &Surface,
        contacts: ContactSlack<'_>,
    ) {
        for (k, moved) in self.displacement.iter_mut().enumerate() {
            // What parts the sides of a bend is given up last.
            let kept = if round < DisplacementGuard::MAX_ROUNDS / 2 { self.pushed[k] } else { DVec3::ZERO };
            *moved = kept + (self.requested[k] - kept) * guard.freedom(k);
        }
        let mut missing = wanted - self.volume(part, surface);
        for (limit, wide) in [(CONTACT_STEP_LIMIT * self.smallest_radius, false), (f64::INFINITY, true)] {
            if missing.abs() <= VOLUME_TOLERANCE * wanted.abs() {
                return;
            }
            self.set_free_gamma(|shell, k| {
                let gamma = if wide { shell.gamma[k] } else { shell.mask[k] };
                gamma * guard.freedom(k).powi(2) * contacts.slack(part, shell.places[k])
            });
            missing = self.correct_free(missing, limit, part, surface);
        }
    }

    /// Adds a volume where vertices are free to move. Returns what is left over.
    fn correct_free(&mut self, volume: f64, limit: f64, part: &PartSurface, surface: &Surface) -> f64 {
        let gamma = std::mem::take(&mut self.free_gamma);
        let left = self.correct(Request { volume, limit, ..Request::unlimited(&gamma) }, part, surface);
        self.free_gamma = gamma;
        left
    }

    /// Adds a volume over the whole shell. Returns what is left over.
    fn correct(&mut self, request: Request<'_>, part: &PartSurface, surface: &Surface) -> f64 {
        if request.volume == 0.0 {
            return 0.0;
        }
        let Self { whole, places, displacement, .. } = self;
        let base = |k: usize| surface.positions[part.representative(places[k])].as_dvec3();
        let left = whole.correct(request, base, displacement);
        for (k, gamma) in request.gamma.iter().enumerate() {
            if *gamma > 0.0 {
                self.touch(k);
            }
        }
        left
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

/// The guard of a shell's vertices.
fn guard(whole: &Whole, rest: &RestSurface<'_>, thickness: &[f64]) -> DisplacementGuard {
    let positions = whole.patch.vertices().iter().map(|&v| rest.points[v as usize].as_vec3()).collect();
    DisplacementGuard::new(positions, whole.patch.faces(), thickness)
}

/// γ around a joint: a bump as wide as the body there, which is taken from the nearest tenth of the vertices.
fn breath_gamma(rest: &RestSurface<'_>, vertices: &[u32], paint: &[f64], center: DVec3) -> Vec<f64> {
    let distances: Vec<f64> = vertices.iter().map(|&v| rest.points[v as usize].distance(center)).collect();
    let mut sorted = distances.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    let reach = 2.0 * sorted[sorted.len() / 10];
    let bump = |d: f64| if d < reach { (1.0 - (d / reach).powi(2)).powi(2) } else { 0.0 };
    distances.iter().zip(paint).map(|(&d, paint)| bump(d) * paint).collect()
}

/// The rotation nearest to a joint's matrix; none for a collapsed one.
fn rotation(matrix: DMat3) -> DQuat {
    let (rotation, _) = polar(matrix);
    if rotation.is_finite() { rotation } else { DQuat::IDENTITY }
}
