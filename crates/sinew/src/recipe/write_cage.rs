//! The `[cage]` table as text.

use super::write::{Text, number, one_of, quoted, three};
use super::{CageRecipe, MarkerPlace, RangeRecipe, Recipe, ReleaseKind};
use sinew_cage::EmbeddingMethod;
use sinew_settings::limits::CAGE_VERTICES;

impl Recipe {
    pub(super) fn write_cage(&self, text: &mut Text) {
        let cage = &self.cage;
        text.table("[cage]");
        text.about(
            "How \"sinew cage\" lets markers or joints move a mesh; the guide is docs/cage.md in Sinew's source.",
        );
        text.about(&format!(
            "How many vertices the cage has, about, {} to {}; finer follows more closely and takes longer.",
            CAGE_VERTICES.start(),
            CAGE_VERTICES.end()
        ));
        text.key("vertices", cage.vertices);
        text.about(
            "How far it is from the mesh, of the diagonal of the mesh's box, above 0 and at most 0.5. Parts that",
        );
        text.about("are less than two offsets and a half apart, such as fingers, are joined.");
        text.key("offset", number(cage.offset));
        text.about("How much shorter its edges are near joints, 1 to 10.");
        text.key("joint_detail", number(cage.joint_detail));
        text.about(&format!(
            "How the mesh follows the cage: {}. The first is for use,",
            one_of(&EmbeddingMethod::ALL.map(EmbeddingMethod::name))
        ));
        text.about("\"green\" is smoother but sees only the cage's surface, the last two are for comparison.");
        text.key("embedding", quoted(cage.embedding.name()));
        text.about("How strongly markers and joints draw the body to their places, above 0 and at most 1000000.");
        text.key("pull", number(cage.pull));
        text.about("How strongly bones hold while the body follows; their lengths are exact in the end.");
        text.key("bones", number(cage.bones));
        text.about(&format!("Where the body gives way first: {}.", one_of(&ReleaseKind::ALL.map(ReleaseKind::name))));
        text.key("release", quoted(cage.release.name()));
        text.about("For \"by-energy\": how sharply, above 0 and at most 100.");
        text.key("release_exponent", number(cage.release_exponent));
        text.about("How often volumes are restored in every frame, 0 to 1000.");
        text.key("volume_sweeps", cage.volume_sweeps);
        text.about("Turns of the solver in every frame at most, 1 to 10000.");
        text.key("iterations", cage.iterations);
        cage.write_limits(text);
        cage.write_markers(text);
    }
}

impl CageRecipe {
    fn write_limits(&self, text: &mut Text) {
        text.about(
            "How far joints may turn against the bone before them, from rest, in degrees: the least and the most.",
        );
        text.about("The bend is in the plane of the two bones, sideways out of it, the twist about the bone.");
        text.0 += "#[cage.limits.LeftForeArm]\n#bend = [0.0, 140.0]\n#sideways = [0.0, 0.0]\n#twist = [-80.0, 80.0]\n";
        for (joint, RangeRecipe { twist, bend, sideways }) in &self.limits {
            text.table(&format!("[cage.limits.{}]", quoted(joint)));
            for (key, [low, high]) in [("bend", bend), ("sideways", sideways), ("twist", twist)] {
                text.key(key, format_args!("[{low:?}, {high:?}]"));
            }
        }
    }

    fn write_markers(&self, text: &mut Text) {
        text.about(
            "Where markers are on the mesh at rest, by label: at a position or a vertex of the file, or where a",
        );
        text.about("way from a bone leaves the skin, which starts so far along it and goes toward a direction.");
        text.0 += "#[cage.markers.LELB]\n#joint = \"LeftForeArm\"\n#along = 0.0\n#toward = [1.0, 0.0, 0.0]\n";
        for (label, MarkerPlace { position, vertex, joint, along, toward }) in &self.markers {
            text.table(&format!("[cage.markers.{}]", quoted(label)));
            if let Some(position) = position {
                text.key("position", three(*position));
            }
            if let Some(vertex) = vertex {
                text.key("vertex", vertex);
            }
            if let Some(joint) = joint {
                text.key("joint", quoted(joint));
            }
            text.key("along", number(*along));
            if let Some(toward) = toward {
                text.key("toward", three(*toward));
            }
        }
    }
}
