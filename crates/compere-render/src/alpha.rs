//! Films whose plain background is left out.
//!
//! Every frame is drawn twice, on black and on white, and what differs is what can be seen through. That costs a second
//! drawing and asks nothing of the compositor, which knows opaque frames only.

use std::path::Path;

use compere_codec::alpha::{AlphaEncoder, AlphaFormat, Matte};
use compere_codec::sound::SoundFile;
use compere_media::Rgb;
use compere_scene::Film;

use crate::footage::Footage;
use crate::progress::Meter;
use crate::shoot::Reel;
use crate::{Progress, RenderError, Workshop, label};

const BLACK: Rgb = Rgb::opaque(0, 0, 0);
const WHITE: Rgb = Rgb::opaque(255, 255, 255);

#[expect(clippy::too_many_arguments, reason = "what `film` has in hand when it comes to drawing")]
/// Draws and encodes the whole film into the file `to`.
pub(crate) fn shoot(
    format: AlphaFormat,
    film: &Film,
    reel: &Reel,
    sound: &SoundFile,
    footage: &Footage,
    shop: &Workshop,
    meter: &Meter<'_>,
    to: &Path,
) -> Result<(), RenderError> {
    let comment = label::comment(film, &shop.cast);
    let encoder = AlphaEncoder::start(format, film.output(), sound, comment, shop.threads, to);
    let mut encoder = encoder.map_err(RenderError::machine)?;
    let of: u64 = reel.acts.iter().map(|act| act.frames()).sum();
    let mut done = 0;
    for act in &reel.acts {
        let mut black = act.compositor_over(BLACK, film, shop, footage)?;
        let mut white = act.compositor_over(WHITE, film, shop, footage)?;
        let mut matte = None;
        for number in 0..act.frames() {
            if meter.see(Progress::Drawing { done, of }).is_break() {
                return Err(RenderError::Cancelled);
            }
            let (on_black, damage) = black.advance(number).map_err(|lost| act.lost(&lost))?;
            let (on_white, _) = white.advance(number).map_err(|lost| act.lost(&lost))?;
            if matte.is_none() || !damage.is_empty() {
                matte = Some(Matte::between(on_black, on_white));
            }
            if let Some(matte) = &matte {
                encoder.push(matte).map_err(RenderError::machine)?;
            }
            done += 1;
        }
        act.strike();
    }
    encoder.finish().map_err(RenderError::machine)
}
