//! A true film whose mouth is made anew, as a presenter's is: heads are turned as they truly were in every picture, so that
//! what differs is the mouth and nothing else.

use std::path::Path;

use compere_avatar::Role;
use compere_codec::Sandbox;
use compere_media::{Marks, Rect};

use super::{Likeness, Seen, likeness, tracked};
use crate::bank::patch::Patch;
use crate::bytes::from_bytes;
use crate::error::OwnError;
use crate::ground::Ground;
use crate::store::{self, Store};
use crate::synth::{Base, FootagePack, PackParts, Reel, stitched};
use crate::track::pose::Posed;
use crate::track::{Tracker, networks};

/// `truth` with the mouth of `id`'s bank, which says what `marks` tell, against `truth`.
pub fn dubbed(
    store: &Store,
    id: &str,
    sandbox: &Sandbox,
    faces: &Path,
    truth: &Path,
    marks: &Marks,
) -> Result<Likeness, OwnError> {
    let folder = store.folder(id);
    let (mut bank, _) = from_bytes(&store::bank(&folder)?)?;
    let networks = networks(faces)?;
    let (footage, meshes) = tracked(sandbox, &networks, truth, "the true film")?;
    let canon = bank.canon.clone();
    let posed = Posed::of(&meshes, &canon);
    let size = (footage.width / 2 * 2, footage.height / 2 * 2);
    let whole = Rect::of_size(size.0, size.1);
    let ground = Ground::silent(posed.clone());
    let reel = Reel { footage: &footage, pictures: meshes.len(), mattes: &[] };
    let base = Base::of(&[reel], size, whole, stitched(&bank, &ground, whole))?;
    let patches = store::patches(&folder, bank.lips.len())?;
    let model = bank.model.take().ok_or_else(|| OwnError::Damaged("the presenter's model".to_owned()))?;
    let pack = FootagePack::new(PackParts { bank, model, patches, base, ground, rect: whole });
    // A silent take alone is played from its first picture to its last when the seed is nought.
    let role = Role { marks: marks.clone(), frames: meshes.len() as u64, seed: 0, ..Role::default() };
    let (mut tracker, mut found) = (Tracker::new(&networks), Vec::new());
    let mut made = Vec::new();
    pack.play(&role, &mut |frame| {
        let mesh = tracker.next(frame).map_err(OwnError::machine)?;
        found.push(mesh.ok_or_else(|| OwnError::Footage("the made mouth has no face around it".to_owned()))?);
        made.extend(posed.poses.get(made.len()).map(|pose| Patch::of(frame, pose)));
        Ok(())
    })?;
    let mut truth = Vec::with_capacity(made.len());
    footage.play(size, &mut |frame| {
        truth.extend(posed.poses.get(truth.len()).map(|pose| Patch::of(frame, pose)));
        Ok(())
    })?;
    let made = Seen { posed: Posed::of(&found, &canon), patches: made };
    Ok(likeness(&made, &Seen { posed, patches: truth }, marks))
}
