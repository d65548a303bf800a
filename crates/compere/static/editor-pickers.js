// Choosing who, which voice, what behind, and files of one's own.
import { send, make, icon, attempt, toast } from "./app.js";
import { colour, isLent, written } from "./editor-model.js";
import { Player } from "./sounds.js";

const dialog = document.getElementById("picker");
const body = document.getElementById("picker-body");

function open(title, ...inside) {
  document.getElementById("picker-title").textContent = title;
  body.replaceChildren(...inside.filter(Boolean));
  dialog.showModal();
  return new Promise((settle) => {
    let answer = null;
    const done = (value) => {
      answer = value;
      dialog.close();
    };
    dialog.addEventListener(
      "close",
      () => {
        player.quiet();
        settle(answer);
      },
      { once: true },
    );
    dialog.done = done;
  });
}

const everywhere = () =>
  make("label", { class: "row tick" }, make("input", { type: "checkbox", name: "all" }), "In all scenes");
const all = () => body.querySelector('[name="all"]')?.checked ?? false;

/** `anywhere` is whether other scenes may have the same one, `nobody` the sign and words of the way out, where there is one. */
export function pickPresenter(catalogue, presenter, outfit, { anywhere, nobody }) {
  const card = (who, wear) =>
    make(
      "li",
      {},
      make(
        "button",
        {
          type: "button",
          class: "pick person",
          "aria-pressed": String(who.id === presenter && wear.id === outfit),
          onclick: () => dialog.done({ presenter: who.id, outfit: wear.id, all: all() }),
        },
        make("img", { "data-slow": wear.picture, alt: "", width: "150", height: "188" }),
        make("b", {}, who.name),
        make("small", {}, wear.name),
      ),
    );
  return open(
    "Presenter",
    anywhere && everywhere(),
    make(
      "ul",
      { class: "picks people" },
      ...catalogue.presenters.flatMap((who) => who.outfits.map((wear) => card(who, wear))),
    ),
    nobody
      ? make(
          "div",
          { class: "actions start" },
          make(
            "button",
            { type: "button", class: "button quiet", onclick: () => dialog.done({ none: true, all: all() }) },
            icon(nobody[0]),
            nobody[1],
          ),
        )
      : null,
  );
}

/** Neural voices sound natural; formant synthesis is simple, and there for a hundred languages. */
const soundOf = (voice) => (voice.kind === "espeak" ? "simple" : "natural");

function kindsOfVoice(changed) {
  let wanted = "";
  const kind = (value, title) =>
    make(
      "button",
      {
        type: "button",
        class: "button quiet small toggle",
        "aria-pressed": String(value === wanted),
        onclick: (event) => {
          wanted = value;
          for (const one of event.target.parentElement.children)
            one.setAttribute("aria-pressed", String(one === event.target));
          changed();
        },
      },
      title,
    );
  const choice = make(
    "div",
    { class: "row kinds", role: "group", "aria-label": "Kind of voice" },
    kind("", "All"),
    kind("natural", "Natural"),
    kind("simple", "Simple"),
  );
  return { choice, admits: (voice) => !wanted || soundOf(voice) === wanted };
}

/**
 * `who` is the presenter whose own voice may be chosen, `tongue` the language that was set for it, `anywhere` whether
 * other scenes may have the same.
 */
export function pickVoice(catalogue, entry, who, tongue, anywhere) {
  const now = isLent(entry) ? (entry.tts?.voice ?? entry.tts?.model) : "";
  const speed = make("input", {
    type: "range",
    min: "0.5",
    max: "2",
    step: "0.05",
    value: String(entry.tts?.speed ?? 1),
    "aria-label": "Speed",
  });
  const out = make("output", { class: "number" }, `${speed.value}×`);
  speed.addEventListener("input", () => (out.textContent = `${speed.value}×`));
  const search = make("input", { type: "search", placeholder: "Language or name", "aria-label": "Search voices" });
  const list = make("ul", { class: "voices" });
  const kinds = kindsOfVoice(() => draw());
  const line = (voice) =>
    make(
      "li",
      {},
      make(
        "button",
        {
          type: "button",
          class: "voice",
          "aria-pressed": String(voice.id === now),
          onclick: () =>
            dialog.done({
              voice: voice.id,
              speed: Number(speed.value),
              language: entry.tts?.voice === voice.id ? entry.tts?.language : undefined,
              all: all(),
            }),
        },
        make("b", {}, voice.name),
        make("small", {}, `${voice.languageName}, ${voice.gender}, ${soundOf(voice)}`),
      ),
      make(
        "button",
        {
          type: "button",
          class: "button bare small square",
          "aria-label": `Listen to ${voice.name}`,
          onclick: (event) => attempt(() => play(voice.sample), event.currentTarget),
        },
        icon("play"),
      ),
    );
  const own = (language, title, note, sample) =>
    make(
      "li",
      {},
      make(
        "button",
        {
          type: "button",
          class: "voice",
          "aria-pressed": String(!isLent(entry) && (tongue ?? "") === language),
          onclick: () => dialog.done({ voice: null, tongue: language, all: all() }),
        },
        make("b", {}, title),
        make("small", {}, note),
      ),
      sample
        ? make(
            "button",
            {
              type: "button",
              class: "button bare small square",
              "aria-label": `Listen to ${who.name} in ${title}`,
              onclick: (event) => attempt(() => play(sample), event.currentTarget),
            },
            icon("play"),
          )
        : null,
    );
  const draw = () => {
    const wish = search.value.toLowerCase();
    const found = catalogue.voices.filter(
      (voice) =>
        kinds.admits(voice) &&
        `${voice.name} ${voice.languageName} ${voice.language} ${voice.id}`.toLowerCase().includes(wish),
    );
    list.replaceChildren(
      ...found.slice(0, 120).map(line),
      found.length ? "" : make("li", { class: "muted" }, "No voice is called like that."),
    );
  };
  search.addEventListener("input", draw);
  draw();
  return open(
    "Voice",
    make(
      "div",
      { class: "row picker-tools" },
      anywhere && everywhere(),
      make("label", { class: "row speed" }, "Speed", speed, out),
    ),
    make("h3", { class: "picker-title" }, who ? `${who.name}’s own voice` : "The presenter’s own voice"),
    make(
      "ul",
      { class: "voices own" },
      own("", "As it is written", "The language of the script decides"),
      ...(who?.voices ?? []).map((one) => own(one.language, one.languageName, "Always", one.sample)),
    ),
    make("h3", { class: "picker-title" }, "Another voice"),
    make("div", { class: "row voice-search" }, search, kinds.choice),
    list,
  );
}

export function pickBackground(catalogue, background, upright) {
  const card = (one) => {
    const url = upright ? one.uprightUrl : one.url;
    return make(
      "li",
      {},
      make(
        "button",
        {
          type: "button",
          class: upright ? "pick upright" : "pick",
          "aria-pressed": String(background.source_url === url),
          onclick: () => dialog.done({ background: { source_type: "image", source_url: url }, all: all() }),
        },
        make("img", { "data-slow": upright ? one.uprightPicture : one.picture, alt: "", width: "240", height: "135" }),
        make("b", {}, one.title),
      ),
    );
  };
  const tint = make("input", {
    type: "color",
    value: colour(background.source_color ?? "#ffffff")[0],
    "aria-label": "Colour",
  });
  return open(
    "Background",
    make(
      "div",
      { class: "row picker-tools" },
      everywhere(),
      make(
        "span",
        { class: "row" },
        tint,
        make(
          "button",
          {
            type: "button",
            class: "button quiet small",
            onclick: () =>
              dialog.done({ background: { source_type: "color", source_color: written(tint.value, 1) }, all: all() }),
          },
          "Use the colour",
        ),
      ),
      make(
        "button",
        {
          type: "button",
          class: "button quiet small",
          onclick: async (event) => {
            const file = await upload("image/*,video/*", event.currentTarget);
            if (file)
              dialog.done({
                background: { source_type: file.type.startsWith("video/") ? "video" : "image", source_url: file.url },
                all: all(),
              });
          },
        },
        icon("upload"),
        "Your own",
      ),
    ),
    make("ul", { class: "picks" }, ...catalogue.backgrounds.map(card)),
  );
}

/** Asks for a file and sends it. Resolves to its address and kind, or to nothing. */
export function upload(accept, button) {
  const input = document.getElementById("upload");
  input.accept = accept;
  input.value = "";
  return new Promise((settle) => {
    input.onchange = async () => settle(input.files[0] ? await attempt(() => sendFile(input.files[0]), button) : null);
    input.oncancel = () => settle(null);
    input.click();
  });
}

export async function sendFile(file) {
  toast(`Sending ${file.name}…`);
  return send("POST", `/app/assets?name=${encodeURIComponent(file.name)}`, file, { raw: true });
}

/** What was spoken for this page alone: nothing once it is over. */
let spoken = null;
const player = new Player(() => {
  if (!spoken || player.plays(spoken)) return;
  URL.revokeObjectURL(spoken);
  spoken = null;
});

async function play(url) {
  try {
    await player.turn(url);
  } catch {
    throw new Error("This voice cannot be heard right now.");
  }
}

export async function listen(wish) {
  const wav = await send("POST", "/app/say", wish);
  player.quiet();
  spoken = URL.createObjectURL(wav);
  await play(spoken);
}
