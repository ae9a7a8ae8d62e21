//! The authored rigs bound again, against what Blender's bone heat makes of them.
//!
//! Heat keeps all influences. What is judged keeps as many as the file's own weights have, four at least: those of
//! `spot_rigged` have eleven, and pruned to four they are themselves 4.5 times as far from what they were as heat is.

use super::metric::Distance;
use super::reference::Reference;
use super::rig::{INDEPENDENT, LIKE_HEAT, Rig, load};
use sinew::bind::{BindMethod, BindOptions, bind, weighted_joints};
use sinew::rig::Character;

/// How much farther than heat's our weights may be from authored weights that are like heat's own.
const SLACK: f64 = 1.1;

fn bound(character: &Character, influences: usize) -> Character {
    let options = BindOptions { method: BindMethod::Geodesic, influences };
    bind(character, &weighted_joints(character), &options, &mut |_| {}).unwrap().character
}

/// The influences that a file's own weights have, four at least.
fn own_influences(character: &Character) -> usize {
    let own = character.parts.iter().map(|part| part.binding.weights.max_influences()).max();
    own.unwrap_or(0).max(BindOptions::default().influences)
}

/// A row of the table for so many influences; whether both numbers are at most `slack` times those of heat, or
/// below them where there is no slack.
fn row(name: &str, character: &Character, influences: usize, slack: Option<f64>) -> bool {
    let rig = Rig::new(character);
    let ours = Distance::new(&rig, &rig.weights(&bound(character, influences)));
    let [heat, idw] = ["heat", "idw"].map(|method| Reference::read(name, method).distance);
    let cell = |pick: fn(&Distance) -> f64, scale: f64| {
        let [ours, heat, idw] = [&ours, &heat, &idw].map(pick);
        format!(
            "{:.3} | {:.3} | {:.3} | {:.2} | {:.2}",
            scale * ours,
            scale * heat,
            scale * idw,
            ours / heat,
            ours / idw
        )
    };
    println!("| {name} | {influences} | {} | {} |", cell(|d| d.tv, 1.0), cell(|d| d.sweep_per_authored, 1e3));
    let holds = |ours: f64, heat: f64| match slack {
        Some(slack) => ours <= slack * heat,
        None => ours < heat,
    };
    holds(ours.tv, heat.tv) && holds(ours.sweep_per_authored, heat.sweep_per_authored)
}

/// The characters on which the claim fails; other numbers of influences are for comparison.
fn failing(names: &[&'static str], slack: Option<f64>) -> Vec<&'static str> {
    println!("\n| rig | influences | tv | heat | idw | / heat | / idw | sweep ·10³ | heat | idw | / heat | / idw |");
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    let mut failing = Vec::new();
    for &name in names {
        let Some(character) = load(name) else { continue };
        let own = own_influences(&character);
        if !row(name, &character, own, slack) {
            failing.push(name);
        }
        for influences in [4, 8].into_iter().filter(|&influences| influences != own) {
            row(name, &character, influences, slack);
        }
    }
    failing
}

#[test]
fn rebound_independent_rigs_are_nearer_to_their_authors_than_heat() {
    let failing = failing(&INDEPENDENT, None);
    assert!(failing.is_empty(), "heat is nearer on {failing:?}");
}

#[test]
fn rebound_rigs_like_heat_are_not_much_farther_than_heat() {
    let failing = failing(&LIKE_HEAT, Some(SLACK));
    assert!(failing.is_empty(), "more than {SLACK} times as far as heat on {failing:?}");
}
