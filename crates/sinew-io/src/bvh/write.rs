//! From document to text.

use super::Bvh;
use std::io::Write;

impl Bvh {
    /// The file's text. Every number has the shortest digits that read back as the same double, so
    /// parsing the result gives an equal document.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(1024 + self.frames.len() * 9);
        out.extend_from_slice(b"HIERARCHY\n");
        // Joints still open, innermost last.
        let mut open: Vec<usize> = Vec::new();
        for (index, joint) in self.joints.iter().enumerate() {
            while open.last().copied() != joint.parent && !open.is_empty() {
                close(&mut out, &mut open);
            }
            let indent = open.len();
            line(&mut out, indent, &[if joint.parent.is_none() { "ROOT" } else { "JOINT" }, &joint.name], &[]);
            line(&mut out, indent, &["{"], &[]);
            open.push(index);
            line(&mut out, indent + 1, &["OFFSET"], &joint.offset);
            if !joint.channels.is_empty() {
                let count = joint.channels.len().to_string();
                let names = joint.channels.iter().map(|c| c.name());
                let words: Vec<&str> = ["CHANNELS", &count].into_iter().chain(names).collect();
                line(&mut out, indent + 1, &words, &[]);
            }
            for end_site in &joint.end_sites {
                line(&mut out, indent + 1, &["End Site"], &[]);
                line(&mut out, indent + 1, &["{"], &[]);
                line(&mut out, indent + 2, &["OFFSET"], end_site);
                line(&mut out, indent + 1, &["}"], &[]);
            }
        }
        while !open.is_empty() {
            close(&mut out, &mut open);
        }
        let header = format!("MOTION\nFrames: {}\nFrame Time: {:?}\n", self.frame_count(), self.frame_time);
        out.extend_from_slice(header.as_bytes());
        for frame in self.frames() {
            line(&mut out, 0, &[], frame);
        }
        out
    }
}

fn close(out: &mut Vec<u8>, open: &mut Vec<usize>) {
    open.pop();
    line(out, open.len(), &["}"], &[]);
}

/// Words, then numbers, with single spaces between.
fn line(out: &mut Vec<u8>, indent: usize, words: &[&str], numbers: &[f64]) {
    out.extend(std::iter::repeat_n(b'\t', indent));
    let start = out.len();
    let separate = |out: &mut Vec<u8>| {
        if out.len() > start {
            out.push(b' ');
        }
    };
    for word in words {
        separate(out);
        out.extend_from_slice(word.as_bytes());
    }
    for number in numbers {
        separate(out);
        // Writing to memory cannot fail.
        let _ = write!(out, "{number:?}");
    }
    out.push(b'\n');
}
