//! The skeleton file: units, bones and their hierarchy.

use crate::Problem;
use crate::scan::{Scanner, quoted};
use glam::{DQuat, DVec3};
use sinew::rig::{Joint, JointKind, Skeleton, Transform};
use std::collections::HashMap;

/// More bones are refused: no body has them.
const MAX_BONES: usize = 10_000;

/// A degree of freedom of a bone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Freedom {
    Translation(usize),
    Rotation(usize),
    Length,
}

impl Freedom {
    fn from_name(name: &[u8]) -> Option<Self> {
        let axis = name.get(1).and_then(|letter| axis(*letter));
        match (name.first()?.to_ascii_lowercase(), name.len()) {
            (b't', 2) => axis.map(Self::Translation),
            (b'r', 2) => axis.map(Self::Rotation),
            (b'l', 1) => Some(Self::Length),
            _ => None,
        }
    }
}

/// A bone as written; the root is one without length.
#[derive(Debug, Clone)]
pub(super) struct AcclaimBone {
    pub name: String,
    /// The index of its parent bone, lower than its own.
    pub parent: Option<usize>,
    /// From its start to its end, in the world's axes.
    pub vector: DVec3,
    /// Its frame `C`.
    pub frame: DQuat,
    /// In the order of a motion's values.
    pub freedoms: Vec<Freedom>,
}

/// A skeleton file. Bones come parents first; bone 0 is the root.
pub(super) struct AcclaimSkeleton {
    pub bones: Vec<AcclaimBone>,
    /// Where the root is at rest.
    pub root_position: DVec3,
    /// The `length` of the units.
    pub length_factor: f64,
    /// Whether angles are in degrees, here and in a motion without a unit.
    pub degrees: bool,
}

impl AcclaimSkeleton {
    pub fn parse(bytes: &[u8]) -> Result<Self, Problem> {
        let mut reader = Reader {
            scanner: Scanner::new(bytes),
            skeleton: Self { bones: Vec::new(), root_position: DVec3::ZERO, length_factor: 1.0, degrees: true },
        };
        let mut parents = None;
        let mut root = None;
        while reader.scanner.remaining() > 0 {
            let word = reader.scanner.word();
            match word.to_ascii_lowercase().as_slice() {
                b":units" => reader.units()?,
                b":root" => root = Some(reader.root()?),
                b":bonedata" => reader.bones()?,
                b":hierarchy" => parents = Some(reader.hierarchy()?),
                b":version" | b":name" | b":documentation" | b":skin" => reader.skip_section(),
                b"" => {}
                _ => {
                    let why = format!("expected a section of an ASF file, found {}", quoted(word));
                    return Err(reader.scanner.malformed_here(why));
                }
            }
        }
        let Reader { scanner, mut skeleton } = reader;
        let missing = |section| scanner.malformed(format!("the section {section} is missing"));
        let root = root.ok_or_else(|| missing(":root"))?;
        let parents = parents.ok_or_else(|| missing(":hierarchy"))?;
        skeleton.bones = parents_first(root, skeleton.bones, &parents, &scanner)?;
        Ok(skeleton)
    }

    pub fn to_skeleton(&self) -> Result<Skeleton, Problem> {
        let has_child: Vec<bool> =
            (0..self.bones.len()).map(|b| self.bones.iter().any(|c| c.parent == Some(b))).collect();
        let joints = self.bones.iter().zip(has_child).map(|(bone, has_child)| Joint {
            name: bone.name.clone(),
            parent: bone.parent,
            rest: Transform::from_translation(self.start(bone)),
            tip: (!has_child && bone.vector != DVec3::ZERO).then_some(bone.vector),
            kind: JointKind::Joint,
        });
        Ok(Skeleton::new(joints.collect())?.0)
    }

    /// Where a bone starts at rest, relative to its parent's start.
    pub fn start(&self, bone: &AcclaimBone) -> DVec3 {
        bone.parent.map_or(self.root_position, |parent| self.bones[parent].vector)
    }
}

struct Reader<'a> {
    scanner: Scanner<'a>,
    skeleton: AcclaimSkeleton,
}

impl Reader<'_> {
    /// Whether another line of this section follows.
    fn in_section(&mut self) -> bool {
        let word = self.scanner.peek();
        !word.is_empty() && !word.starts_with(b":")
    }

    fn skip_section(&mut self) {
        self.scanner.skip_line();
        while self.in_section() {
            self.scanner.skip_line();
        }
    }

    fn units(&mut self) -> Result<(), Problem> {
        while self.in_section() {
            match self.scanner.word().to_ascii_lowercase().as_slice() {
                b"length" => {
                    let length = self.scanner.number("the length unit")?;
                    if length <= 0.0 {
                        return Err(self
                            .scanner
                            .malformed_here(format!("the length unit must be above 0, found {length}")));
                    }
                    self.skeleton.length_factor = length;
                }
                b"angle" => {
                    let word = self.scanner.word().to_ascii_lowercase();
                    self.skeleton.degrees = match word.as_slice() {
                        w if w.starts_with(b"deg") => true,
                        w if w.starts_with(b"rad") => false,
                        other => {
                            let why = format!("the angle unit is deg or rad, found {}", quoted(other));
                            return Err(self.scanner.malformed_here(why));
                        }
                    };
                }
                _ => self.scanner.skip_line(),
            }
        }
        Ok(())
    }

    fn root(&mut self) -> Result<AcclaimBone, Problem> {
        let mut freedoms = Vec::new();
        let mut order = [0, 1, 2];
        let mut orientation = [0.0; 3];
        while self.in_section() {
            match self.scanner.word().to_ascii_lowercase().as_slice() {
                b"order" => freedoms = self.freedoms()?,
                b"axis" => order = self.axis_order()?,
                b"position" => self.skeleton.root_position = self.scanner.vector("the root position")?.into(),
                b"orientation" => orientation = self.scanner.vector("the root orientation")?,
                _ => self.scanner.skip_line(),
            }
        }
        let frame = rotation(order, orientation, self.skeleton.degrees);
        Ok(AcclaimBone { name: "root".into(), parent: None, vector: DVec3::ZERO, frame, freedoms })
    }

    fn bones(&mut self) -> Result<(), Problem> {
        while self.in_section() {
            self.scanner.expect("begin")?;
            let start = self.scanner.position();
            let mut name = None;
            let (mut direction, mut length) = (DVec3::ZERO, 0.0);
            let mut frame = DQuat::IDENTITY;
            let mut freedoms = Vec::new();
            while !self.scanner.take("end") {
                match self.scanner.word().to_ascii_lowercase().as_slice() {
                    b"name" => name = Some(self.scanner.name()),
                    b"direction" => direction = DVec3::from(self.scanner.vector("a direction")?),
                    b"length" => length = self.scanner.number("a bone length")?,
                    b"axis" => {
                        let angles = self.scanner.vector("a bone axis")?;
                        frame = rotation(self.axis_order()?, angles, self.skeleton.degrees);
                    }
                    b"dof" => freedoms = self.freedoms()?,
                    b"" => return Err(self.scanner.malformed("the file ends inside a bone; expected \"end\"")),
                    other if other.starts_with(b":") => {
                        return Err(self
                            .scanner
                            .malformed(format!("expected \"end\" of the bone before {}", quoted(other))));
                    }
                    _ => self.scanner.skip_line(),
                }
            }
            let Some(name) = name.filter(|n| !n.is_empty()) else {
                return Err(self.scanner.malformed_at(start, "this bone has no name"));
            };
            if self.skeleton.bones.iter().any(|b| b.name == name) || name == "root" {
                return Err(self.scanner.malformed_at(start, format!("a second bone is called \"{name}\"")));
            }
            if self.skeleton.bones.len() == MAX_BONES {
                return Err(self.scanner.malformed_at(start, format!("the file has more than {MAX_BONES} bones")));
            }
            let vector = direction.normalize_or_zero() * length;
            self.skeleton.bones.push(AcclaimBone { name, parent: None, vector, frame, freedoms });
        }
        Ok(())
    }

    /// Names on what is left of the line.
    fn freedoms(&mut self) -> Result<Vec<Freedom>, Problem> {
        let mut freedoms = Vec::new();
        loop {
            let word = self.scanner.word_on_line();
            if word.is_empty() {
                return Ok(freedoms);
            }
            let Some(freedom) = Freedom::from_name(word).filter(|f| !freedoms.contains(f)) else {
                let why =
                    format!("expected degrees of freedom tx to tz, rx to rz or l, each once, found {}", quoted(word));
                return Err(self.scanner.malformed_here(why));
            };
            freedoms.push(freedom);
        }
    }

    /// Three letters such as `XYZ`.
    fn axis_order(&mut self) -> Result<[usize; 3], Problem> {
        let word = self.scanner.word_on_line();
        let axes: Vec<usize> = word.iter().filter_map(|letter| axis(*letter)).collect();
        match *axes.as_slice() {
            [a, b, c] if word.len() == 3 && a != b && b != c && c != a => Ok([a, b, c]),
            _ => {
                let why = format!("expected an order of axes such as XYZ, found {}", quoted(word));
                Err(self.scanner.malformed_here(why))
            }
        }
    }

    /// For each bone with a parent: its name, the parent's, and the position in the file.
    fn hierarchy(&mut self) -> Result<HashMap<String, (String, usize)>, Problem> {
        let mut parents = HashMap::new();
        self.scanner.expect("begin")?;
        while !self.scanner.take("end") {
            let position = self.scanner.position();
            let parent = String::from_utf8_lossy(self.scanner.word()).into_owned();
            if parent.is_empty() || parent.starts_with(':') {
                return Err(self.scanner.malformed("expected \"end\" of the hierarchy"));
            }
            loop {
                let child = self.scanner.word_on_line();
                if child.is_empty() {
                    break;
                }
                let child = String::from_utf8_lossy(child).into_owned();
                if let Some((other, _)) = parents.insert(child.clone(), (parent.clone(), position)) {
                    let why = format!("bone \"{child}\" has two parents, \"{other}\" and \"{parent}\"");
                    return Err(self.scanner.malformed_at(position, why));
                }
            }
        }
        Ok(parents)
    }
}

/// The root, then every bone after its parent, in the file's order otherwise.
fn parents_first(
    root: AcclaimBone,
    bones: Vec<AcclaimBone>,
    parents: &HashMap<String, (String, usize)>,
    scanner: &Scanner<'_>,
) -> Result<Vec<AcclaimBone>, Problem> {
    let mut children: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, bone) in bones.iter().enumerate() {
        let Some((parent, position)) = parents.get(&bone.name) else {
            return Err(scanner.malformed(format!("bone \"{}\" has no place in the :hierarchy", bone.name)));
        };
        if *parent != root.name && !bones.iter().any(|b| b.name == *parent) {
            return Err(scanner.malformed_at(*position, format!("the hierarchy names an unknown bone \"{parent}\"")));
        }
        children.entry(parent).or_default().push(index);
    }
    let unknown = parents.iter().filter(|(child, _)| !bones.iter().any(|b| b.name == **child));
    if let Some((child, (_, position))) = unknown.min_by_key(|(_, (_, position))| *position) {
        return Err(scanner.malformed_at(*position, format!("the hierarchy names an unknown bone \"{child}\"")));
    }
    let mut sorted = vec![root];
    let mut pending: Vec<(usize, usize)> = Vec::new();
    let push_children = |pending: &mut Vec<(usize, usize)>, name: &str, place: usize| {
        pending.extend(children.get(name).into_iter().flatten().rev().map(|&child| (child, place)));
    };
    push_children(&mut pending, &sorted[0].name, 0);
    while let Some((index, parent)) = pending.pop() {
        push_children(&mut pending, &bones[index].name, sorted.len());
        sorted.push(AcclaimBone { parent: Some(parent), ..bones[index].clone() });
    }
    if sorted.len() <= bones.len() {
        let lost = bones.iter().find(|b| !sorted.iter().any(|s| s.name == b.name)).map_or("", |b| &b.name);
        return Err(scanner.malformed(format!("bone \"{lost}\" is its own ancestor in the :hierarchy")));
    }
    Ok(sorted)
}

fn axis(letter: u8) -> Option<usize> {
    match letter.to_ascii_lowercase() {
        b'x' => Some(0),
        b'y' => Some(1),
        b'z' => Some(2),
        _ => None,
    }
}

/// Rotations about the axes in this order, the first applied first; `angles` are about x, y and z.
fn rotation(order: [usize; 3], angles: [f64; 3], degrees: bool) -> DQuat {
    order.into_iter().fold(DQuat::IDENTITY, |before, axis| turn(axis, angles[axis], degrees) * before)
}

/// The rotation about one axis.
pub(super) fn turn(axis: usize, angle: f64, degrees: bool) -> DQuat {
    DQuat::from_axis_angle(DVec3::AXES[axis], if degrees { angle.to_radians() } else { angle })
}
