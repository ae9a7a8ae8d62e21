//! The name that a person may have meant.

use sinew::rig::anatomy::names::body_part;

/// `; did you mean "NAME"?` for a name, if there is one.
pub fn did_you_mean(name: Option<&str>) -> String {
    name.map_or_else(String::new, |name| format!("; did you mean \"{name}\"?"))
}

/// The most similar name, if one is similar at all.
pub fn similar<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |text: &str| text.to_lowercase().replace([' ', '_', '.', ':', '-'], "");
    let wanted = plain(wanted);
    let distance = |name: &str| edits(&wanted, &plain(name));
    let (edits, name) = names.map(|name| (distance(name), name)).min()?;
    (2 * edits <= wanted.chars().count()).then_some(name)
}

/// The joint that a person may have meant: one for the same part of the body, or the most similar name. So an elbow is
/// found under `LeftForeArm`.
pub fn similar_joint<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let (part, names) = (body_part(wanted), names.collect::<Vec<_>>());
    let same = names.iter().find(|name| part.is_some() && body_part(name) == part);
    same.copied().or_else(|| similar(wanted, names.into_iter()))
}

/// The least number of insertions, deletions and replacements from one word to the other.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joints_are_found_by_what_they_are() {
        let names = ["LeftFoot", "LeftForeArm", "LeftLeg", "Spine1"];
        let found = |wanted| similar_joint(wanted, names.iter().copied());
        assert_eq!(found("LeftElbow"), Some("LeftForeArm"));
        assert_eq!(found("knee.L"), Some("LeftLeg"));
        assert_eq!(found("LeftFot"), Some("LeftFoot"));
        assert_eq!(found("Tail"), None);
    }

    #[test]
    fn slips_are_understood() {
        let names = || ["LeftArm", "LeftForeArm", "upper_arm.L"].into_iter();
        assert_eq!(did_you_mean(similar("leftarm", names())), "; did you mean \"LeftArm\"?");
        assert_eq!(did_you_mean(similar("LeftForArm", names())), "; did you mean \"LeftForeArm\"?");
        assert_eq!(did_you_mean(similar("UpperArm.L", names())), "; did you mean \"upper_arm.L\"?");
        assert_eq!(did_you_mean(similar("tail", names())), "");
    }
}
