// The settings of a scene and of what is in it.
import { make, icon, attempt, toast } from "./app.js";
import {
  colour,
  written,
  presenterOf,
  entryOf,
  saidBy,
  isLent,
  pathOf,
  recordingOf,
  roleOf,
  setPresenter,
  speakersOf,
  takeOut,
} from "./editor-model.js";
import { shapeTitle } from "./editor-names.js";
import { layerList } from "./editor-layers.js";
import { piecesOf, spelled } from "./editor-script.js";
import { pickPresenter, pickVoice, pickBackground, upload, listen } from "./editor-pickers.js";

const SHAPES = [
  "Rectangle_corner0",
  "Square",
  "Circle",
  "Oval_1",
  "Oval_2",
  "Triangle",
  "Right_Triangle",
  "Diamond",
  "Star",
  "Pentagon",
  "Hexagon_1",
  "Hexagon_2",
  "Polygon",
  "Parallelogram",
  "Drop_1",
  "Arrow_1_v2",
  "Arrow_2_v2",
  "Line_v2",
];
const MOVES = [
  ["", "None"],
  ["fade-in", "Fade in"],
  ["in-left", "In from the left"],
  ["in-right", "In from the right"],
  ["in-up", "In from the top"],
  ["in-down", "In from below"],
  ["zoom-in", "Zoom in"],
  ["fade-out", "Fade out"],
  ["out-left", "Out to the left"],
  ["out-right", "Out to the right"],
  ["out-up", "Out over the top"],
  ["out-down", "Out below"],
  ["zoom-out", "Zoom out"],
];
const TRANSITIONS = [
  ["", "At once"],
  ["fade", "Fade"],
  ["push-right", "Push in from the right"],
  ["push-left", "Push in from the left"],
  ["push-up", "Push in from the top"],
  ["push-down", "Push in from below"],
];
const FONTS = ["Noto Sans", "Noto Serif", "Noto Sans Mono", "Noto Sans Display", "Noto Serif Display"];

const field = (label, ...inside) => make("label", { class: "field" }, make("span", {}, label), ...inside);
const choice = (options, value, onchange, attributes = {}) => {
  const known = options.some(([option]) => option === value);
  const list = known || value === undefined || value === null ? options : [[value, value], ...options];
  return make(
    "select",
    { ...attributes, onchange: (event) => onchange(event.target.value) },
    ...list.map(([option, title]) => make("option", { value: option, selected: option === (value ?? "") }, title)),
  );
};
const group = (title, ...inside) => make("fieldset", { class: "group" }, make("legend", {}, title), ...inside);

const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

export class Panels {
  constructor(project, catalogue, names) {
    this.project = project;
    this.catalogue = catalogue;
    this.names = names;
    this.panel = document.getElementById("panel");
    this.tabs = { scene: document.getElementById("tab-scene"), clip: document.getElementById("tab-clip") };
    this.tab = "scene";
    for (const [name, button] of Object.entries(this.tabs)) {
      button.addEventListener("click", () => this.show(name));
      button.addEventListener("keydown", (event) => {
        if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return;
        this.show(name === "scene" ? "clip" : "scene");
        this.tabs[this.tab].focus();
      });
    }
  }

  show(name) {
    this.tab = name;
    for (const [key, button] of Object.entries(this.tabs)) {
      button.setAttribute("aria-selected", String(key === name));
      button.tabIndex = key === name ? 0 : -1;
    }
    this.panel.setAttribute("aria-labelledby", this.tabs[name].id);
    this.draw();
  }

  draw() {
    const focus = document.activeElement?.closest("#panel") ? document.activeElement.dataset.key : null;
    this.panel.replaceChildren(...(this.tab === "scene" ? this.scene() : this.clip()));
    if (focus) this.panel.querySelector(`[data-key="${CSS.escape(focus)}"]`)?.focus();
  }

  /** The heading follows what is being typed below it. */
  retitle() {
    const heading = this.panel.querySelector(".clip-head h3");
    if (heading && this.project.selected) heading.textContent = this.names.of(this.project.selected);
  }

  outfitInfo(presenter, id) {
    const bare = String(id ?? "")
      .split("/")
      .at(-1)
      .toLowerCase();
    return (
      presenter?.outfits.find(
        (one) => one.id.toLowerCase() === bare || one.aliases.some((alias) => alias.toLowerCase() === bare),
      ) ?? presenter?.outfits[0]
    );
  }

  scene() {
    const { project } = this;
    const scene = project.current,
      clip = presenterOf(scene),
      entry = saidBy(scene, clip);
    const who = this.names.presenter(clip?.model?.ai_name ?? entry.modelId);
    const background = scene.background ?? {};
    const known = this.catalogue.backgrounds.find((one) => [one.url, one.uprightUrl].includes(background.source_url));
    return [
      this.presenterCard(clip),
      this.voiceCard(clip, entry, who),
      ...speakersOf(scene)
        .slice(1)
        .map((one) => this.presenterCard(one, `presenter-${roleOf(scene, one)}`)),
      make(
        "button",
        { type: "button", class: "chosen-card", "data-key": "background", onclick: () => this.background() },
        known
          ? make("img", {
              "data-slow": project.upright ? known.uprightPicture : known.picture,
              alt: "",
              width: "56",
              height: "56",
            })
          : this.swatch(background),
        make(
          "span",
          {},
          make("small", {}, "Background"),
          make("b", {}, known?.title ?? (background.source_url ? "Your picture" : "Colour")),
          make("small", {}, known ? "" : (background.source_url?.split("/").at(-1) ?? background.source_color ?? "")),
        ),
        icon("right"),
      ),
      make("h3", { class: "panel-title" }, "Elements"),
      layerList(this),
      make(
        "div",
        { class: "row adders" },
        make(
          "button",
          { type: "button", class: "button quiet small", onclick: () => project.tell({ add: "text" }) },
          icon("text"),
          "Text",
        ),
        make(
          "button",
          { type: "button", class: "button quiet small", onclick: () => project.tell({ add: "shape" }) },
          icon("shape"),
          "Shape",
        ),
        make(
          "button",
          { type: "button", class: "button quiet small", onclick: () => project.tell({ add: "file" }) },
          icon("upload"),
          "Picture, video, sound",
        ),
      ),
      make("h3", { class: "panel-title" }, "More"),
      field(
        "Length in seconds",
        make("input", {
          type: "number",
          min: "0.1",
          max: "3600",
          step: "0.1",
          placeholder: "as long as the script",
          value: scene.duration ?? "",
          "data-key": "duration",
          oninput: (event) =>
            this.set(
              "changed the length",
              scene,
              "duration",
              event.target.value === "" ? undefined : Number(event.target.value),
              "duration",
            ),
        }),
      ),
      this.coming(scene),
      make(
        "label",
        { class: "row tick" },
        make("input", {
          type: "checkbox",
          checked: Boolean(scene.watermark),
          onchange: (event) => this.set("changed the watermark", scene, "watermark", event.target.checked),
        }),
        "Show the watermark",
      ),
    ];
  }

  /** How the scene takes the picture from the one before it. */
  coming(scene) {
    const now = scene.transition?.type === "none" ? "" : (scene.transition?.type ?? "");
    const set = (type, duration) =>
      this.set("changed a transition", scene, "transition", type ? { type, duration } : undefined, "transition");
    const chosen = choice(
      TRANSITIONS,
      now,
      (type) => {
        set(type, scene.transition?.duration ?? 0.5);
        this.draw();
      },
      { "data-key": "transition" },
    );
    if (!now) return field("Comes", chosen);
    const takes = make("input", {
      type: "number",
      min: "0.1",
      max: "2",
      step: "0.1",
      value: scene.transition.duration ?? 0.5,
      "data-key": "transition-duration",
      oninput: (event) => {
        const seconds = Number(event.target.value);
        const right = event.target.value !== "" && seconds >= 0.1 && seconds <= 2;
        if (!right) return event.target.setAttribute("aria-invalid", "true");
        event.target.removeAttribute("aria-invalid");
        set(now, seconds);
      },
    });
    return make("div", { class: "pair" }, field("Comes", chosen), field("Takes", takes));
  }

  /** Who presents, in what: somebody of the scene, or nobody yet. Of several each has a key, so that the focus stays with it. */
  presenterCard(clip, key = "presenter") {
    const who = this.names.presenter(clip?.model?.ai_name);
    const outfit = this.outfitInfo(who, clip?.model?.emotion);
    return make(
      "button",
      { type: "button", class: "chosen-card", "data-key": key, onclick: () => this.presenter(clip) },
      who
        ? make("img", { "data-slow": outfit?.picture, alt: "", width: "56", height: "56" })
        : make("span", { class: "blank-face" }, icon("user")),
      make(
        "span",
        {},
        make("small", {}, "Presenter"),
        make("b", {}, clip ? this.names.person(clip) : "Nobody is seen"),
        make("small", {}, clip ? (outfit?.name ?? "") : "Choose a presenter"),
      ),
      icon("right"),
    );
  }

  /** Whose voice it is, in which language, and when it is not the presenter's. */
  voiceCard(clip, entry, who) {
    const id = entry.tts?.voice ?? entry.tts?.model;
    const lent = isLent(entry);
    const voice = lent ? this.catalogue.voices.find((one) => one.id === id) : null;
    const tongue = lent ? null : (clip?.model?.language ?? entry.language);
    const notes = [];
    if (!lent) notes.push(who?.voices.find((one) => one.language === tongue)?.languageName ?? tongue);
    if (lent && clip && who) notes.push(`not ${who.name}’s own`);
    if (lent && entry.tts?.speed && entry.tts.speed !== 1) notes.push(`speed ${entry.tts.speed}`);
    const note = notes.filter(Boolean).join(", ");
    const name = lent ? `${voice?.name ?? id ?? "?"}${voice ? `, ${voice.languageName}` : ""}` : "The presenter’s own";
    const clash = this.clash?.(this.project.scene, clip);
    const rests = recordingOf(this.project.current, clip) !== null;
    return make(
      "button",
      {
        type: "button",
        class: clash ? "chosen-card clashes" : rests ? "chosen-card rests" : "chosen-card",
        "data-key": "voice",
        onclick: () => this.voice(clip),
      },
      make("span", { class: "blank-face" }, icon(clash ? "warn" : "sound")),
      make(
        "span",
        {},
        make("small", {}, "Voice"),
        make("b", {}, name),
        make(
          "small",
          {},
          clash ? `The script looks ${clash.writtenName}` : rests ? "Not in use: recorded" : capital(note),
        ),
      ),
      icon("right"),
    );
  }

  swatch(background) {
    const dot = make("span", { class: "blank-face" });
    if (background.source_url) dot.append(icon("image"));
    else dot.style.background = background.source_color ?? "#fff";
    return dot;
  }

  /** Sets one property; nothing takes it away. */
  set(note, object, key, value, together = null) {
    const { project } = this;
    project.change(
      note,
      () => {
        if (value === undefined || value === null) delete object[key];
        else object[key] = value;
      },
      together && `${together} ${project.scene} ${project.clip} ${key}`,
    );
  }

  everywhere(all, note, work) {
    const scenes = all ? this.project.scenes : [this.project.current];
    this.project.change(note, () => scenes.forEach(work));
    this.draw();
  }

  /** Somebody else, or other clothes, for one of those who present in the scene, or for nobody yet. */
  async presenter(clip) {
    const { project } = this;
    const who = this.names.presenter(clip?.model?.ai_name);
    // Other scenes have a first presenter as well; a further one is of this scene alone.
    const isFirst = clip === presenterOf(project.current);
    const alone = speakersOf(project.current).length < 2;
    const chosen = await pickPresenter(this.catalogue, who?.id, this.outfitInfo(who, clip?.model?.emotion)?.id, {
      anywhere: isFirst,
      nobody: isFirst && clip && (alone ? ["sound", "Nobody: a voice only"] : ["trash", "Take out of the scene"]),
    });
    if (!chosen) return;
    const of = (scene) => (isFirst ? presenterOf(scene) : clip);
    if (chosen.none) this.dismiss(chosen.all, of);
    else this.engage(chosen, of);
  }

  dismiss(all, of) {
    const { project } = this;
    const { speaker } = project;
    this.everywhere(all, "removed the presenter", (scene) => takeOut(scene, [of(scene)]));
    project.stayWith(speaker);
    project.choose(project.scene);
  }

  engage({ presenter, outfit, all }, of) {
    const { project, names } = this;
    const { selected, chosen, speaker } = project;
    let strange = false;
    this.everywhere(all, "chose a presenter", (scene) => {
      const who = of(scene);
      const before = names.presenter(who?.model?.ai_name ?? entryOf(scene).modelId)?.id;
      const put = setPresenter(scene, presenter, outfit, project.canvas, before !== presenter, who);
      strange ||= put;
    });
    if (strange) toast(`${names.presenter(presenter)?.name} speaks with the own voice now.`);
    // Somebody may have taken another place among the elements.
    if (speaker) project.stayWith(speaker);
    const places = chosen.map((one) => project.clips.indexOf(one));
    if (String(places) !== String(project.picked))
      project.choose(project.scene, project.clips.indexOf(selected), places);
  }

  async voice(clip) {
    const scene = this.project.current;
    const entry = saidBy(scene, clip);
    // Other scenes have a first presenter as well; a further one is of this scene alone.
    const isFirst = clip === presenterOf(scene);
    const chosen = await pickVoice(
      this.catalogue,
      entry,
      this.names.presenter(clip?.model?.ai_name ?? entry.modelId),
      clip?.model?.language ?? entry.language,
      isFirst,
    );
    if (!chosen) return;
    this.everywhere(chosen.all, "chose a voice", (one) => {
      const who = isFirst ? presenterOf(one) : clip;
      const entry = entryOf(one, who);
      entry.isTTS = Boolean(chosen.voice);
      entry.tts = chosen.voice
        ? { ...(chosen.all ? {} : entry.tts), voice: chosen.voice, speed: chosen.speed, language: chosen.language }
        : null;
      if (entry.tts && !entry.tts.language) delete entry.tts.language;
      if (chosen.voice) return;
      // The presenter says it, or, where nobody is seen, the script itself.
      const says = who?.model ?? entry;
      if (chosen.tongue) says.language = chosen.tongue;
      else delete says.language;
    });
  }

  async background() {
    const chosen = await pickBackground(this.catalogue, this.project.current.background ?? {}, this.project.upright);
    if (!chosen) return;
    this.everywhere(chosen.all, "chose a background", (one) => {
      one.background = {
        id: "background",
        type: "background",
        source_color: "rgb(255,255,255)",
        ...one.background,
        ...chosen.background,
      };
      if (chosen.background.source_type === "color") delete one.background.source_url;
      if (chosen.background.source_type !== "video") delete one.background.video_url;
    });
  }

  clip() {
    const { project } = this;
    const clip = project.selected;
    if (!clip)
      return [
        make(
          "div",
          { class: "empty slim" },
          make("p", {}, "Choose an element in the picture or in the list, and change it here."),
        ),
      ];
    const parts = {
      textImage: () => this.text(clip),
      shape: () => this.shape(clip),
      image: () => this.picture(clip),
      videoImage: () => this.video(clip),
      audio: () => this.audio(clip),
      aiModel: () => this.person(clip),
    }[clip.type];
    return [
      make(
        "div",
        { class: "row clip-head" },
        make("h3", { class: "grow" }, this.names.of(clip)),
        make(
          "button",
          {
            type: "button",
            class: "button bare small square",
            "aria-label": "Duplicate",
            title: "Duplicate",
            onclick: () => project.tell("duplicate"),
          },
          icon("copy"),
        ),
        make(
          "button",
          {
            type: "button",
            class: "button bare small square warnish",
            "aria-label": "Remove",
            title: "Remove",
            onclick: () => project.tell("remove"),
          },
          icon("trash"),
        ),
      ),
      ...(parts ? parts() : [this.raw(clip)]),
      clip.type === "audio" ? null : this.place(clip),
      ["audio"].includes(clip.type) || !parts ? null : this.motion(clip),
    ].filter(Boolean);
  }

  text(clip) {
    const bold = Number(clip.fontWeight ?? 400) >= 600 || clip.fontWeight === "bold";
    const toggle = (label, on, flip) =>
      make(
        "button",
        {
          type: "button",
          class: "button quiet small toggle",
          "aria-pressed": String(on),
          "data-key": `toggle-${label}`,
          onclick: () => {
            flip();
            this.draw();
          },
        },
        label,
      );
    return [
      field(
        "Text",
        make("textarea", {
          rows: "4",
          value: clip.text ?? "",
          "data-key": "text",
          oninput: (event) => this.set("changed a text", clip, "text", event.target.value, "text"),
        }),
      ),
      make(
        "div",
        { class: "pair" },
        field(
          "Font",
          choice(
            [...this.catalogue.fonts, ...FONTS].map((font) => [font, font]),
            clip.fontFamily ?? "Noto Sans",
            (value) => this.set("changed a font", clip, "fontFamily", value),
            { "data-key": "font" },
          ),
        ),
        field("Size", this.number(clip, "fontSize", 4, 500, 30)),
      ),
      make(
        "div",
        { class: "row" },
        this.colour("Colour", clip, "fill", "#101828"),
        toggle("Bold", bold, () => this.set("changed a font", clip, "fontWeight", bold ? 400 : 700)),
        toggle("Italic", clip.fontStyle === "italic", () =>
          this.set("changed a font", clip, "fontStyle", clip.fontStyle === "italic" ? "normal" : "italic"),
        ),
      ),
      field(
        "Align",
        choice(
          [
            ["left", "Left"],
            ["center", "Centre"],
            ["right", "Right"],
          ],
          clip.align ?? clip.textAlign ?? "left",
          (value) => this.set("aligned a text", clip, "align", value),
          { "data-key": "align" },
        ),
      ),
    ];
  }

  shape(clip) {
    return [
      field(
        "Shape",
        choice(
          SHAPES.map((shape) => [shape, shapeTitle(shape)]),
          clip.shapeName,
          (value) => this.set("changed a shape", clip, "shapeName", value),
          { "data-key": "shape" },
        ),
      ),
      make(
        "div",
        { class: "row" },
        this.colour("Fill", clip, "fill", "#0d9488"),
        this.colour("Outline", clip, "stroke", "#101828"),
      ),
      make(
        "div",
        { class: "pair" },
        field("Outline width", this.number(clip, "strokeWidth", 0, 200, 0)),
        field("Corners", this.number(clip, "strokeRadius", 0, 500, 0)),
      ),
    ];
  }

  picture(clip) {
    return [this.file(clip, "source_url", "image/*", "Picture"), this.opacity(clip)];
  }

  video(clip) {
    return [
      this.file(clip, clip.video_url ? "video_url" : "source_url", "video/*", "Video"),
      this.volume(clip),
      this.opacity(clip),
    ];
  }

  audio(clip) {
    return [this.file(clip, clip.source_url ? "source_url" : "video_url", "audio/*", "Sound"), this.volume(clip)];
  }

  person(clip) {
    const { current } = this.project;
    const who = this.names.presenter(clip.model?.ai_name);
    return [
      this.presenterCard(clip),
      presenterOf(current) === clip ? null : this.voiceCard(clip, saidBy(current, clip), who),
      make(
        "label",
        { class: "row tick" },
        make("input", {
          type: "checkbox",
          checked: Boolean(clip.headOnly) || (clip.effects ?? []).some((effect) => effect?.type === "head-only"),
          onchange: (event) => {
            this.project.change("changed the framing", () => {
              clip.headOnly = event.target.checked;
              if (!event.target.checked && Array.isArray(clip.effects))
                clip.effects = clip.effects.filter((effect) => effect?.type !== "head-only");
            });
          },
        }),
        "Head and shoulders only",
      ),
      make(
        "label",
        { class: "row tick" },
        make("input", {
          type: "checkbox",
          checked: Boolean(clip.voiceOnly),
          onchange: (event) => this.set("changed a presenter", clip, "voiceOnly", event.target.checked),
        }),
        "Heard, not seen",
      ),
    ].filter(Boolean);
  }

  raw(clip) {
    return make(
      "div",
      { class: "stack" },
      make(
        "p",
        { class: "note" },
        icon("info"),
        make("span", {}, "This kind of element cannot be edited here. It is kept exactly as it is."),
      ),
      make(
        "div",
        { class: "code" },
        make(
          "pre",
          { tabindex: "0", "aria-label": "The element as JSON" },
          make("code", {}, JSON.stringify(clip, null, 2)),
        ),
      ),
    );
  }

  place(clip) {
    return group(
      "Place and size",
      make(
        "div",
        { class: "four" },
        field("Left", this.number(clip, "left", -8000, 8000, 0)),
        field("Top", this.number(clip, "top", -8000, 8000, 0)),
        field("Width", this.number(clip, "width", 1, 8000, 100)),
        field("Height", this.number(clip, "height", 1, 8000, 100)),
        field("Angle", this.number(clip, "angle", -360, 360, 0)),
        field("Layer", this.number(clip, "layer", -1000, 1000, 0)),
      ),
    );
  }

  motion(clip) {
    const move = clip.animation ?? {};
    const now = move.type === "none" ? "" : (move.type ?? "");
    return group(
      "Animation",
      field(
        "Movement",
        choice(
          MOVES,
          now,
          (value) => {
            this.set(
              "changed an animation",
              clip,
              "animation",
              value ? { duration: 1, delay: 0, ...move, type: value } : undefined,
            );
            this.draw();
          },
          { "data-key": "move" },
        ),
      ),
      now
        ? make(
            "div",
            { class: "pair" },
            field("Takes", this.number(move, "duration", 0.1, 30, 1, 0.1)),
            field("After", this.number(move, "delay", 0, 30, 0, 0.1)),
          )
        : "",
    );
  }

  number(object, key, min, max, otherwise, step = 1) {
    const input = make("input", {
      type: "number",
      min: String(min),
      max: String(max),
      step: String(step === 1 ? "any" : step),
      value: String(Math.round((object[key] ?? otherwise) * 100) / 100),
      "data-key": key,
    });
    input.addEventListener("input", () => {
      const value = Number(input.value);
      if (input.value === "" || !Number.isFinite(value) || value < min || value > max)
        return input.setAttribute("aria-invalid", "true");
      input.removeAttribute("aria-invalid");
      this.set("changed an element", object, key, value, "number");
      this.project.tell("placed");
    });
    input.addEventListener("keydown", (event) => {
      if (!["ArrowUp", "ArrowDown"].includes(event.key)) return;
      event.preventDefault();
      const by = (event.key === "ArrowUp" ? 1 : -1) * (event.shiftKey ? 10 : 1) * step;
      input.value = String(Math.round(Math.min(max, Math.max(min, Number(input.value) + by)) * 100) / 100);
      input.dispatchEvent(new Event("input"));
    });
    return input;
  }

  colour(label, clip, key, otherwise) {
    const [hex, alpha] = colour(clip[key] ?? otherwise);
    return make(
      "label",
      { class: "row colour" },
      make("input", {
        type: "color",
        value: hex,
        "data-key": key,
        oninput: (event) =>
          this.set(
            "changed a colour",
            clip,
            key,
            written(event.target.value, clip[key] === undefined ? 1 : alpha || 1),
            "colour",
          ),
      }),
      label,
    );
  }

  slider(label, clip, key, min, max, otherwise) {
    const value = clip[key] ?? otherwise;
    const out = make("output", { class: "number muted" }, `${Math.round(value)} %`);
    return make(
      "label",
      { class: "field" },
      make("span", { class: "row" }, make("span", { class: "grow" }, label), out),
      make("input", {
        type: "range",
        min: String(min),
        max: String(max),
        value: String(value),
        "data-key": key,
        oninput: (event) => {
          out.textContent = `${event.target.value} %`;
          this.set(`changed ${label.toLowerCase()}`, clip, key, Number(event.target.value), "slider");
        },
      }),
    );
  }
  opacity(clip) {
    return this.slider("Opacity", clip, "opacity", 1, 100, 100);
  }
  volume(clip) {
    return this.slider("Volume", clip, "volume", 0, 100, 100);
  }

  file(clip, key, accept, label) {
    const name =
      decodeURIComponent(
        String(clip[key] ?? "")
          .split("/")
          .at(-1),
      ) || "nothing yet";
    return make(
      "div",
      { class: "field" },
      make("span", {}, label),
      make("small", { class: "file-name" }, name),
      make(
        "button",
        {
          type: "button",
          class: "button quiet small",
          onclick: async (event) => {
            const file = await upload(accept, event.currentTarget);
            if (file) {
              this.set(`replaced a ${label.toLowerCase()}`, clip, key, file.url);
              this.draw();
            }
          },
        },
        icon("upload"),
        "Replace",
      ),
    );
  }
}

/** Speaks what is selected, else the sentence at the cursor. */
export async function hear(project, box, button) {
  const text = (box.chosen || sentenceAt(box.org, box.before.length)).trim().slice(0, 600);
  if (!text) return toast("There is nothing to say here yet.");
  const { current, speaker: clip } = project;
  const entry = saidBy(current, clip);
  // A sentence alone may tell less than its script.
  const path = pathOf(current, project.scene, clip);
  const understood = project.judged.tongues.find((one) => one.path === path)?.spoken ?? undefined;
  const tongue = clip?.model?.language ?? entry.language ?? understood;
  const wish = isLent(entry)
    ? { text, voice: entry.tts?.voice ?? entry.tts?.model, speed: entry.tts?.speed, language: entry.tts?.language }
    : { text, presenter: clip?.model?.ai_name ?? entry.modelId, language: tongue };
  await attempt(() => listen(wish), button);
}

/** The sentence around a place in a script, with its marks. */
function sentenceAt(org, at) {
  // A full stop inside a mark ends no sentence.
  const plain = piecesOf(org).map((piece) =>
    piece.kind === "text" ? spelled(piece.text) : "x".repeat(piece.raw.length),
  );
  const pieces = plain.join("").match(/[^.!?。！？\n]+[.!?。！？]*["'”’]?\s*|\n/gu) ?? [];
  let passed = 0;
  let last = "";
  for (const piece of pieces) {
    const sentence = org.slice(passed, passed + piece.length);
    passed += piece.length;
    if (piece.trim()) last = sentence;
    if (at < passed && piece.trim()) break;
  }
  return last;
}
