//! The `[motion]` table of a recipe: how a captured motion is changed.

use sinew_settings::settings;
use std::collections::BTreeMap;

settings! {
    /// The `[motion]` table.
    pub struct MotionRecipe {
        /// The first and the last frame that may change, counted from 0 in the clip's own frames. Left out, the whole
        /// clip may.
        range: Option<[usize; 2]> = None, shown("[30, 90]");
        /// Whether feet that stand stay where they stand.
        keep_contacts: bool = true;
        /// How strongly everything is drawn to the source: larger keeps an edit nearer to its pins.
        stay: f64 = 0.05, within(0.0, 1e6);
        /// Whether the first frames may change; only where the range begins with the clip.
        free_start: bool = false;
        /// Whether the last frames may change; only where the range ends with the clip.
        free_end: bool = false;
        /// Joints that are to be somewhere in a frame: at a position of the world, or by an offset from where they are,
        /// and turned about an axis of the world if one wants, in the file's units and axes.
        pins: Vec<PinRecipe> = Vec::new(),
            example("", &[
                "joint = \"LeftFoot\"",
                "frame = 60",
                "offset = [0.0, 0.3, 0.0]",
                "turn = { axis = [1.0, 0.0, 0.0], degrees = 20.0 }",
            ]);
        /// How far joints may turn from their rest, by name: the swing of the bone and the twist about it, in degrees.
        limits: BTreeMap<String, LimitRecipe> = BTreeMap::new(),
            example("LeftForeArm", &["swing = 150.0", "twist = 90.0"]);
    }
}

settings! {
    /// A joint that is to be somewhere in a frame: at a place of the world, or moved from where it is.
    pub struct PinRecipe {
        /// The joint's name.
        joint: String = String::new(), required();
        /// The frame, counted from 0 in the clip's own frames.
        frame: usize = 0, required();
        /// Where it is to be in the world, in the file's units and axes; this or an offset.
        position: Option<[f64; 3]> = None;
        /// How far from where the source has it.
        offset: Option<[f64; 3]> = None;
        /// How it is turned from the source; left out, its turn is free.
        turn: Option<TurnRecipe> = None;
    }
}

settings! {
    /// A rotation in the world.
    #[derive(Copy)]
    pub struct TurnRecipe {
        /// The axis, of any length above zero.
        axis: [f64; 3] = [0.0, 1.0, 0.0], required();
        /// The angle.
        degrees: f64 = 0.0, required();
    }
}

settings! {
    /// The largest angles of a joint.
    #[derive(Copy)]
    pub struct LimitRecipe {
        /// How far its bone may swing from its direction at rest.
        swing: f64 = 180.0, within(0.0, 180.0), unit("degrees");
        /// How far it may twist about its bone, either way.
        twist: f64 = 180.0, within(0.0, 180.0), unit("degrees");
    }
}
