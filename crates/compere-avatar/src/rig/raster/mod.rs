//! Triangles to pixels: in depth for baking, flat for acting.

mod bands;
pub(crate) mod canvas;
pub(crate) mod deep;
pub(crate) mod edges;
pub(crate) mod flat;
pub(crate) mod render;
