//! Nanoseconds to evaluate scalar fields and the operators on them.
//!
//! `cargo bench -p sinew --bench field` prints Markdown tables: the best of many runs on one thread, for
//! densities and points all over the place, values and derivatives included; then milliseconds to build
//! what is built once.

use glam::{DAffine3, DQuat, DVec3, Vec3Swizzles};
use sinew::field::{
    Capsule, Compact, CompactField, Controller, DistanceField, Ellipsoid, Falloff, Grid, MeshDistance, Operator,
    OperatorTables, Sample, Sphere, Transformed, Tree, polygonize,
};
use sinew_testing::timing::best_milliseconds;
use std::hint::black_box;
use std::sync::Arc;

/// Seconds that each time is the best of.
const SECONDS: f64 = 0.3;

/// Evaluations in a run.
const COUNT: usize = 4096;

/// Numbers within 0 and 1, spread evenly.
fn spread(k: usize) -> [f64; 3] {
    // Fractions of multiples of the powers of the root of x⁴ = x + 1 (M. Roberts's sequence).
    let root = 1.220_744_084_605_76_f64;
    [1, 2, 3].map(|power| (0.5 + k as f64 / root.powi(power)).fract())
}

/// Nanoseconds for one evaluation of what takes any of the inputs.
fn nanoseconds<T>(inputs: &[T], evaluate: impl Fn(&T) -> f64) -> f64 {
    let run = || {
        black_box(inputs.iter().map(&evaluate).sum::<f64>());
    };
    best_milliseconds(SECONDS, run) * 1e6 / inputs.len() as f64
}

fn operators() {
    println!("| operator | ns with α given | ns on two fields |");
    println!("|---|---|---|");
    let inputs: Vec<(Sample, Sample, f64)> = (0..COUNT)
        .map(|k| {
            let ([a, b, alpha], far) = (spread(k), spread(k + COUNT));
            let gradient = DVec3::from(far) - 0.5;
            (Sample { value: a, gradient }, Sample { value: b, gradient: gradient.zxy() }, alpha)
        })
        .collect();
    let (tables, controller) = (OperatorTables::default(), Controller::default());
    let all = [
        ("min", Operator::Min),
        ("max", Operator::Max),
        ("sum", Operator::Sum),
        ("Ricci, 3", Operator::Ricci(3.0)),
        ("clean union", Operator::CleanUnion),
        ("blend", Operator::Blend),
        ("contact", Operator::Contact),
        ("bulge", Operator::Bulge),
        ("detail", Operator::Detail),
    ];
    for (name, operator) in all {
        // Built before anything is timed.
        tables.prepare(operator);
        let plain = nanoseconds(&inputs, |(a, b, alpha)| {
            let combined = operator.combine(&tables, *alpha, a.value, b.value);
            combined.value + combined.d1 + combined.d2
        });
        let composed = nanoseconds(&inputs, |(a, b, _)| weigh(operator.compose(&tables, &controller, *a, *b)));
        println!("| {name} | {plain:.1} | {composed:.1} |");
    }
}

fn weigh(sample: Sample) -> f64 {
    sample.value + sample.gradient.element_sum()
}

fn fields() {
    println!("\n| field | ns |");
    println!("|---|---|");
    let points: Vec<DVec3> = (0..COUNT).map(|k| 3.0 * DVec3::from(spread(k)) - 1.5).collect();
    let falloff = Falloff::Smooth { radius: 0.5 };
    let sphere = Sphere { center: DVec3::ZERO, radius: 1.0 };
    let capsule = Capsule { start: DVec3::NEG_X, end: DVec3::X, radius: 0.5 };
    let ellipsoid = Ellipsoid { center: DVec3::ZERO, radii: DVec3::new(1.0, 0.7, 0.5) };
    let turned = DAffine3::from_rotation_translation(DQuat::from_rotation_y(0.4), DVec3::X);
    let moved = Transformed::new(capsule, turned).expect("a rigid map");
    let distances: [(&str, &dyn DistanceField); 4] =
        [("sphere", &sphere), ("capsule", &capsule), ("ellipsoid", &ellipsoid), ("capsule, transformed", &moved)];
    for (name, field) in distances {
        println!("| {name} | {:.1} |", nanoseconds(&points, |&p| weigh(field.distance(p))));
    }
    let compact = Compact::new(capsule, falloff);
    println!("| capsule, compact | {:.1} |", nanoseconds(&points, |&p| weigh(compact.density(p))));
    let grid = Grid::sample(&compact.bounds(), 0.06, |p| compact.density(p).value).expect("a small grid");
    println!("| grid, trilinear | {:.1} |", nanoseconds(&points, |&p| weigh(grid.linear(p))));
    println!("| grid, tricubic | {:.1} |", nanoseconds(&points, |&p| weigh(grid.cubic(p))));
    let tables = Arc::<OperatorTables>::default();
    // Built before anything is timed.
    tables.prepare(Operator::Contact);
    let mut tree = Tree::new(tables);
    let chain =
        (0..30).map(|k| Capsule { start: DVec3::X * f64::from(k), end: DVec3::X * f64::from(k + 1), radius: 0.3 });
    let leaves: Vec<_> = chain.map(|bone| tree.leaf(Compact::new(bone, falloff))).collect();
    leaves[1..].iter().fold(leaves[0], |all, &leaf| tree.join(Operator::Contact, Controller::default(), all, leaf));
    let along: Vec<DVec3> = points.iter().map(|p| DVec3::new(10.0 * (p.x + 1.5), 0.4 * p.y, 0.4 * p.z)).collect();
    println!("| tree of 30 capsules in contact | {:.1} |", nanoseconds(&along, |&p| weigh(tree.density(p))));
}

fn building() {
    println!("\n| built once | ms | size |");
    println!("|---|---|---|");
    let prepare = |tables: &OperatorTables| {
        [Operator::Contact, Operator::Bulge, Operator::Detail].iter().for_each(|&operator| tables.prepare(operator));
    };
    let tables = best_milliseconds(SECONDS, || {
        let tables = OperatorTables::default();
        prepare(&tables);
        drop(black_box(tables));
    });
    let bytes = OperatorTables::default().to_bytes();
    let read = best_milliseconds(SECONDS, || {
        let tables = OperatorTables::from_bytes(&bytes).expect("the bytes of tables");
        prepare(&tables);
        drop(black_box(tables));
    });
    println!("| operator tables | {tables:.0} | {} kB |", bytes.len() / 1000);
    println!("| operator tables from bytes | {read:.1} | |");
    let ball = Compact::new(Sphere { center: DVec3::ZERO, radius: 1.0 }, Falloff::Smooth { radius: 0.2 });
    let polygons = || polygonize(&ball, 0.5, &ball.bounds(), 0.05).expect("a small grid");
    let surface = polygons();
    let (time, count) = (best_milliseconds(SECONDS, || drop(black_box(polygons()))), surface.faces.len());
    println!("| polygonised ball | {time:.0} | {count} triangles |");
    let distances = || MeshDistance::new(&surface.positions, &surface.faces, 0.1, 0.2).expect("a small grid");
    let (time, count) =
        (best_milliseconds(SECONDS, || drop(black_box(distances()))), distances().grid().values().len());
    println!("| distances to it | {time:.0} | {count} nodes |");
}

fn main() {
    operators();
    fields();
    building();
}
