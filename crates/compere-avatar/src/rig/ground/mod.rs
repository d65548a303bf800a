//! What all rooms stand on: arithmetic of points, meshes, the camera, the data of shapes.

pub(crate) mod camera;
pub(crate) mod care;
pub(crate) mod curve;
pub(crate) mod data;
pub(crate) mod mesh;
pub(crate) mod v3;
