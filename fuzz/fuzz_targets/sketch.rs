//! Drawings of muscles, SVG and PNG, and the profile that is fitted to their outlines.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(outline) = sinew_io::sketch::read(bytes)
        && let Ok(sketch) = sinew::deform::muscle::Sketch::new(&outline)
    {
        let fitted = sketch.fitted();
        assert!(fitted.width.is_finite() && (0.0..=1.0).contains(&fitted.error), "{fitted:?}");
    }
});
