//! Captures as files: read, written back, and refused with a reason.

use glam::{DVec3, Vec3};
use proptest::prelude::*;
use sinew_io::markers::{Link, MarkerFile, MarkerFormat, read_links, write_links};

/// A C3D file byte by byte, with two analog channels of one sample a frame.
struct C3d {
    processor: u8,
    scale: f32,
}

impl C3d {
    fn word(&self, value: i16) -> [u8; 2] {
        if self.processor == 86 { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    fn float(&self, value: f32) -> [u8; 4] {
        match self.processor {
            84 => value.to_le_bytes(),
            86 => value.to_be_bytes(),
            _ => {
                let [a, b, c, d] = (4.0 * value).to_le_bytes();
                [c, d, a, b]
            }
        }
    }

    fn record(&self, bytes: &mut Vec<u8>, name: &str, id: i8, body: &[u8], is_last: bool) {
        bytes.extend([name.len() as u8, id as u8]);
        bytes.extend(name.as_bytes());
        bytes.extend(self.word(if is_last { 0 } else { 2 + body.len() as i16 }));
        bytes.extend(body);
    }

    fn file(&self, frames: &[[Option<Vec3>; 2]]) -> Vec<u8> {
        let mut header = vec![2, 0x50];
        for value in [2, 2, 1, frames.len() as i16, 10] {
            header.extend(self.word(value));
        }
        header.extend(self.float(self.scale));
        header.extend(self.word(3));
        header.extend(self.word(1));
        header.extend(self.float(100.0));
        header.resize(512, 0);
        let mut parameters = vec![1, 0x50, 1, self.processor];
        self.record(&mut parameters, "POINT", -1, &[0], false);
        self.record(&mut parameters, "LABELS", 1, &[&[255, 2, 4, 2][..], b"LWRALWRB\0"].concat(), false);
        self.record(&mut parameters, "UNITS", 1, &[&[255, 1, 2][..], b"mm\0"].concat(), false);
        self.record(&mut parameters, "SCALE", 1, &[&[4, 0][..], &self.float(self.scale), &[0]].concat(), false);
        self.record(&mut parameters, "RATE", 1, &[&[4, 0][..], &self.float(100.0), &[0]].concat(), true);
        parameters.resize(512, 0);
        let mut data = Vec::new();
        for frame in frames {
            let points = frame.map(|p| (p.unwrap_or(Vec3::ZERO).to_array(), if p.is_some() { 3.0 } else { -1.0 }));
            for (place, residual) in points {
                for (k, value) in place.into_iter().chain([residual]).enumerate() {
                    if self.scale < 0.0 {
                        data.extend(self.float(value));
                    } else {
                        let value = if k < 3 { value / self.scale } else { value };
                        data.extend(self.word(value.round() as i16));
                    }
                }
            }
            for value in [77.0, -5.0] {
                if self.scale < 0.0 { data.extend(self.float(value)) } else { data.extend(self.word(value as i16)) }
            }
        }
        data.resize(data.len().next_multiple_of(512), 0);
        [header, parameters, data].concat()
    }
}

fn frames() -> Vec<[Option<Vec3>; 2]> {
    let place = |k: i16| Vec3::new(f32::from(k), -2.0 * f32::from(k), 100.0);
    (0..6).map(|k| [(k != 3).then(|| place(k)), Some(place(k + 10))]).collect()
}

#[test]
fn a_c3d_of_every_kind_is_read_and_written_back() {
    for processor in [84, 85, 86] {
        for scale in [-0.1, 0.1] {
            let whole = C3d { processor, scale }.file(&frames());
            let file = MarkerFile::read(&whole, MarkerFormat::C3d).unwrap();
            let markers = &file.markers;
            assert_eq!(markers.labels(), ["LWRA", "LWRB"], "{processor} {scale}");
            assert_eq!((markers.frames(), markers.rate(), markers.meters_per_unit()), (6, 100.0, Some(1e-3)));
            for (frame, places) in frames().iter().enumerate() {
                for (marker, place) in places.iter().enumerate() {
                    let found = markers.get(frame, marker).map(DVec3::as_vec3);
                    assert_eq!(found.is_some(), place.is_some());
                    let apart = found.zip(*place).map_or(0.0, |(a, b)| a.distance(b));
                    assert!(apart < 1e-4, "{processor} {scale}: {found:?} {place:?}");
                }
            }
            assert_eq!(file.to_bytes(markers), whole, "{processor} {scale}");
            let mut filled = markers.clone();
            filled.set(3, 0, Some(DVec3::new(3.0, -6.0, 100.0)));
            let bytes = file.to_bytes(&filled);
            assert_eq!(MarkerFile::read(&bytes, MarkerFormat::C3d).unwrap().markers, filled);
            let changed: Vec<usize> = (0..bytes.len()).filter(|&k| bytes[k] != whole[k]).collect();
            let size = if scale < 0.0 { 4 } else { 2 };
            let start = 1024 + 3 * size * 10;
            assert!(changed.iter().all(|k| (start..start + 4 * size).contains(k)), "{changed:?}");
        }
    }
}

#[test]
fn a_bad_c3d_is_refused() {
    let whole = C3d { processor: 84, scale: -1.0 }.file(&frames());
    for length in 0..1024 + 6 * 40 {
        let error = MarkerFile::read(&whole[..length], MarkerFormat::C3d).unwrap_err().to_string();
        assert!(error.contains("C3D"), "{length}: {error}");
    }
    let broken = |at: usize, bytes: &[u8], words: &str| {
        let mut file = whole.clone();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        let error = MarkerFile::read(&file, MarkerFormat::C3d).unwrap_err().to_string();
        assert!(error.contains(words), "{words}: {error}");
    };
    broken(1, &[0], "no C3D file");
    broken(2, &[0, 0], "no points");
    broken(2, &[255, 255], "promised");
    broken(8, &[255, 127], "promised");
    broken(512 + 3, &[7], "processor");
}

const TRC: &str = "PathFileType\t4\t(X/Y/Z)\tt.trc\r\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrig\r\n\
    100\t100\t3\t2\tm\tkept\r\nFrame#\tTime\tA\t\t\tB\t\t\r\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\r\n\r\n\
    1\t0.00\t1.5\t2.25\t3\t4\t5\t6\r\n2\t0.01\t\t\t\t4\t5\t6\r\n3\t0.02\t1\t2\t3\r\n";
const TSV: &str = "NO_OF_FRAMES\t3\nNO_OF_CAMERAS\t7\nNO_OF_MARKERS\t2\nFREQUENCY\t150\nDATA_INCLUDED\t3D\n\
    MARKER_NAMES\tA\tB\nFrame\tTime\tA X\tA Y\tA Z\tB X\tB Y\tB Z\n1\t0.0\t1.500\t2.250\t3.000\t4.000\t5.000\t6.000\n\
    2\t0.00667\t0.000\t0.000\t0.000\t4.000\t5.000\t6.000\n3\t0.01333\t1.000\t2.000\t3.000\t\t\t\n";
const PLAIN: &str = "frame,time,A.x,A.y,A.z,note,B.x,B.y,B.z\n0,0.00,1.5,2.25,3,hello,4,5,6\n\
    1,0.01,,,,,4,5,6\n2,0.02,1,2,3,,,,\n";
const NEXUS: &str = "Devices\n1000\n,Force\n1,0,5\n\nTrajectories\n100\n,,S:A,,,S:B,,\nFrame,Sub Frame,X,Y,Z,X,Y,Z\n\
    ,,mm,mm,mm,mm,mm,mm\n1,0,1.5,2.25,3,4,5,6\n2,0,,,,4,5,6\n3,0,1,2,3,,,\n\nEvents\n1,2\n";
const MOTIVE: &str = "Format Version,1.23,Take Name,t,Export Frame Rate,120.0,Length Units,Meters\n\n\
    ,Type,Rigid Body,Rigid Body,Rigid Body,Marker,Marker,Marker,Marker,Marker,Marker\n\
    ,Name,R,R,R,A,A,A,B,B,B\n,ID,0,0,0,1,1,1,2,2,2\n,,Position,Position,Position,Position,Position,Position,Position,Position,Position\n\
    Frame,Time (Seconds),X,Y,Z,X,Y,Z,X,Y,Z\n0,0.0,9,9,9,1.5,2.25,3,4,5,6\n1,0.00833,9,9,9,,,,4,5,6\n2,0.01667,9,9,9,1,2,3,,,\n";

const TEXTS: [(&str, MarkerFormat, f64, Option<f64>); 5] = [
    (TRC, MarkerFormat::Trc, 100.0, Some(1.0)),
    (TSV, MarkerFormat::Tsv, 150.0, Some(1e-3)),
    (PLAIN, MarkerFormat::Csv, 100.0, None),
    (NEXUS, MarkerFormat::Csv, 100.0, Some(1e-3)),
    (MOTIVE, MarkerFormat::Csv, 120.0, Some(1.0)),
];

#[test]
fn text_formats_are_read_and_written_back() {
    for (text, format, rate, unit) in TEXTS {
        let file = MarkerFile::read(text.as_bytes(), format).unwrap_or_else(|error| panic!("{text}: {error}"));
        let markers = &file.markers;
        assert_eq!((markers.count(), markers.frames()), (2, 3), "{text}");
        assert!((markers.rate() - rate).abs() < 1e-6 && markers.meters_per_unit() == unit, "{text}");
        assert_eq!(markers.get(0, 0), Some(DVec3::new(1.5, 2.25, 3.0)), "{text}");
        assert_eq!(markers.get(2, 0), Some(DVec3::new(1.0, 2.0, 3.0)), "{text}");
        assert_eq!((markers.get(1, 0), markers.get(2, 1)), (None, None), "{text}");
        assert_eq!(file.to_bytes(markers), text.as_bytes(), "{text}");
        let mut filled = markers.clone();
        filled.set(1, 0, Some(DVec3::new(1.25, 2.125, -3.0)));
        filled.set(2, 1, Some(DVec3::new(4.5, 5.0, 6.0)));
        let written = String::from_utf8(file.to_bytes(&filled)).unwrap();
        assert_eq!(MarkerFile::read(written.as_bytes(), format).unwrap().markers, filled, "{written}");
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let changed = lines(text).iter().zip(lines(&written)).filter(|(a, b)| *a != b).count();
        assert_eq!((changed, lines(text).len()), (2, lines(&written).len()), "{written}");
    }
}

/// As they are in the wild: with commas from a spreadsheet, and with twice as many markers as there are names.
#[test]
fn trc_files_that_differ_from_the_rule_are_read() {
    // As text: a lost marker is NaN, which equals nothing.
    let text = |file: &MarkerFile| format!("{:?}", file.markers);
    let plain = MarkerFile::read(TRC.as_bytes(), MarkerFormat::Trc).unwrap();
    let commas = MarkerFile::read(TRC.replace('\t', ",").as_bytes(), MarkerFormat::Trc).unwrap();
    assert_eq!((text(&commas), commas.warnings.len()), (text(&plain), 0));
    let miscounted = MarkerFile::read(TRC.replace("\t3\t2\tm", "\t3\t4\tm").as_bytes(), MarkerFormat::Trc).unwrap();
    assert_eq!(text(&miscounted), text(&plain));
    let [warning] = &miscounted.warnings[..] else { panic!("{:?}", miscounted.warnings) };
    assert!(warning.contains("NumMarkers is 4") && warning.contains("2 markers"), "{warning}");
}

#[test]
fn bad_text_is_refused_with_a_reason() {
    for (text, format, words) in [
        ("", MarkerFormat::Csv, "empty"),
        ("a,b,c\n1,2,3\n", MarkerFormat::Csv, "NAME.x"),
        ("time,A.x,A.z,A.y\n0,1,2,3\n", MarkerFormat::Csv, "y and z"),
        ("frame,A.x,A.y,A.z\n0,1,2,3\n", MarkerFormat::Csv, "time"),
        ("time,A.x,A.y,A.z\n", MarkerFormat::Csv, "no frames"),
        ("time,A.x,A.y,A.z\n0,1,two,3\n", MarkerFormat::Csv, "line 2"),
        ("time,A.x,A.y,A.z\n1,1,2,3\n0,1,2,3\n", MarkerFormat::Csv, "increase"),
        ("time,A.x,A.y,A.z\n0,1,inf,3\n", MarkerFormat::Csv, "finite"),
        ("FREQUENCY\t10\n", MarkerFormat::Tsv, "MARKER_NAMES"),
        ("MARKER_NAMES\tA\n1\t2\t3\n", MarkerFormat::Tsv, "FREQUENCY"),
        ("FREQUENCY\t10\nNO_OF_MARKERS\t9\nMARKER_NAMES\tA\n1\t2\t3\n", MarkerFormat::Tsv, "9"),
        ("FREQUENCY\t10\nNO_OF_FRAMES\t9\nMARKER_NAMES\tA\n1\t2\t3\n", MarkerFormat::Tsv, "cut off"),
        ("hello", MarkerFormat::Trc, "header"),
    ] {
        let error = MarkerFile::read(text.as_bytes(), format).unwrap_err().to_string();
        assert!(error.contains(words), "{text:?}: {error}");
    }
    let rows = TRC.replace("\t3\t2\tm", "\t4\t2\tm");
    for cut in [&TRC[..TRC.len() - 20], &rows] {
        let error = MarkerFile::read(cut.as_bytes(), MarkerFormat::Trc).unwrap_err().to_string();
        assert!(error.contains("cut off"), "{error}");
    }
}

#[test]
fn links_come_back_and_mistakes_name_their_line() {
    let link = |a: &str, b: &str, fixed| Link { markers: [a.into(), b.into()], fixed };
    let links = vec![link("LWRA", "LWR \"B\"", true), link("A", "B", false)];
    assert_eq!(read_links(write_links(&links).as_bytes()).unwrap(), links);
    let error = read_links(b"[[link]]\nmarkers = [\"A\"]\n").unwrap_err().to_string();
    assert!(error.contains("line 2"), "{error}");
    assert!(read_links(b"[[link]]\nmarker = 1\n").is_err());
}

proptest! {
    /// Whatever is changed in a file, it is read or refused, and what is read is written back as it was.
    #[test]
    fn no_change_makes_a_reader_fall(at in 0usize..1300, byte: u8, which in 0usize..6) {
        let c3d = C3d { processor: 84, scale: -1.0 }.file(&frames());
        let (bytes, format) = match TEXTS.get(which) {
            Some((text, format, ..)) => (text.as_bytes().to_vec(), *format),
            None => (c3d, MarkerFormat::C3d),
        };
        let mut changed = bytes;
        let at = at % changed.len();
        changed[at] = byte;
        if let Ok(file) = MarkerFile::read(&changed, format) {
            prop_assert!(file.to_bytes(&file.markers) == changed);
        }
    }
}
