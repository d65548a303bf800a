//! What a film comes out as, and what is being done to it meanwhile.

use crate::words;

words! {
    /// What is made of a film.
    #[derive(Default)]
    pub enum Format {
        /// H.264 and AAC.
        #[default]
        Mp4 = "mp4",
        /// Only what is heard, with 16 bits.
        Wav = "wav",
        /// VP9 and Opus, plain backgrounds left out.
        Webm = "webm",
        /// ProRes 4444 and PCM, plain backgrounds left out.
        Mov = "mov",
    }
}

words! {
    #[derive(Default)]
    pub enum Orientation {
        #[default]
        Landscape = "landscape",
        Portrait = "portrait",
    }
}

impl Orientation {
    pub fn turned(self, (width, height): (u32, u32)) -> (u32, u32) {
        match self {
            Self::Landscape => (width, height),
            Self::Portrait => (height, width),
        }
    }
}

words! {
    /// How large a film is, by the lines of its landscape form.
    #[derive(Default)]
    pub enum Resolution {
        P480 = "480",
        P720 = "720",
        #[default]
        P1080 = "1080",
        P4k = "4k",
    }
}

impl Resolution {
    pub fn landscape(self) -> (u32, u32) {
        match self {
            Self::P480 => (854, 480),
            Self::P720 => (1280, 720),
            Self::P1080 => (1920, 1080),
            Self::P4k => (3840, 2160),
        }
    }
}

words! {
    /// What is being done, in one vocabulary for the command line, the API and the dashboard.
    pub enum Activity {
        /// In the queue.
        Waiting = "waiting",
        /// A worker has it.
        Starting = "starting",
        /// Linked pictures, videos and sounds are fetched and looked at.
        Fetching = "fetching",
        Speaking = "speaking",
        Drawing = "drawing",
        /// Speech, clips and music become one sound.
        Mixing = "mixing",
        /// The file is put together.
        Packing = "packing",
        /// The file is looked at as a player would.
        Checking = "checking",
        /// The files are put where they are kept.
        Storing = "storing",
        Done = "done",
    }
}
