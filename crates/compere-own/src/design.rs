//! Presenters that somebody designed: kept beside those of footage, and found as they are.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use compere_avatar::{Design, Logo};
use compere_codec::Sandbox;
use compere_codec::image::{Want, decode};
use compere_media::Pixmap;

use crate::build::Face;
use crate::error::OwnError;
use crate::scratch::Scratch;
use crate::store::{Consent, Kind, Manifest, Store};

/// A logo is kept this large at most: it takes a hundred pixels of a chest at 4k.
const LOGO: u32 = 256;

/// Where a design is kept, and whose it is.
#[derive(Clone, Debug)]
pub struct Desk<'a> {
    pub store: &'a Store,
    pub sandbox: &'a Sandbox,
    pub account: Option<&'a str>,
    /// Seconds since 1970.
    pub now: u64,
}

impl Desk<'_> {
    /// Keeps a design under an id, in place of the one before.
    pub fn keep(&self, id: &str, design: &Design) -> Result<Manifest, OwnError> {
        let logo = logo_of(design, self.sandbox)?;
        let name = design.logo.as_ref().map(|logo| hash(&logo.picture));
        let kept = Design {
            logo: design.logo.clone().zip(name.clone()).map(|(logo, picture)| Logo { picture, ..logo }),
            ..design.clone()
        };
        let manifest = Manifest {
            id: id.to_owned(),
            kind: Kind::Design,
            name: design.name.clone(),
            gender: if design.is_male() { "male" } else { "female" }.to_owned(),
            language: "en-US".to_owned(),
            account: self.account.map(str::to_owned),
            outfit_of: None,
            created: self.now,
            width: 0,
            height: 0,
            face: Face { x: 0.0, y: 0.0, height: 0.0 },
            eyes: 0.0,
            cut: None,
            seconds: 0.0,
            warnings: Vec::new(),
            consent: Consent::default(),
            design: Some(kept),
        };
        self.store.put_design(&manifest, name.as_deref().zip(logo.as_ref()))?;
        Ok(manifest)
    }

    /// The same under an id that follows from whose it is and what it is called: designing again takes its place.
    pub fn keep_named(&self, design: &Design) -> Result<Manifest, OwnError> {
        let whose = self.account.unwrap_or_default();
        let id = format!("own-{}", &hash(&format!("design {whose} {}", design.name))[..12]);
        self.keep(&id, design)
    }
}

fn hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..32].to_owned()
}

/// A design's logo, decoded where foreign pictures are.
pub fn logo_of(design: &Design, sandbox: &Sandbox) -> Result<Option<Pixmap>, OwnError> {
    let Some(logo) = &design.logo else { return Ok(None) };
    let wrong = |why: &str| OwnError::Footage(format!("logo.picture: {why}"));
    let (kind, data) = logo.picture.split_once(',').ok_or_else(|| wrong("must be `data:image/png;base64,…`"))?;
    if !kind.ends_with(";base64") {
        return Err(wrong("must be in base64: `data:image/png;base64,…`"));
    }
    let bytes = STANDARD.decode(data.trim()).map_err(|error| wrong(&format!("is no base64: {error}")))?;
    let scratch = Scratch::new()?;
    let most = Want { max_width: LOGO, max_height: LOGO };
    let picture = decode(sandbox, &scratch.holding(&bytes)?, most);
    Ok(Some(picture.map_err(|error| wrong(&format!("the picture {error}")))?))
}
