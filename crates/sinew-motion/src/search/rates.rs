//! Recognition rates on motions of known classes.
//!
//! Leave one out: every motion is compared with all others. `nn1` is the share of motions whose nearest neighbour has
//! the same class. The average precision of a motion is the mean, over the others of its class, of the share of its
//! class among all that rank as high; `map` is its mean over all motions whose class has another member. Row i of the
//! confusion matrix has the classes of the nearest neighbours of class i, as shares (L13 eq. 4.3).

/// The recognition rates of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Rates {
    /// The share of motions whose nearest neighbour has the same class.
    pub nn1: f64,
    /// Mean average precision.
    pub map: f64,
    /// A row for each class, with the classes of the nearest neighbours as shares.
    pub confusion: Vec<Vec<f64>>,
}

impl Rates {
    /// From the classes of motions, as numbers below `classes`, and the similarity of motions `i` and `j`. A motion
    /// that is alone in its class is compared with the others but not counted.
    pub fn of(class: &[usize], classes: usize, similarity: impl Fn(usize, usize) -> f64) -> Self {
        let mut confusion = vec![vec![0.0; classes]; classes];
        let (mut right, mut precision, mut counted) = (0.0, 0.0, 0.0);
        for one in 0..class.len() {
            let ranked = ranking(class.len(), one, &similarity);
            let relevant: Vec<bool> = ranked.iter().map(|&other| class[other] == class[one]).collect();
            if !relevant.contains(&true) {
                continue;
            }
            counted += 1.0;
            right += f64::from(u8::from(relevant[0]));
            precision += average_precision(&relevant);
            confusion[class[one]][class[ranked[0]]] += 1.0;
        }
        for row in &mut confusion {
            let sum: f64 = row.iter().sum();
            row.iter_mut().for_each(|share| *share /= sum.max(1.0));
        }
        let counted = f64::max(counted, 1.0);
        Self { nn1: right / counted, map: precision / counted, confusion }
    }
}

/// The other motions, the most similar first; equal ones in the given order.
fn ranking(count: usize, one: usize, similarity: impl Fn(usize, usize) -> f64) -> Vec<usize> {
    let mut others: Vec<(f64, usize)> =
        (0..count).filter(|&other| other != one).map(|other| (similarity(one, other), other)).collect();
    others.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    others.into_iter().map(|(_, other)| other).collect()
}

fn average_precision(relevant: &[bool]) -> f64 {
    let ranks = relevant.iter().enumerate().filter(|&(_, &is)| is).map(|(rank, _)| rank + 1);
    let precisions: Vec<f64> = ranks.enumerate().map(|(found, rank)| (found + 1) as f64 / rank as f64).collect();
    precisions.iter().sum::<f64>() / precisions.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precision_counts_what_ranks_too_high() {
        assert_eq!(average_precision(&[true, true, false]), 1.0);
        assert_eq!(average_precision(&[false, true, false, true]), 0.5);
    }

    #[test]
    fn a_perfect_and_a_reversed_comparison() {
        let class = [0, 0, 1, 1, 2];
        let same = |a: usize, b: usize| f64::from(u8::from(class[a] == class[b]));
        let perfect = Rates::of(&class, 3, same);
        assert_eq!((perfect.nn1, perfect.map), (1.0, 1.0));
        assert_eq!(perfect.confusion[1], [0.0, 1.0, 0.0]);
        // A class with one member is not counted.
        assert_eq!(perfect.confusion[2], [0.0; 3]);
        let reversed = Rates::of(&class, 3, |a, b| -same(a, b));
        assert_eq!(reversed.nn1, 0.0);
        assert_eq!(reversed.map, 0.25);
    }
}
