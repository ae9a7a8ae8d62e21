//! A curve through points that people drag: a cubic that never swings beyond them.
//!
//! Hermite segments with the slopes of Fritsch and Carlson (1980): zero where the data turn, a weighted harmonic
//! mean of the neighbouring slopes elsewhere, so the curve is monotone between its points and C¹.

/// A monotone cubic spline.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Place, value and slope of each point.
    knots: Vec<[f64; 3]>,
}

impl Curve {
    /// The curve through pairs of place and value, in increasing order of place; none without points.
    pub fn new(points: &[[f64; 2]]) -> Option<Self> {
        let secant = |k: usize| (points[k + 1][1] - points[k][1]) / (points[k + 1][0] - points[k][0]);
        let width = |k: usize| points[k + 1][0] - points[k][0];
        let slope = |k: usize| {
            let last = points.len() - 1;
            match k {
                _ if last == 0 => 0.0,
                0 => secant(0),
                _ if k == last => secant(last - 1),
                _ => {
                    let (before, after) = (secant(k - 1), secant(k));
                    if before * after <= 0.0 {
                        return 0.0;
                    }
                    let (a, b) = (2.0 * width(k) + width(k - 1), width(k) + 2.0 * width(k - 1));
                    (a + b) / (a / before + b / after)
                }
            }
        };
        let knots: Vec<[f64; 3]> = (0..points.len()).map(|k| [points[k][0], points[k][1], slope(k)]).collect();
        (!knots.is_empty()).then_some(Self { knots })
    }

    /// The first and the last place.
    pub fn range(&self) -> (f64, f64) {
        (self.knots[0][0], self.knots[self.knots.len() - 1][0])
    }

    /// The value at a place; beyond the ends that of the end.
    pub fn at(&self, x: f64) -> f64 {
        let after = self.knots.partition_point(|k| k[0] <= x);
        if after == 0 {
            return self.knots[0][1];
        }
        let [x0, y0, m0] = self.knots[after - 1];
        let Some(&[x1, y1, m1]) = self.knots.get(after) else { return y0 };
        let h = x1 - x0;
        let t = (x - x0) / h;
        let (t2, t3) = (t * t, t * t * t);
        y0 * (2.0 * t3 - 3.0 * t2 + 1.0)
            + h * m0 * (t3 - 2.0 * t2 + t)
            + y1 * (3.0 * t2 - 2.0 * t3)
            + h * m1 * (t3 - t2)
    }
}

/// Goes from 0 at 0 to 1 at 1 with level ends.
pub fn smoothstep(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_goes_through_its_points_and_stays_between_them(
            steps in prop::collection::vec((0.01..3.0f64, 0.0..2.0f64), 1..8),
            t in 0.0..1.0f64,
        ) {
            let mut x = -1.0;
            let points: Vec<[f64; 2]> = steps.iter().map(|&(dx, y)| { x += dx; [x, y] }).collect();
            let curve = Curve::new(&points).unwrap();
            for pair in points.windows(2) {
                prop_assert!((curve.at(pair[0][0]) - pair[0][1]).abs() < 1e-12);
                let value = curve.at(pair[0][0] + t * (pair[1][0] - pair[0][0]));
                let (low, high) = (pair[0][1].min(pair[1][1]), pair[0][1].max(pair[1][1]));
                prop_assert!(value >= low - 1e-9 && value <= high + 1e-9, "{value} outside {low}..{high}");
            }
            prop_assert_eq!(curve.at(x + 5.0), points[points.len() - 1][1]);
            prop_assert_eq!(curve.at(-9.0), points[0][1]);
        }
    }
}
