//! Recipes, and that a written recipe reads back.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(recipe) = sinew::recipe::Recipe::from_toml(text)
    {
        assert_eq!(sinew::recipe::Recipe::from_toml(&recipe.to_toml()).as_ref(), Ok(&recipe));
    }
});
