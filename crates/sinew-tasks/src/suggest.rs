//! The name that a person may have meant.

/// `; did you mean "NAME"?` for the most similar name, if one is similar at all.
pub fn did_you_mean<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> String {
    similar(wanted, names).map_or_else(String::new, |name| format!("; did you mean \"{name}\"?"))
}

/// The most similar name, if one is similar at all.
pub fn similar<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |text: &str| text.to_lowercase().replace([' ', '_', '.', ':', '-'], "");
    let wanted = plain(wanted);
    let distance = |name: &str| edits(&wanted, &plain(name));
    let (edits, name) = names.map(|name| (distance(name), name)).min()?;
    (2 * edits <= wanted.chars().count()).then_some(name)
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
    fn slips_are_understood() {
        let names = || ["LeftArm", "LeftForeArm", "upper_arm.L"].into_iter();
        assert_eq!(did_you_mean("leftarm", names()), "; did you mean \"LeftArm\"?");
        assert_eq!(did_you_mean("LeftForArm", names()), "; did you mean \"LeftForeArm\"?");
        assert_eq!(did_you_mean("UpperArm.L", names()), "; did you mean \"upper_arm.L\"?");
        assert_eq!(did_you_mean("tail", names()), "");
    }
}
