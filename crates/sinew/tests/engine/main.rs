//! The engine on shapes that are made here: figures of the sources, invariants, and what must be refused.
//!
//! One program, so that the engine is linked once. Sweeps over the shared characters are in `sinew-acceptance`.

mod allocation;
mod apart;
mod bind;
mod cage;
mod correction;
mod cylinder;
mod demo;
mod distance;
mod field;
mod fit;
mod flesh;
mod flesh_input;
mod graph_edit;
mod implicit;
mod intersect;
mod local_volume;
mod muscle;
mod refine;
mod search;
mod skin;
mod transfer;
mod volume;
mod weight_transfer;
mod winding;

use sinew::field::OperatorTables;
use sinew::recipe::Recipe;
use sinew::rig::Character;
use std::sync::{Arc, LazyLock};

/// The tables of the operators between fields, built once for all tests.
static TABLES: LazyLock<Arc<OperatorTables>> = LazyLock::new(Arc::default);

/// A stack with the tables that all tests share.
fn stack(character: &Character, recipe: &Recipe) -> sinew::deform::Result<sinew::Stack> {
    sinew::Stack::with_tables(character, recipe, TABLES.clone())
}
