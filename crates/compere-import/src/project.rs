//! A deck as the body of a create-project request.

use std::collections::BTreeMap;
use std::path::Path;

use compere_scene::{Catalogue, Transition};
use serde_json::{Value, json};

use crate::{Card, Clip, ClipWhat, Deck, Figure, Ground, Shown, Slide, TextClip, TextStretch};

/// Who speaks the notes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Presenter {
    /// As `model.ai_name` has it.
    pub model: String,
    /// As `model.emotion` has it.
    pub cloth: String,
    /// Another voice than its own.
    pub voice: Option<String>,
}

impl Presenter {
    /// The one that `presenter`, `outfit` and `voice` among the fields name, else `plain`; what is wrong with them comes
    /// with the field's name.
    pub fn chosen(
        plain: Self,
        fields: &BTreeMap<String, String>,
        catalogue: &dyn Catalogue,
    ) -> (Self, Vec<(&'static str, String)>) {
        let field = |key: &str| fields.get(key).map(|text| text.trim()).filter(|text| !text.is_empty());
        let (mut chosen, mut wrong) = (plain, Vec::new());
        if let Some(id) = field("presenter") {
            match catalogue.find_avatar(id) {
                Some(found) => {
                    let outfit = found.avatar.outfits.first().map(|outfit| outfit.id.clone());
                    chosen = Self { model: found.avatar.id.clone(), cloth: outfit.unwrap_or_default(), voice: None };
                }
                None => wrong.push(("presenter", format!("there is no presenter `{id}`"))),
            }
        }
        if let (Some(id), Some(found)) = (field("outfit"), catalogue.find_avatar(&chosen.model)) {
            match catalogue.find_outfit(found.avatar, id) {
                Some(outfit) => chosen.cloth = outfit.id.clone(),
                None => wrong.push(("outfit", format!("`{}` has no outfit `{id}`", chosen.model))),
            }
        }
        if let Some(id) = field("voice") {
            match catalogue.find_voice(id) {
                Some(voice) => chosen.voice = Some(voice.id.clone()),
                None => wrong.push(("voice", format!("there is no voice `{id}`"))),
            }
        }
        (chosen, wrong)
    }
}

/// Names of projects are at most this long.
const LONGEST_NAME: usize = 200;

/// The project: a scene for each slide, with its picture and, where one stands there, the presenter who says the notes
/// or listens while the slide is read.
///
/// `link` gives the address under which a file of the deck's folder will be found. `name` goes before the document's
/// own title.
pub fn deck_to_project(
    deck: &Deck,
    link: &dyn Fn(&Path) -> String,
    name: Option<&str>,
    presenter: &Presenter,
) -> Value {
    let name = name.or(deck.title.as_deref()).map(str::trim).filter(|name| !name.is_empty()).unwrap_or("Slides");
    let name: String = name.chars().take(LONGEST_NAME).collect();
    let (colour, picture) = match &deck.background {
        Ground::Own => (backdrop(&deck.slides), None),
        Ground::Colour(colour) => (*colour, None),
        Ground::Picture(link) => (backdrop(&deck.slides), Some(link.as_str())),
    };
    let set = Set { canvas: crate::deck::canvas(deck.orientation), link, presenter, backdrop: colour, picture };
    let scenes: Vec<Value> = deck.slides.iter().enumerate().map(|(index, slide)| set.scene(index, slide)).collect();
    json!({ "name": name, "orientation": deck.orientation.as_str(), "scenes": scenes })
}

/// What is behind slides that do not fill the picture: the colour that most of them have at their edges, a shade
/// further from its end, so that they stand out.
fn backdrop(slides: &[Slide]) -> [u8; 3] {
    let mut counted = BTreeMap::<[u8; 3], usize>::new();
    slides.iter().for_each(|slide| *counted.entry(slide.edge_colour).or_default() += 1);
    let colour = counted.into_iter().max_by_key(|(_, count)| *count).map_or([255; 3], |(colour, _)| colour);
    let [r, g, b] = colour.map(f64::from);
    let (toward, share) =
        if 0.3 * r + 0.6 * g + 0.1 * b > 110.0 { ([38.0, 52.0, 77.0], 0.12) } else { ([255.0; 3], 0.1) };
    let mixed = [(r, toward[0]), (g, toward[1]), (b, toward[2])];
    mixed.map(|(own, toward)| (own + (toward - own) * share).round() as u8)
}

fn rgb([r, g, b]: [u8; 3]) -> String {
    format!("rgb({r},{g},{b})")
}

/// To hundredths.
fn exact(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// What all scenes share.
struct Set<'a> {
    canvas: (u32, u32),
    link: &'a dyn Fn(&Path) -> String,
    presenter: &'a Presenter,
    backdrop: [u8; 3],
    /// The link of one over that colour.
    picture: Option<&'a str>,
}

impl Set<'_> {
    fn scene(&self, index: usize, slide: &Slide) -> Value {
        let (mut clips, background) = match &slide.stand.card {
            None => (
                vec![],
                json!({ "source_type": "image", "source_url": (self.link)(&slide.picture), "source_color": rgb(slide.edge_colour) }),
            ),
            Some(card) => (
                self.card(slide, card),
                json!({
                    "source_type": if self.picture.is_some() { "image" } else { "color" },
                    "source_url": self.picture.unwrap_or_default(), "source_color": rgb(self.backdrop),
                }),
            ),
        };
        let own = slide.clips.iter().map(|clip| slide.stand.card.map_or_else(|| clip.clone(), |card| card.holds(clip)));
        let behind = clips.len();
        clips.extend(own.enumerate().map(|(at, clip)| {
            let mut value = clip_of(at + behind, &clip, self.link);
            if !slide.notes.is_empty() && matches!(clip.what, ClipWhat::Film(_) | ClipWhat::Sound(_)) {
                value["volume"] = json!(UNDER_SPEECH);
            }
            value
        }));
        let mut scene = json!({
            "sceneIdx": index,
            "name": slide.name,
            "background": { "id": "background", "type": "background" },
            "clips": clips,
            "thumbnailUrl": (self.link)(&slide.thumbnail),
        });
        merge(&mut scene["background"], background);
        if !slide.links.is_empty() {
            let link = |(text, url): &(String, String)| json!({ "text": text, "url": url });
            scene["links"] = slide.links.iter().map(link).collect();
        }
        if let Some(Transition { kind, duration }) = slide.transition {
            scene["transition"] = json!({ "type": kind.word(), "duration": exact(duration) });
        }
        if slide.notes.is_empty() {
            scene["duration"] = json!(slide.reading);
        }
        self.people(&mut scene, slide);
        let said = scene["scripts"][0]["org"].as_str().unwrap_or_default().to_owned();
        scene["slide"] = crate::again::origin(slide.number, slide.id, &slide.print, &said);
        scene
    }

    /// The slide made smaller, on a sheet that throws a shadow.
    fn card(&self, slide: &Slide, card: &Card) -> Vec<Value> {
        let (width, height) = (f64::from(self.canvas.0) * card.scale, f64::from(self.canvas.1) * card.scale);
        let place = json!({ "left": card.left, "top": card.top, "width": exact(width), "height": exact(height) });
        let mut sheet = json!({
            "id": "sheet", "name": "Sheet", "type": "shape", "shapeName": "Square", "layer": 1,
            "fill": rgb(slide.edge_colour),
            "shadow": { "color": "rgba(0,0,0,0.3)", "blur": 28, "offsetX": 0, "offsetY": 8 },
        });
        let mut picture = json!({
            "id": "slide", "name": "Slide", "type": "image", "layer": 2, "source_url": (self.link)(&slide.picture),
        });
        merge(&mut sheet, place.clone());
        merge(&mut picture, place);
        vec![sheet, picture]
    }

    /// The presenter, and what is said.
    fn people(&self, scene: &mut Value, slide: &Slide) {
        let said = !slide.notes.is_empty();
        let seen = slide.stand.presenter.filter(|figure| said || figure.shown != Shown::Unseen);
        let layer = 10 + slide.clips.len();
        if let (Some(figure), Some(clips)) = (seen, scene["clips"].as_array_mut()) {
            clips.extend(self.disc(&figure, layer - 1));
            clips.push(self.figure(&figure, slide, layer));
        }
        if said || seen.is_some() {
            let Presenter { model, cloth, voice } = self.presenter;
            let tts = voice.as_ref().map(|voice| json!({ "voice": voice }));
            scene["scripts"] = json!([{
                "org": spoken(&slide.notes), "isTTS": tts.is_some(), "tts": tts, "modelId": model, "clothId": cloth,
            }]);
        }
    }

    /// The ground of a presenter in a disc.
    fn disc(&self, figure: &Figure, layer: usize) -> Option<Value> {
        let Figure { left, top, width, height, shown } = *figure;
        (shown == Shown::Disc).then(|| {
            json!({
                "id": "disc", "name": "Disc", "type": "shape", "shapeName": "Circle", "layer": layer,
                "left": left, "top": top, "width": width, "height": height, "fill": rgb(self.backdrop),
                "shadow": { "color": "rgba(0,0,0,0.3)", "blur": 20, "offsetX": 0, "offsetY": 5 },
            })
        })
    }

    fn figure(&self, figure: &Figure, slide: &Slide, layer: usize) -> Value {
        let mut model = json!({ "ai_name": self.presenter.model, "emotion": self.presenter.cloth });
        if let Some(language) = &slide.language {
            model["language"] = json!(language);
        }
        let mut clip = json!({
            "id": "presenter", "type": "aiModel", "layer": layer, "model": model,
            "left": exact(figure.left), "top": exact(figure.top),
            "width": exact(figure.width), "height": exact(figure.height),
        });
        match figure.shown {
            Shown::Standing => (),
            Shown::Bust => clip["headOnly"] = json!(true),
            Shown::Disc => merge(&mut clip, json!({ "headOnly": true, "mask": "circle" })),
            Shown::Unseen => clip["voiceOnly"] = json!(true),
        }
        clip
    }
}

fn merge(into: &mut Value, more: Value) {
    if let (Some(into), Value::Object(more)) = (into.as_object_mut(), more) {
        into.extend(more);
    }
}

impl Card {
    /// A clip of the slide where the smaller slide has it.
    fn holds(&self, clip: &Clip) -> Clip {
        let mut clip = clip.clone();
        (clip.left, clip.top) = (self.left + clip.left * self.scale, self.top + clip.top * self.scale);
        (clip.width, clip.height) = (clip.width * self.scale, clip.height * self.scale);
        if let ClipWhat::Text(text) = &mut clip.what {
            text.points *= self.scale;
        }
        clip
    }
}

/// How loud, of 100, what a slide plays is while its notes are spoken.
const UNDER_SPEECH: u32 = 30;

/// Seconds in which a step comes.
const COMING: f64 = 0.4;

/// A text or picture as the scene language has it.
pub(crate) fn clip_of(at: usize, clip: &Clip, link: &dyn Fn(&Path) -> String) -> Value {
    let mut value = json!({
        "id": format!("slide-{}", at + 1), "name": clip.name, "layer": at + 1,
        "left": exact(clip.left), "top": exact(clip.top), "width": exact(clip.width), "height": exact(clip.height),
    });
    if clip.angle != 0.0 {
        value["angle"] = json!(exact(clip.angle));
    }
    for (key, step) in [("fromStep", clip.from), ("untilStep", clip.until)] {
        if let Some(step) = step {
            value[key] = json!(step);
        }
    }
    if clip.from.is_some() {
        value["animation"] = json!({ "type": "fade-in", "duration": COMING });
    }
    match &clip.what {
        ClipWhat::Film(path) => {
            value["type"] = json!("videoImage");
            value["video_url"] = json!(link(path));
        }
        ClipWhat::Sound(path) => {
            value["type"] = json!("audio");
            value["source_url"] = json!(link(path));
        }
        ClipWhat::Picture(path) => {
            value["type"] = json!("image");
            value["source_url"] = json!(link(path));
        }
        ClipWhat::Text(text) => {
            let [r, g, b] = text.colour;
            value["type"] = json!("textImage");
            value["text"] = json!(text.text);
            value["fontSize"] = json!(exact(text.points));
            value["fontFamily"] = json!(text.family);
            value["fill"] = json!(format!("rgb({r},{g},{b})"));
            value["align"] = json!(text.align);
            value["lineHeight"] = json!((text.line_height * 1e4).round() / 1e4);
            value["fontWeight"] = json!(if text.bold { "bold" } else { "normal" });
            value["fontStyle"] = json!(if text.italic { "italic" } else { "normal" });
            value["underline"] = json!(text.underline);
            if !text.runs.is_empty() {
                value["runs"] = text.runs.iter().map(|run| stretch(text, run)).collect();
            }
        }
    }
    value
}

/// What a stretch has of its own.
fn stretch(whole: &TextClip, run: &TextStretch) -> Value {
    let mut value = json!({ "text": run.text });
    let [r, g, b] = run.colour;
    let mut own = |is: bool, key: &str, of: Value| {
        if is {
            value[key] = of;
        }
    };
    own(run.colour != whole.colour, "fill", json!(format!("rgb({r},{g},{b})")));
    own(run.family != whole.family, "fontFamily", json!(run.family));
    own(run.bold != whole.bold, "fontWeight", json!(if run.bold { "bold" } else { "normal" }));
    own(run.italic != whole.italic, "fontStyle", json!(if run.italic { "italic" } else { "normal" }));
    own(run.underline != whole.underline, "underline", json!(run.underline));
    let (raised, fine) = (run.raise != 0.0, |value: f64| json!((value * 1e4).round() / 1e4));
    own(raised, "position", json!(if run.raise > 0.0 { "super" } else { "sub" }));
    own(raised, "rise", fine(run.raise));
    own(raised || run.scale != 1.0, "scale", fine(run.scale));
    value
}

/// A paragraph for each line, so that there is a breath between them.
fn spoken(notes: &str) -> String {
    let lines: Vec<String> =
        notes.lines().map(str::trim).filter(|line| !line.is_empty()).map(crate::spoken::escaped).collect();
    match lines.as_slice() {
        [line] => line.clone(),
        lines => lines.iter().map(|line| format!("<p>{line}</p>")).collect(),
    }
}
