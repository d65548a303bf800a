//! The playlists of a stream, and what its files are called.

use std::fmt::Write as _;

use compere_codec::aac;
use compere_media::{FRAME_RATE, SAMPLE_RATE};

use crate::plan::{LONGEST, PART};

/// Pieces beside which the parts of the first one are still listed, for players that are in the middle of them.
const PARTED: usize = 2;

/// Of a film that grows.
#[derive(Debug, Default)]
pub(crate) struct Playlists {
    film: String,
    /// Frames of pictures and of sound in each piece.
    pieces: Vec<(u64, u64)>,
    /// The same of parts of the first piece.
    parts: Vec<(u64, u64)>,
    ended: bool,
}

impl Playlists {
    pub(crate) const FILM: &'static str = "film.m3u8";
    pub(crate) const VIDEO: &'static str = "video.m3u8";
    pub(crate) const SOUND: &'static str = "sound.m3u8";
    pub(crate) const VIDEO_HEAD: &'static str = "video.mp4";
    pub(crate) const SOUND_HEAD: &'static str = "sound.mp4";

    pub(crate) fn video_piece(number: usize) -> String {
        format!("video-{number}.m4s")
    }

    pub(crate) fn sound_piece(number: usize) -> String {
        format!("sound-{number}.m4s")
    }

    pub(crate) fn video_part(number: usize) -> String {
        format!("video-0.{number}.m4s")
    }

    pub(crate) fn sound_part(number: usize) -> String {
        format!("sound-0.{number}.m4s")
    }

    /// What players are told before anything else.
    pub(crate) fn begin(&mut self, codec: &str, (width, height): (u32, u32), rate: u32) {
        // No stretch of ours has more than 0.1 bits for a pixel, and most have a tenth of that.
        let bits = u64::from(width) * u64::from(height) * u64::from(FRAME_RATE.num) / u64::from(FRAME_RATE.den) / 10;
        let bandwidth = bits + u64::from(rate);
        let frames = f64::from(FRAME_RATE.num) / f64::from(FRAME_RATE.den);
        self.film = format!(
            "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n\
             #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"sound\",NAME=\"Sound\",DEFAULT=YES,AUTOSELECT=YES,CHANNELS=\"2\",URI=\"{}\"\n\
             #EXT-X-STREAM-INF:BANDWIDTH={bandwidth},CODECS=\"{codec},mp4a.40.2\",RESOLUTION={width}x{height},\
             FRAME-RATE={frames:.3},AUDIO=\"sound\"\n{}\n",
            Self::SOUND,
            Self::VIDEO
        );
    }

    pub(crate) fn has_begun(&self) -> bool {
        !self.film.is_empty()
    }

    /// A part of the first piece can be had.
    pub(crate) fn part(&mut self, frames: u64, heard: u64) {
        self.parts.push((frames, heard));
    }

    /// The next piece can be had.
    pub(crate) fn piece(&mut self, frames: u64, heard: u64, last: bool) {
        self.pieces.push((frames, heard));
        self.ended = last;
    }

    pub(crate) fn pieces(&self) -> usize {
        self.pieces.len()
    }

    pub(crate) fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Frames of sound in all pieces.
    pub(crate) fn sounded(&self) -> u64 {
        self.pieces.iter().map(|(_, heard)| heard).sum()
    }

    pub(crate) fn film(&self) -> &str {
        &self.film
    }

    pub(crate) fn video(&self) -> String {
        let seconds = |(frames, _): &(u64, u64)| FRAME_RATE.seconds(*frames);
        self.list(Self::VIDEO_HEAD, seconds, Self::video_part, Self::video_piece)
    }

    pub(crate) fn sound(&self) -> String {
        let frame = aac::FRAME_SAMPLES as f64 / f64::from(SAMPLE_RATE);
        self.list(Self::SOUND_HEAD, |(_, heard)| *heard as f64 * frame, Self::sound_part, Self::sound_piece)
    }

    fn list(
        &self,
        head: &str,
        seconds: impl Fn(&(u64, u64)) -> f64,
        part: fn(usize) -> String,
        piece: fn(usize) -> String,
    ) -> String {
        let longest = FRAME_RATE.seconds(LONGEST).ceil();
        let kind = if self.ended { "VOD" } else { "EVENT" };
        let mut text = format!(
            "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:{longest}\n#EXT-X-PLAYLIST-TYPE:{kind}\n\
             #EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-START:TIME-OFFSET=0,PRECISE=YES\n"
        );
        let mut line = |line: std::fmt::Arguments<'_>| {
            // Text in memory takes whatever is written.
            let _ = writeln!(text, "{line}");
        };
        // Who begins later needs no parts, and players of low latency take nothing but parts as long as there are some.
        let parts = if self.ended || self.pieces.len() > PARTED { &[][..] } else { &self.parts };
        if !parts.is_empty() {
            let target = FRAME_RATE.seconds(PART);
            line(format_args!("#EXT-X-SERVER-CONTROL:PART-HOLD-BACK={:.3}", 3.0 * target));
            line(format_args!("#EXT-X-PART-INF:PART-TARGET={target:.3}"));
        }
        line(format_args!("#EXT-X-MAP:URI=\"{head}\""));
        for (number, one) in parts.iter().enumerate() {
            let first = if number == 0 { ",INDEPENDENT=YES" } else { "" };
            line(format_args!("#EXT-X-PART:DURATION={:.5},URI=\"{}\"{first}", seconds(one), part(number)));
        }
        for (number, one) in self.pieces.iter().enumerate() {
            line(format_args!("#EXTINF:{:.5},", seconds(one)));
            line(format_args!("{}", piece(number)));
        }
        if !parts.is_empty() && !self.pieces.is_empty() {
            // hls.js takes the last thing of a list with parts for the piece that is to come: were it a piece, the list with the
            // real one would contradict it, and be refused.
            line(format_args!("# The next piece comes whole."));
        }
        if self.ended {
            line(format_args!("#EXT-X-ENDLIST"));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_grow_and_end() {
        let mut lists = Playlists::default();
        lists.begin("avc1.640029", (1920, 1080), 96_000);
        assert!(lists.film().contains("RESOLUTION=1920x1080,FRAME-RATE=30.000,AUDIO=\"sound\"\nvideo.m3u8\n"));
        lists.part(30, 38);
        let begun = lists.video();
        assert!(begun.ends_with("#EXT-X-PART:DURATION=1.00000,URI=\"video-0.0.m4s\",INDEPENDENT=YES\n"), "{begun}");
        assert!(!begun.contains("#EXTINF") && begun.contains("PLAYLIST-TYPE:EVENT"));
        lists.piece(250, 382, false);
        assert!(lists.video().starts_with(&begun), "what was listed stays");
        let ends = "#EXTINF:8.33333,\nvideo-0.m4s\n# The next piece comes whole.\n";
        assert!(lists.video().ends_with(ends), "with parts no piece is the last thing: {}", lists.video());
        lists.piece(250, 382, false);
        assert!(lists.video().starts_with(&begun), "whoever is in the middle of it goes on");
        lists.piece(250, 382, false);
        let later = lists.video();
        assert!(!later.contains("PART") && later.ends_with("video-1.m4s\n#EXTINF:8.33333,\nvideo-2.m4s\n"), "{later}");
        lists.piece(100, 161, true);
        let ended = lists.sound();
        assert!(ended.contains("PLAYLIST-TYPE:VOD") && !ended.contains("PART"), "{ended}");
        assert!(ended.ends_with("#EXTINF:3.43467,\nsound-3.m4s\n#EXT-X-ENDLIST\n"), "{ended}");
        assert_eq!((lists.pieces(), lists.sounded()), (4, 1307));
    }
}
