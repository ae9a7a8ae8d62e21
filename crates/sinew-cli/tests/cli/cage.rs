//! `sinew cage`.

use crate::bench::Bench;

#[test]
fn a_clip_drives_a_mesh_by_way_of_a_saved_cage() {
    let bench = Bench::with_tube();
    let printed = bench.done(&["cage", "build", "tube.glb", "--vertices", "80", "--offset", "0.03", "-o", "t.cage"]);
    assert!(printed.contains("tetrahedra") && printed.contains("0 markers"), "{printed}");
    bench.done(&[
        "cage",
        "build",
        "tube.glb",
        "--vertices",
        "80",
        "--offset",
        "0.03",
        "-o",
        "t.obj",
        "--report",
        "q.json",
    ]);
    assert!(bench.text("t.obj").lines().filter(|line| line.starts_with("v ")).count() >= 70);
    assert_eq!(bench.json("q.json")["linked"], 0);
    let printed = bench.done(&[
        "cage",
        "drive",
        "t.cage",
        "--clip",
        "bend",
        "--fps",
        "4",
        "-o",
        "bend.pc2",
        "--report",
        "r.json",
        "--skeleton-out",
        "s.bvh",
    ]);
    assert!(printed.contains("0 inverted tetrahedra"), "{printed}");
    let report = bench.json("r.json");
    let frames = report["frames"].as_array().unwrap();
    assert!(frames.len() >= 4 && frames.iter().all(|frame| frame["inverted"] == 0), "{report}");
    assert!(frames.iter().all(|frame| frame["segment_error"].as_f64().unwrap() < 1e-3), "{report}");
    assert!(bench.text("s.bvh").contains("MOTION"));
    for method in ["green", "tetrahedra", "barycentric"] {
        let output = format!("{method}.usda");
        bench.done(&["cage", "drive", "t.cage", "--clip", "bend", "--fps", "1", "--embedding", method, "-o", &output]);
    }
    bench.done(&["cage", "drive", "t.cage", "--clip", "bend", "--fps", "2", "-o", "page.glb", "--report", "r.html"]);
    let page = bench.text("r.html");
    for words in ["Rigidity", "Bone lengths", "Inverted tetrahedra", "<img"] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn markers_drive_a_mesh_and_limits_hold_it_back() {
    let bench = Bench::with_tube();
    // The tube is 10 long along z: three markers at its foot stay, three at its head go round.
    let mut text = "time,A.x,A.y,A.z,B.x,B.y,B.z,C.x,C.y,C.z,D.x,D.y,D.z,E.x,E.y,E.z,F.x,F.y,F.z\n".to_owned();
    for frame in 0..4 {
        let angle = 0.3 * f64::from(frame);
        let bent = |x: f64, y: f64, z: f64| {
            let (sine, cosine) = angle.sin_cos();
            format!(",{x},{},{}", y * cosine - (z - 5.0) * sine, 5.0 + y * sine + (z - 5.0) * cosine)
        };
        text += &format!("{},1,0,1,-1,0,1", f64::from(frame) / 4.0);
        text += &format!("{}{}{},0,1,1\n", bent(1.0, 0.0, 9.0), bent(-1.0, 0.0, 9.0), bent(0.0, 1.0, 9.0));
    }
    bench.write("take.csv", text);
    bench.write(
        "joints.toml",
        "[[joint]]\nname = \"root\"\nhead = [0, 0, 0]\ntail = [0, 0, 5]\n\
         [[joint]]\nname = \"bend\"\nparent = \"root\"\nhead = [0, 0, 5]\ntail = [0, 0, 10]\n",
    );
    let cage = ["--vertices", "80", "--offset", "0.03", "--markers", "take.csv", "--fps", "4"];
    // The recovered turn of the joint about x in the last frame, in degrees.
    let turn = |limits: &[&str], output: &str, clip: &str| {
        let mut arguments = vec!["cage", "drive", "tube.glb", "--skeleton", "joints.toml"];
        arguments.extend(cage);
        arguments.extend(["--place", "A=1,0,1", "--place", "B=-1,0,1", "--place", "C=1,0,9", "--place", "D=-1,0,9"]);
        arguments.extend(["--place", "E=0,1,9", "--place", "F=0,1,1", "--marker-scale", "1"]);
        arguments.extend(limits);
        arguments.extend(["-o", output, "--skeleton-out", clip]);
        bench.done(&arguments);
        let last = bench.text(clip).lines().last().unwrap().rsplit(' ').next().unwrap().parse::<f64>().unwrap();
        last.abs()
    };
    let limit = "bend:bend=-1..1,sideways=-1..1,twist=0..0";
    let free = turn(&[], "free.glb", "free.bvh");
    assert!(free > 4.0, "{free}");
    let held = turn(&["--limit", limit], "held.glb", "held.bvh");
    assert!(held < 1.01, "{held}");
    assert_eq!(turn(&["--limit", limit, "--limits", "off"], "off.glb", "off.bvh"), free);
    let printed = bench.done(&[
        "cage",
        "drive",
        "tube.glb",
        "--vertices",
        "80",
        "--offset",
        "0.03",
        "--markers",
        "take.csv",
        "--nearest",
        "0",
        "-o",
        "n.glb",
    ]);
    assert!(printed.contains("frames"), "{printed}");
}

#[test]
fn what_cannot_be_done_is_refused() {
    let bench = Bench::with_tube();
    bench.write("take.csv", "time,A.x,A.y,A.z\n0,0,0,1\n1,0,0,1\n");
    bench.write("broken.cage", "{\"sinew_cage\": 1}");
    bench.write("flat.obj", "v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n");
    bench.write("small.sinew.toml", "[cage]\nvertices = 80\noffset = 0.03\n");
    for (arguments, words) in [
        (&["build", "tube.glb", "-o", "t.fbx"][..], ".cage"),
        (&["build", "flat.obj", "-o", "t.cage"], "no surface"),
        (&["build", "tube.glb", "-o", "t.cage", "--recipe", "small.sinew.toml", "--place", "A=0,0,500"], "\"A\" is"),
        (&["drive", "broken.cage", "-o", "o.glb"], "not a cage file"),
        (&["drive", "tube.glb", "-o", "o.fbx"], "written as .glb"),
        (&["drive", "tube.glb", "-o", "o.glb", "--markers", "take.csv"], "--template"),
        (
            &[
                "drive",
                "tube.glb",
                "-o",
                "o.glb",
                "--markers",
                "take.csv",
                "--recipe",
                "small.sinew.toml",
                "--place",
                "B=0,0,1",
            ],
            "no marker \"B\"",
        ),
        (
            &[
                "drive",
                "tube.glb",
                "-o",
                "o.glb",
                "--clip",
                "bend",
                "--recipe",
                "small.sinew.toml",
                "--limit",
                "Nobody:bend=0..9",
            ],
            "Nobody",
        ),
        (
            &[
                "drive",
                "tube.glb",
                "-o",
                "o.glb",
                "--clip",
                "bend",
                "--recipe",
                "small.sinew.toml",
                "--limit",
                "root:bend=0..9",
            ],
            "cannot be limited",
        ),
        (&["drive", "tube.glb", "-o", "o.glb", "--clip", "bend", "--skeleton-out", "s.obj"], ".bvh"),
    ] {
        let before = bench.listing();
        let answer = bench.run(&[&["cage"], arguments].concat());
        assert_eq!((answer.code, answer.stdout.as_str()), (Some(1), ""), "{arguments:?}: {answer:?}");
        assert!(answer.stderr.contains("error: ") && answer.stderr.contains(words), "{words}: {answer:?}");
        assert_eq!(bench.listing(), before);
    }
}
