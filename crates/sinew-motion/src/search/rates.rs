//! Recognition rates on motions whose classes are known.
//!
//! Leave one out: every motion is compared with all others. `nn1` is the share whose nearest is of their class. The
//! average precision of one is the mean, over the others of its class, of the share of its class among those that rank
//! as high; `map` is the mean of that over all that have another of their class. In the confusion matrix, row i has the
//! shares of the classes that the nearest of class i belong to (L13 eq. 4.3).

/// How well a comparison does.
#[derive(Debug, Clone, PartialEq)]
pub struct Rates {
    /// Share of motions whose nearest is of their class.
    pub nn1: f64,
    /// Mean average precision.
    pub map: f64,
    /// A row for each class, with the shares of the nearest ones' classes.
    pub confusion: Vec<Vec<f64>>,
}

impl Rates {
    /// From the classes of motions as numbers below `classes`, and how like motion `i` is to `j`. Motions that are the
    /// only ones of their class are found by others, but not counted.
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

/// The others, the most similar first, in the given order where they are equal.
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
        // The class of one is not counted.
        assert_eq!(perfect.confusion[2], [0.0; 3]);
        let reversed = Rates::of(&class, 3, |a, b| -same(a, b));
        assert_eq!(reversed.nn1, 0.0);
        assert_eq!(reversed.map, 0.25);
    }
}
