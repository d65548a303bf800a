//! The sets themselves, grouped by what they are built of.

mod flat;
mod gradient;
mod lamps;
mod news;
mod room;
mod studio;

use super::Backdrop;
use super::print::Print;

pub(super) static ALL: [Backdrop; 19] = [
    Backdrop {
        name: "studio-warm",
        title: "Warm studio",
        tags: &["studio", "warm", "light"],
        set: studio::warm,
        print: || Print::new(11),
    },
    Backdrop {
        name: "studio-grey",
        title: "Portrait studio, grey paper",
        tags: &["studio", "grey", "neutral"],
        set: studio::grey,
        print: || Print::new(29).vignette(0.06),
    },
    Backdrop {
        name: "studio-daylight",
        title: "Studio with window light",
        tags: &["studio", "light", "daylight"],
        set: studio::daylight,
        print: || Print::new(12).vignette(0.1),
    },
    Backdrop {
        name: "studio-night",
        title: "Studio with coloured light",
        tags: &["studio", "dark", "blue"],
        set: studio::night,
        print: || Print::new(13).vignette(0.25),
    },
    Backdrop {
        name: "cyclorama",
        title: "White cyclorama",
        tags: &["studio", "white", "light"],
        set: studio::cyclorama,
        print: || Print::new(14).vignette(0.08),
    },
    Backdrop {
        name: "news-desk",
        title: "News desk",
        tags: &["news", "dark", "blue"],
        set: news::desk,
        print: || Print::new(21).vignette(0.2),
    },
    Backdrop {
        name: "office",
        title: "Office",
        tags: &["room", "business", "daylight"],
        set: room::office,
        print: || Print::new(31),
    },
    Backdrop {
        name: "library",
        title: "Library",
        tags: &["room", "training", "warm"],
        set: room::library,
        print: || Print::new(32).vignette(0.2),
    },
    Backdrop {
        name: "living-room",
        title: "Living room",
        tags: &["room", "warm", "home"],
        set: room::living,
        print: || Print::new(33).vignette(0.2),
    },
    Backdrop {
        name: "city-night",
        title: "City at night",
        tags: &["bokeh", "dark", "city"],
        set: lamps::city,
        print: || Print::new(41).vignette(0.2),
    },
    Backdrop {
        name: "bokeh-gold",
        title: "Golden lights",
        tags: &["bokeh", "warm", "celebration"],
        set: lamps::gold,
        print: || Print::new(42).vignette(0.25),
    },
    Backdrop {
        name: "gradient-dawn",
        title: "Dawn",
        tags: &["gradient", "warm", "light"],
        set: gradient::dawn,
        print: || Print::new(51).vignette(0.06),
    },
    Backdrop {
        name: "gradient-ocean",
        title: "Ocean",
        tags: &["gradient", "blue", "dark"],
        set: gradient::ocean,
        print: || Print::new(52),
    },
    Backdrop {
        name: "gradient-pearl",
        title: "Pearl",
        tags: &["gradient", "white", "light"],
        set: gradient::pearl,
        print: || Print::new(53).vignette(0.04),
    },
    Backdrop {
        name: "gradient-plum",
        title: "Plum",
        tags: &["gradient", "violet", "dark"],
        set: gradient::plum,
        print: || Print::new(54),
    },
    Backdrop {
        name: "waves",
        title: "Waves",
        tags: &["abstract", "blue", "dark"],
        set: flat::waves,
        print: || Print::new(61).vignette(0.1),
    },
    Backdrop {
        name: "folds",
        title: "Paper folds",
        tags: &["abstract", "white", "light"],
        set: flat::folds,
        print: || Print::new(62).vignette(0.06),
    },
    Backdrop {
        name: "paper",
        title: "Paper",
        tags: &["texture", "warm", "light"],
        set: flat::paper,
        print: || Print::new(63).vignette(0.1),
    },
    Backdrop {
        name: "geometric",
        title: "Geometric",
        tags: &["abstract", "business", "blue"],
        set: flat::geometric,
        print: || Print::new(64).vignette(0.1),
    },
];
