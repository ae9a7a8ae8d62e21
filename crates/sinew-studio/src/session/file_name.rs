//! The names of exported files.

/// A name that any file system accepts.
pub fn file_name(character: &str, clip: &str, extension: &str) -> String {
    let plain = |text: &str| -> String {
        let plain = |c: char| if c.is_alphanumeric() { c } else { '-' };
        text.chars().take(60).map(plain).collect::<String>().trim_matches('-').to_owned()
    };
    format!("{}-{}.{extension}", plain(character), plain(clip))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_hold_nothing_that_leads_elsewhere() {
        assert_eq!(file_name("../../etc/passwd", "a|b", "glb"), "etc-passwd-a-b.glb");
        assert_eq!(file_name("Söldner", "walk 1", "pc2"), "Söldner-walk-1.pc2");
    }
}
