//! The requirements of the operators: bounds, smoothness, boundary values, slopes.

use super::*;
use proptest::prelude::*;
use std::sync::LazyLock;

static TABLES: LazyLock<OperatorTables> = LazyLock::new(OperatorTables::default);

const ALL: [Operator; 9] = [
    Operator::Min,
    Operator::Max,
    Operator::Sum,
    Operator::Ricci(3.0),
    Operator::CleanUnion,
    Operator::Blend,
    Operator::Contact,
    Operator::Bulge,
    Operator::Detail,
];

const CREASED: [(Operator, f64); 2] = [(Operator::Contact, 0.5), (Operator::Bulge, 0.375)];

fn value(operator: Operator, alpha: f64, f1: f64, f2: f64) -> f64 {
    operator.combine(&TABLES, alpha, f1, f2).value
}

fn assert_near(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found} instead of {expected}");
}

fn densities() -> impl Iterator<Item = f64> {
    (0..=333).map(|k| f64::from(k) / 333.0)
}

#[test]
fn one_body_alone_stays_as_it_is() {
    for operator in ALL.into_iter().filter(|&operator| operator != Operator::Min) {
        for f in densities() {
            for alpha in [0.0, 0.4, 1.0] {
                let what = format!("{operator:?} α={alpha} f={f}");
                let alone = operator.combine(&TABLES, alpha, f, 0.0);
                assert_near(alone.value, f, 1e-7, &what);
                assert_near(alone.d1, 1.0, if f == 0.0 || f == 1.0 { 2.0 } else { 1e-4 }, &what);
                if operator != Operator::Detail || f <= 0.5 {
                    assert_near(value(operator, alpha, 0.0, f), f, 1e-4, &what);
                }
            }
        }
    }
}

#[test]
fn the_designed_operators_keep_their_constraints() {
    for alpha in [0.0, 0.3, 1.0] {
        for f in densities().filter(|&f| f <= 0.5) {
            let what = format!("α={alpha} f={f}");
            for operator in [Operator::Contact, Operator::Detail] {
                assert_near(value(operator, alpha, 0.5, f), 0.5, 1e-7, &what);
                assert_near(value(operator, alpha, f, 0.5), 0.5, 1e-4, &what);
            }
            for operator in [Operator::Contact, Operator::Bulge, Operator::Detail] {
                assert_near(value(operator, alpha, 1.0, f), 1.0, 2e-4, &what);
            }
            let f = 0.5 + f;
            assert_near(value(Operator::Detail, alpha, 1.0, f), 1.0, 1e-7, &what);
            // In the first cell of the crease the field leaves the level corner.
            let tolerance = if f < 0.5 + 1.0 / 128.0 { 2e-3 } else { 1e-4 };
            for operator in [Operator::Contact, Operator::Bulge] {
                assert_near(value(operator, alpha, f, f), (1.0 - alpha) * f + alpha / 2.0, tolerance, &what);
            }
        }
    }
    for k in 0..=96 {
        let (t, c) = (f64::from(k) / 96.0, 0.375);
        let surface = 0.5 - (0.5 - c) * t * t * (3.0 - 2.0 * t);
        assert_near(value(Operator::Bulge, 1.0, surface, c * t), 0.5, 5e-4, "the profile of the bulge");
    }
}

#[test]
fn contact_without_effect_is_a_union_and_with_it_never_less_than_half_inside() {
    for f1 in densities() {
        for f2 in densities() {
            let larger = f1.max(f2);
            for operator in [Operator::Contact, Operator::Bulge] {
                for alpha in [0.0, 1.0] {
                    let found = value(operator, alpha, f1, f2);
                    assert!(larger < 0.5 || found > 0.5 - 2e-4, "{operator:?} α={alpha} ({f1}, {f2}): {found}");
                }
            }
            let found = value(Operator::Contact, 1.0, f1, f2);
            assert!(larger > 0.5 || found < 0.5 + 2e-4, "({f1}, {f2}): {found}");
        }
    }
}

/// On the wall of a contact the field has a slope towards it from either side, so that a point can be
/// moved onto it.
#[test]
fn the_gradient_does_not_vanish_on_the_wall() {
    for (operator, begin) in CREASED {
        for k in 1..=200 {
            let f = begin + (1.0 - begin) * f64::from(k) / 200.0;
            let Combined { d1, d2, .. } = operator.combine(&TABLES, 1.0, f, f);
            let slope = (d1 - d2) / 2f64.sqrt();
            // It rises from the rim, where the surface turns.
            let expected = (1.2 * (f - begin).sqrt()).min(0.8);
            assert!(slope > expected, "{operator:?} at {f}: {slope}");
            assert!((d1 + d2).abs() < 0.1, "{operator:?} at {f}: the wall is no level");
        }
    }
}

/// Across the diagonal the derivative along its perpendicular jumps on the wall and nowhere else.
#[test]
fn the_crease_is_on_the_upper_diagonal_alone() {
    for (operator, begin) in CREASED {
        for f in densities() {
            let Combined { d1, d2, .. } = operator.combine(&TABLES, 1.0, f, f);
            if f < begin {
                assert!((d1 - d2).abs() < 1e-4, "{operator:?} at {f}: {d1} {d2}");
            } else if f > begin + 0.01 {
                assert!(d1 - d2 > 0.1, "{operator:?} at {f}: {d1} {d2}");
            }
        }
    }
}

/// The derivatives are continuous: over a short step they change little, except over a crease.
#[test]
fn all_but_min_and_max_are_smooth_off_their_creases() {
    let step = 1e-7;
    for operator in &ALL[3..] {
        let is_creased = CREASED.iter().any(|(creased, _)| creased == operator);
        for alpha in [0.0, 0.5, 1.0] {
            for (f1, f2) in densities().flat_map(|a| densities().map(move |b| (a, b))) {
                let corner = [0.0, 0.5, 1.0].iter().any(|c| (f1 - c).abs().max((f2 - c).abs()) < 0.01);
                let sum_is_clamped = value(*operator, alpha, f1, f2) > 0.9999;
                if corner || (is_creased && f1 == f2) || sum_is_clamped || f1 + step > 1.0 || f2 + step > 1.0 {
                    continue;
                }
                let here = operator.combine(&TABLES, alpha, f1, f2);
                for there in
                    [operator.combine(&TABLES, alpha, f1 + step, f2), operator.combine(&TABLES, alpha, f1, f2 + step)]
                {
                    let change = (here.d1 - there.d1).abs().max((here.d2 - there.d2).abs());
                    assert!(change < 1e-4, "{operator:?} α={alpha} ({f1}, {f2}): {change}");
                }
            }
        }
    }
}

#[test]
fn a_clean_union_is_sharp_on_its_surface_and_nowhere_else() {
    for f in densities() {
        assert_eq!(value(Operator::CleanUnion, 0.0, 0.5, f * 0.5), 0.5);
        assert_eq!(value(Operator::CleanUnion, 0.0, f * 0.5, 0.5), 0.5);
        // On the diagonal the derivatives agree, so that no level has a corner there.
        let Combined { d1, d2, .. } = Operator::CleanUnion.combine(&TABLES, 0.0, f, f);
        if f > 0.0 && f < 1.0 {
            assert_near(d1, d2, 1e-12, "no crease");
        }
        for g in densities() {
            let found = value(Operator::CleanUnion, 0.0, f, g);
            assert!((found - 0.5) * (f.max(g) - 0.5) >= 0.0, "({f}, {g}): {found} is on the wrong side");
        }
    }
    // Near (½, ½) the derivatives depend on the direction: the corner of the surface.
    let beside = Operator::CleanUnion.combine(&TABLES, 0.0, 0.5 + 1e-9, 0.5 - 1e-9);
    assert_eq!((beside.d1, beside.d2), (1.0, 0.0));
}

#[test]
fn cached_tables_are_the_same_and_damaged_ones_are_refused() {
    let bytes = TABLES.to_bytes();
    let cached = OperatorTables::from_bytes(&bytes).unwrap();
    assert_eq!(cached.to_bytes(), bytes);
    for operator in ALL {
        assert_eq!(operator.combine(&cached, 0.7, 0.6, 0.3), operator.combine(&TABLES, 0.7, 0.6, 0.3), "{operator:?}");
    }
    let refused = |bytes: &[u8]| OperatorTables::from_bytes(bytes).unwrap_err().to_string();
    assert!(refused(&[]).contains("something else"));
    assert!(refused(&bytes[..bytes.len() - 1]).contains("not complete"));
    for at in [0, 9, 15, 5000, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        assert!(refused(&damaged).contains("built again"));
    }
    for value in [f64::NAN, f64::INFINITY, -0.1, 1.1] {
        let mut crafted = bytes.clone();
        crafted[5020..5028].copy_from_slice(&value.to_le_bytes());
        let sum = sinew_geometry::checksum::checksum(sinew_geometry::checksum::START, &crafted[20..]);
        crafted[12..20].copy_from_slice(&sum.to_le_bytes());
        assert!(refused(&crafted).contains("no densities"), "{value}");
    }
}

/// The plate is linear in its fixed values.
#[test]
fn between_the_ends_of_a_family_the_table_is_that_of_the_plate() {
    use super::plate::{CELLS, NODES, Plate, node};
    let mut plate = Plate::with_crease_from(CELLS / 2);
    for k in 0..NODES {
        let f = k as f64 / CELLS as f64;
        for (a, b) in [(k, 0), (0, k)] {
            plate.fix((a, b), [f]);
        }
        for (a, b) in [(k, CELLS), (CELLS, k), (k, CELLS / 2), (CELLS / 2, k)].into_iter().filter(|_| f <= 0.5) {
            plate.fix((a, b), [if a.max(b) == CELLS { 1.0 } else { 0.5 }]);
        }
    }
    for k in CELLS / 2..NODES {
        plate.fix((k, k), [0.7 * k as f64 / CELLS as f64 + 0.15]);
    }
    let [solved] = plate.solve();
    let at = |k: usize| k as f64 / CELLS as f64;
    for (i, j) in [(100, 90), (70, 66), (30, 20), (127, 120), (64, 3), (80, 10)] {
        assert_near(value(Operator::Contact, 0.3, at(i), at(j)), solved[node(i, j)].min(1.0), 1e-6, "G at 0.3");
    }
}

proptest! {
    #[test]
    fn values_are_densities_and_derivatives_are_theirs(
        f1 in 0.0..=1.0f64, f2 in 0.0..=1.0f64, alpha in 0.0..=1.0f64,
    ) {
        let h = 1e-6;
        for operator in ALL {
            let Combined { value: found, d1, d2 } = operator.combine(&TABLES, alpha, f1, f2);
            prop_assert!((0.0..=1.0).contains(&found), "{operator:?}: {found}");
            let inside = f1.min(f2) > 2.0 * h && f1.max(f2) < 1.0 - 2.0 * h;
            // Neither over a crease nor over the place where 1 is cut off, nor beside the corner (½, ½).
            let smooth = (f1 - f2).abs() > 4.0 * h && found < 0.9999 && (f1 - 0.5).abs().max((f2 - 0.5).abs()) > 1e-3;
            if inside && smooth {
                let difference = |a: f64, b: f64| {
                    let over = value(operator, alpha, f1 + a, f2 + b) - value(operator, alpha, f1 - a, f2 - b);
                    over / (2.0 * h)
                };
                prop_assert!((d1 - difference(h, 0.0)).abs() < 1e-4, "{operator:?}: {d1} {}", difference(h, 0.0));
                prop_assert!((d2 - difference(0.0, h)).abs() < 1e-4, "{operator:?}: {d2} {}", difference(0.0, h));
            }
        }
    }

    #[test]
    fn union_blend_sum_and_ricci_are_monotone(
        f1 in 0.0..=1.0f64, f2 in 0.0..=1.0f64, alpha in 0.0..=1.0f64, exponent in 1.0..20.0f64,
    ) {
        let monotone =
            [Operator::Max, Operator::Sum, Operator::Ricci(exponent), Operator::CleanUnion, Operator::Blend];
        for operator in monotone {
            let Combined { value: found, d1, d2 } = operator.combine(&TABLES, alpha, f1, f2);
            prop_assert!(d1 >= -1e-12 && d2 >= -1e-12, "{operator:?}: {d1} {d2}");
            prop_assert!(found >= f1.max(f2) - 1e-12, "{operator:?} is no union");
        }
    }

    #[test]
    fn all_but_detail_are_symmetric(f1 in 0.0..=1.0f64, f2 in 0.0..=1.0f64, alpha in 0.0..=1.0f64) {
        for operator in &ALL[..8] {
            let (a, b) = (operator.combine(&TABLES, alpha, f1, f2), operator.combine(&TABLES, alpha, f2, f1));
            prop_assert!((a.value - b.value).abs() < 1e-12);
            prop_assert!(f1 == f2 || (a.d1 - b.d2).abs().max((a.d2 - b.d1).abs()) < 1e-9, "{operator:?}: {a:?} {b:?}");
        }
    }
}
