// The ranges of settings that the engine accepts. A test of the studio compares them with the engine's own.

/** Vertices of a cage, about. */
export const CAGE_VERTICES = { min: 8, max: 100_000 };

/** The distance of a cage from its mesh, as a share of the diagonal of the mesh's box. The engine takes all above zero. */
export const CAGE_OFFSET = { min: 0.0005, max: 0.5 };

/** Joints per vertex. */
export const INFLUENCES = { min: 1, max: 16 };
