// A presenter is designed: every control writes into one small description, and the picture follows it.
import { ask, attempt, icon, make, send, toast } from "./app.js";

const room = document.getElementById("design");
const known = JSON.parse(room.dataset.design);
const byId = (id) => document.getElementById(id);
const parts = byId("design-parts");
let design = known.design;
let shown = 0;
let kept = JSON.stringify(design);

// --- The description --------------------------------------------------------------------------------------------------

const get = (path) => path.split(".").reduce((at, key) => at?.[key], design);

function put(path, value) {
  const keys = path.split(".");
  const last = keys.pop();
  let at = design;
  for (const key of keys) at = at[key] ??= {};
  if (value === undefined || value === null || value === "") delete at[last];
  else at[last] = value;
  follow();
}

// --- The picture ------------------------------------------------------------------------------------------------------

let waiting = null,
  drawing = false,
  again = false;

function follow() {
  clearTimeout(waiting);
  waiting = setTimeout(draw, 90);
}

/** One picture is drawn at a time, the newest wish next. */
async function draw(fine = false) {
  if (drawing) {
    again = true;
    return;
  }
  drawing = true;
  byId("design-busy").hidden = false;
  try {
    const picture = await pictured(fine === true);
    const old = byId("design-picture").src;
    byId("design-picture").src = URL.createObjectURL(picture);
    if (old.startsWith("blob:")) URL.revokeObjectURL(old);
    byId("design-note").textContent = "";
  } catch (error) {
    byId("design-note").textContent = error.message;
  }
  drawing = false;
  byId("design-busy").hidden = true;
  if (again) {
    again = false;
    draw();
  }
}

async function pictured(fine) {
  const worn = worns()[shown] ?? "";
  const answer = await fetch(`/app/design/look?outfit=${encodeURIComponent(worn)}&fine=${fine}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json",
      "x-csrf-token": document.querySelector('meta[name="csrf"]').content,
    },
    body: JSON.stringify(design),
  }).catch(() => {
    throw new Error("The service cannot be reached. Is it running?");
  });
  if (answer.ok) return answer.blob();
  const said = await answer.json().catch(() => ({}));
  throw new Error(said.error ?? `That did not work (${answer.status}).`);
}

/** What outfits are called by: a second suit is `suit-2`. */
function worns() {
  const count = {};
  return (design.outfits ?? []).map(({ clothes }) => {
    count[clothes] = (count[clothes] ?? 0) + 1;
    return count[clothes] === 1 ? clothes : `${clothes}-${count[clothes]}`;
  });
}

// --- Controls ---------------------------------------------------------------------------------------------------------

const titled = (word) => word.replace("-", " ").replace(/^./, (letter) => letter.toUpperCase());

function slider(path) {
  const { title, low, high } = known.sliders.find((one) => one.path === path);
  const [name, ends] = title.split(": ");
  const years = path === "age";
  const range = make("input", {
    type: "range",
    min: low,
    max: high,
    step: years ? 1 : 0.01,
    value: get(path) ?? (years ? 35 : 0),
    oninput: () => {
      put(path, Number(range.value));
      if (years) said.textContent = range.value;
    },
    ondblclick: () => {
      if (years) return;
      range.value = 0;
      put(path, 0);
    },
  });
  const said = make("small", {}, years ? String(range.value) : (ends ?? ""));
  return make("label", { class: "field" }, make("span", {}, name, " ", said), range);
}

const SWATCHES = {
  "skin.color": ["#f0cfba", "#e0b094", "#cf9b7c", "#b27b58", "#8f5a3a", "#6b4028", "#4a2c1c"],
  "hair.color": ["#24201f", "#4a3528", "#74503a", "#86482c", "#a0784e", "#be9c6c", "#dcc8a0", "#7c7a78", "#b4b2af"],
  "eyes.color": ["#35271d", "#5b452c", "#4e5840", "#46606c", "#5a7a96", "#6a6e72"],
};

function color(path, title) {
  const well = make("input", {
    type: "color",
    "aria-label": title,
    value: get(path) ?? SWATCHES[path]?.[2] ?? (path === "skin.lips" ? "#b5665e" : "#202024"),
    oninput: () => put(path, well.value),
  });
  const swatch = (paint) => {
    const button = make("button", {
      type: "button",
      class: "swatch",
      "aria-label": `${title}: ${paint}`,
      onclick: () => {
        well.value = paint;
        put(path, paint);
      },
    });
    // The page forbids styles in attributes.
    button.style.background = paint;
    return button;
  };
  return make(
    "div",
    { class: "field" },
    make("span", {}, title),
    make("div", { class: "design-color" }, well, ...(SWATCHES[path] ?? []).map(swatch)),
  );
}

function word(path, title, none) {
  const options = known.words[path].map((one) => make("option", { value: one }, titled(one)));
  const choice = make(
    "select",
    { value: get(path) ?? "", onchange: () => put(path, choice.value) },
    none && make("option", { value: "" }, none),
    ...options,
  );
  if (!none && !get(path)) choice.selectedIndex = -1;
  return make("label", { class: "field" }, make("span", {}, title), choice);
}

function card(title, text, ...children) {
  const id = `part-${title.toLowerCase().replace(/\W+/g, "-")}`;
  return make(
    "section",
    { class: "card", "aria-labelledby": id },
    make("header", {}, make("div", {}, make("h2", { id }, title), text && make("p", {}, text))),
    ...children,
  );
}

const pairs = (...children) => make("div", { class: "design-pairs" }, ...children);

// --- Whose face -------------------------------------------------------------------------------------------------------

const byShare = () => Object.entries(design.faces).sort((a, b) => b[1] - a[1]);

function faces() {
  const [[first, share], second] = byShare();
  const male = known.sitters.find((one) => one.alias === first)?.male;
  const total = byShare().reduce((sum, [, part]) => sum + part, 0);
  const sitter = ({ alias, name }) => make("option", { value: alias }, name);
  const women = known.sitters.filter((one) => !one.male).map(sitter);
  const men = known.sitters.filter((one) => one.male).map(sitter);
  const mixed = (one, other, part) => {
    design.faces = other && other !== one ? { [one]: part, [other]: Math.round((1 - part) * 100) / 100 } : { [one]: 1 };
    build();
    follow();
  };
  const one = make(
    "select",
    {
      value: first,
      onchange: () => {
        const same = known.sitters.find((two) => two.alias === one.value).male === male;
        mixed(one.value, same ? second?.[0] : undefined, part());
      },
    },
    make("optgroup", { label: "Women" }, ...women),
    make("optgroup", { label: "Men" }, ...men),
  );
  const others = known.sitters.filter((two) => two.male === male && two.alias !== first).map(sitter);
  const two = make(
    "select",
    { value: second?.[0] ?? "", onchange: () => mixed(first, two.value, second ? part() : 0.6) },
    make("option", { value: "" }, "Nobody"),
    ...others,
  );
  const range = make("input", {
    type: "range",
    min: 0.05,
    max: 0.95,
    step: 0.01,
    value: share / total,
    disabled: !second,
    oninput: () => {
      design.faces = { [first]: part(), [second[0]]: Math.round((1 - part()) * 100) / 100 };
      follow();
    },
  });
  const part = () => Number(range.value);
  return card(
    "Whose face",
    "One of the cast, or two of them mixed.",
    pairs(
      make("label", { class: "field" }, make("span", {}, "Mostly"), one),
      make("label", { class: "field" }, make("span", {}, "and a little of"), two),
      make("label", { class: "field" }, make("span", {}, "How much of the first"), range),
      slider("age"),
    ),
  );
}

// --- Outfits, logo, voices --------------------------------------------------------------------------------------------

function outfits() {
  const list = (design.outfits ??= []);
  const changed = () => {
    build();
    follow();
  };
  const row = (outfit, at) => {
    const well = (key, title, usual) => {
      const input = make("input", {
        type: "color",
        value: outfit[key] ?? usual,
        oninput: () => {
          outfit[key] = input.value;
          shown = at;
          follow();
        },
      });
      return make("label", { class: "field" }, make("span", {}, title), input);
    };
    const clothes = make(
      "select",
      {
        value: outfit.clothes,
        onchange: () => {
          outfit.clothes = clothes.value;
          delete outfit.name;
          shown = at;
          changed();
        },
      },
      ...known.words["outfits[].clothes"].map((one) => make("option", { value: one }, titled(one))),
    );
    const jacket = ["suit", "open-suit", "blazer"].includes(outfit.clothes);
    const scarf = design.hair?.style === "headscarf";
    return make(
      "div",
      { class: "design-outfit" },
      make("label", { class: "field" }, make("span", {}, "Clothes"), clothes),
      well("color", "Colour", "#1d4f5b"),
      jacket && well("under", "Under it", "#eeeae2"),
      (outfit.clothes === "suit" || scarf) && well("accent", scarf ? "Scarf" : "Tie", "#7a2e2e"),
      make("button", { class: "button quiet small", type: "button", "aria-pressed": at === shown, onclick: () => ((shown = at), changed()) }, "Show"),
      list.length > 1 &&
        make("button", { class: "button quiet small square", type: "button", "aria-label": `Remove ${outfit.clothes}`, onclick: () => (list.splice(at, 1), (shown = 0), changed()) }, icon("x")),
    );
  };
  return card(
    "Outfits",
    "Colours are those that are seen in the film: a brand's stays what it is.",
    ...list.map(row),
    list.length < known.outfits &&
      make(
        "div",
        { class: "row" },
        make("button", { class: "button quiet small", type: "button", onclick: () => (list.push({ clothes: "tee", color: "#1d4f5b" }), (shown = list.length - 1), changed()) }, icon("plus"), "Another outfit"),
      ),
  );
}

/** No larger than a chest shows it. */
async function picked(file) {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error("This file is no picture that the browser can read.");
  });
  const scale = Math.min(1, 256 / Math.max(bitmap.width, bitmap.height));
  const canvas = make("canvas", { width: Math.max(1, Math.round(bitmap.width * scale)), height: Math.max(1, Math.round(bitmap.height * scale)) });
  canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png");
}

function logo() {
  const file = make("input", {
    type: "file",
    accept: "image/*",
    hidden: true,
    onchange: () =>
      attempt(async () => {
        const picture = await picked(file.files[0]);
        design.logo = { place: "chest", size: 0, ...design.logo, picture };
        build();
        follow();
      }),
  });
  const remove = () => {
    delete design.logo;
    build();
    follow();
  };
  const more = design.logo
    ? [pairs(word("logo.place", "Place"), slider("logo.size"))]
    : [];
  return card(
    "Logo",
    "On the chest, or as a pin on a lapel.",
    make(
      "div",
      { class: "row" },
      design.logo && make("img", { src: design.logo.picture, alt: "The logo", height: "40" }),
      make("button", { class: "button quiet small", type: "button", onclick: () => file.click() }, icon("upload"), design.logo ? "Another picture" : "Choose a picture"),
      design.logo && make("button", { class: "button quiet small", type: "button", onclick: remove }, "Remove"),
      file,
    ),
    ...more,
  );
}

function voices() {
  const chosen = (design.voices ??= {});
  const named = (id) => known.voices.find((voice) => voice.id === id);
  const chip = ([language, id]) =>
    make(
      "span",
      { class: "pill" },
      `${named(id)?.tongue ?? language}: ${named(id)?.name ?? id}`,
      make(
        "button",
        {
          class: "button quiet small square",
          type: "button",
          "aria-label": `Without ${language}`,
          onclick: () => {
            delete chosen[language];
            build();
          },
        },
        icon("x"),
      ),
    );
  const groups = Map.groupBy(known.voices, (voice) => voice.tongue);
  const add = make(
    "select",
    {
      onchange: () => {
        const voice = named(add.value);
        if (voice) chosen[voice.language] = voice.id;
        build();
      },
    },
    make("option", { value: "" }, "Choose a voice for a language"),
    ...[...groups].map(([tongue, all]) =>
      make("optgroup", { label: tongue }, ...all.map((voice) => make("option", { value: voice.id }, `${voice.name}, ${voice.gender}`))),
    ),
  );
  return card(
    "Voice and manner",
    "One voice for each language; languages without one are spoken as the first face's.",
    make("div", { class: "design-chips" }, ...Object.entries(chosen).map(chip)),
    pairs(
      make("label", { class: "field" }, make("span", {}, "Voice"), add),
      word("manner", "Manner", "As the age has it"),
      word("hands", "Hands at rest", "As the face has it"),
    ),
  );
}

// --- All of it --------------------------------------------------------------------------------------------------------

function build() {
  const name = make("input", {
    required: true,
    maxlength: "80",
    autocomplete: "off",
    value: design.name ?? "",
    oninput: () => (design.name = name.value),
  });
  const of = (prefix) => known.sliders.filter((one) => one.path.startsWith(prefix)).map((one) => slider(one.path));
  const male = known.sitters.find((one) => one.alias === byShare()[0][0])?.male;
  const place = document.activeElement?.closest("section")?.getAttribute("aria-labelledby");
  parts.replaceChildren(
    card("Name", null, make("label", { class: "field" }, make("span", {}, "What the presenter is called"), name)),
    faces(),
    card("Face", "Double-click a slider to set it back.", pairs(...of("face."))),
    card("Skin and eyes", null, pairs(color("skin.color", "Skin"), color("eyes.color", "Eyes"), color("skin.lips", "Lips"), ...of("skin."))),
    card(
      "Hair",
      null,
      pairs(
        word("hair.style", "Style"),
        color("hair.color", "Colour"),
        ...of("hair."),
        word("glasses.rims", "Glasses"),
        color("glasses.color", "Frame"),
        male && word("beard", "Beard", "As the face has it"),
      ),
    ),
    card("Body", null, pairs(...of("body."))),
    outfits(),
    logo(),
    voices(),
  );
  // A card that was built anew keeps whoever works in it.
  if (place) document.querySelector(`section[aria-labelledby="${place}"] :is(select, button, input:not([hidden]))`)?.focus({ preventScroll: true });
}

function wear(other) {
  design = other;
  shown = 0;
  build();
  follow();
}

byId("design-chance").addEventListener("click", ({ currentTarget }) =>
  attempt(async () => {
    const name = known.id ? design.name : undefined;
    const other = await send("GET", "/app/design/begin");
    wear(name ? { ...other, name } : other);
  }, currentTarget),
);
byId("design-fine").addEventListener("click", () => draw(true));

byId("design-save").addEventListener("click", ({ currentTarget }) =>
  attempt(async () => {
    const { id } = await send("POST", known.id ? `/app/design/${known.id}` : "/app/design", design);
    kept = JSON.stringify(design);
    if (!known.id) location.assign(`/library/design/${id}`);
    else toast("Saved. Films made from now on show it so.");
  }, currentTarget),
);

byId("design-save-file").addEventListener("click", () => {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(design, null, 2)}\n`], { type: "application/json" }));
  const name = (design.name || "presenter").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
  make("a", { href: url, download: `${name}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 5000);
});
byId("design-open-file").addEventListener("click", () => byId("design-file").click());
byId("design-file").addEventListener("change", ({ currentTarget }) =>
  attempt(async () => {
    const text = await currentTarget.files[0].text();
    let other;
    try {
      other = JSON.parse(text);
    } catch {
      throw new Error("This file is no design: it is not JSON.");
    }
    if (!other?.faces || typeof other.faces !== "object") throw new Error("This file is no design: it names no faces.");
    wear(other);
    currentTarget.value = "";
  }),
);

byId("design-withdraw")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (await ask("Take the presenter away?", "Films made with it stay; new ones cannot show it.", "Take it away")) event.target.submit();
});

addEventListener("beforeunload", (event) => {
  if (JSON.stringify(design) !== kept && known.id) event.preventDefault();
});

build();
draw();
