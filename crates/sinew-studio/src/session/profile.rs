//! The volume profile of a joint with all defaults filled in.

use crate::protocol::{Answer, Reply, ResolvedProfile};
use sinew::deform::volume::profile_samples;
use sinew::recipe::Recipe;

pub fn profile(recipe: &Recipe, joint: &str) -> Reply {
    let profile = recipe.volume.profile_of(joint);
    let resolved = ResolvedProfile {
        kind: profile.kind,
        shares: profile.shares,
        sizes: profile.sizes,
        center: profile.center,
        frequency: profile.frequency,
        largest_bend: profile.largest_bend,
        amount: profile.amount,
        samples: profile_samples(&profile),
        curves: profile.curves,
    };
    Answer::Profile(Box::new(resolved)).into()
}
