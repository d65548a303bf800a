// The editor: scenes on the left, the true picture and the script in the middle, settings on the right.
import { send, make, icon, attempt, ask, choose, toast } from "./app.js";
import { Project, scriptOf, setScript, freshId, freshIndex } from "./editor-model.js";
import { Canvas } from "./editor-canvas.js";
import { Panels, hear } from "./editor-panels.js";
import { upload } from "./editor-pickers.js";

const id = document.getElementById("editor").dataset.id;
const at = (name) => document.getElementById(name);
const copyOf = (value) => JSON.parse(JSON.stringify(value));

const [found, catalogue] = await Promise.all([
  send("GET", `/app/projects/${id}/body`),
  send("GET", "/app/catalogue"),
]).catch((error) => {
  at("saved").textContent = error.message;
  throw error;
});
const project = new Project(id, found);
const canvas = new Canvas(project);
const panels = new Panels(project, catalogue);

// ---- the list of scenes

const pictures = new Map();
// The revision whose pictures the server was asked for: later ones come from the canvas.
let opened = project.revision;
function forget() {
  pictures.clear();
  opened = project.revision;
}
function scenes() {
  const list = at("scenes");
  const focus = document.activeElement?.closest("#scenes") ? project.scene : null;
  list.replaceChildren(
    ...project.scenes.map((scene, n) => {
      const flaws = project.problems(n).length;
      const name =
        scriptOf(scene)
          .replaceAll(/<[^>]*>|\[pause[^\]]*\]/g, " ")
          .trim()
          .slice(0, 60) || "Silent";
      return make(
        "li",
        { class: n === project.scene ? "scene chosen" : "scene", draggable: true, "data-n": String(n) },
        make(
          "button",
          {
            type: "button",
            class: "scene-open",
            "aria-current": n === project.scene ? "true" : null,
            onclick: () => project.choose(n),
          },
          make(
            "span",
            { class: "scene-picture" },
            make("img", {
              ...(pictures.has(n)
                ? { src: pictures.get(n) }
                : { "data-slow": `/app/projects/${id}/scenes/${n}.jpg?r=${opened}` }),
              alt: "",
              width: "160",
              height: "90",
            }),
            flaws ? make("span", { class: "flaw" }, icon("warn")) : null,
          ),
          make("span", { class: "hide" }, "Scene "),
          make("b", { class: "number" }, String(n + 1)),
          make("small", {}, name),
          flaws ? make("span", { class: "hide" }, ", needs attention") : null,
        ),
        n === project.scene
          ? make(
              "span",
              { class: "scene-tools" },
              make(
                "button",
                {
                  type: "button",
                  class: "button quiet small square turns",
                  "aria-label": `Move scene ${n + 1} up`,
                  disabled: n === 0,
                  onclick: () => shift(n, n - 1),
                },
                icon("up"),
              ),
              make(
                "button",
                {
                  type: "button",
                  class: "button quiet small square turns",
                  "aria-label": `Move scene ${n + 1} down`,
                  disabled: n === project.scenes.length - 1,
                  onclick: () => shift(n, n + 1),
                },
                icon("down"),
              ),
              make(
                "button",
                {
                  type: "button",
                  class: "button quiet small square",
                  "aria-label": `Duplicate scene ${n + 1}`,
                  onclick: () => add(copyOf(scene), "duplicated a scene"),
                },
                icon("copy"),
              ),
              make(
                "button",
                {
                  type: "button",
                  class: "button quiet small square warnish",
                  "aria-label": `Remove scene ${n + 1}`,
                  disabled: project.scenes.length === 1,
                  onclick: () => drop(n),
                },
                icon("trash"),
              ),
            )
          : null,
      );
    }),
  );
  if (focus !== null) list.querySelector(".chosen .scene-open")?.focus({ preventScroll: true });
  list.querySelector(".chosen")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function shift(from, to) {
  if (to < 0 || to >= project.scenes.length || from === to) return;
  project.change("moved a scene", () => {
    const [scene] = project.scenes.splice(from, 1);
    project.scenes.splice(to, 0, scene);
    project.scene = to;
  });
  forget();
  project.choose(to);
}

function add(scene, note) {
  scene.sceneIdx = freshIndex(project.scenes);
  project.change(note, () => project.scenes.splice(project.scene + 1, 0, scene));
  forget();
  project.choose(project.scene + 1);
}

async function drop(n) {
  if (
    !(await ask(
      `Remove scene ${n + 1}?`,
      "You can undo this while the editor is open, and find it in the earlier versions later.",
      "Remove",
    ))
  )
    return;
  project.change("removed a scene", () => project.scenes.splice(n, 1));
  forget();
  project.choose(Math.min(n, project.scenes.length - 1));
}

at("scene-add").addEventListener("click", () => {
  const like = copyOf(project.current);
  const speaks = (like.clips ?? []).filter((clip) => clip.type === "aiModel").slice(0, 1);
  like.clips = speaks;
  delete like.duration;
  like.thumbnailUrl = null;
  if (like.scripts?.[0]) like.scripts[0].org = "";
  add(like, "added a scene");
  at("script").focus();
});

let held = null;
at("scenes").addEventListener("dragstart", (event) => {
  held = Number(event.target.closest(".scene")?.dataset.n);
  event.dataTransfer.effectAllowed = "move";
});
at("scenes").addEventListener("dragover", (event) => {
  event.preventDefault();
  for (const line of at("scenes").children) line.classList.toggle("target", line === event.target.closest(".scene"));
});
at("scenes").addEventListener("drop", (event) => {
  event.preventDefault();
  const to = Number(event.target.closest(".scene")?.dataset.n);
  if (held !== null && Number.isInteger(to)) shift(held, to);
  held = null;
});
at("scenes").addEventListener("dragend", () => {
  for (const line of at("scenes").children) line.classList.remove("target");
});
at("scenes").addEventListener("keydown", (event) => {
  const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (!by || !event.target.matches(".scene-open")) return;
  event.preventDefault();
  if (event.altKey) shift(project.scene, project.scene + by);
  else project.choose(project.scene + by);
});

// ---- elements

function addClip(clip) {
  const top = Math.max(0, ...project.clips.map((one) => Number(one.layer) || 0)) + 1;
  project.change("added an element", () =>
    project.clips.push({
      id: freshId(project.current, clip.id),
      layer: top,
      ...clip,
      id: freshId(project.current, clip.id),
    }),
  );
  project.choose(project.scene, project.clips.length - 1);
  panels.show("clip");
}

async function addElement(kind) {
  const [wide, high] = project.canvas;
  if (kind === "text")
    addClip({
      id: "text",
      type: "textImage",
      left: Math.round(wide * 0.07),
      top: Math.round(high * 0.12),
      width: Math.round(wide * 0.5),
      height: 120,
      text: "New text",
      fill: "rgb(16,24,40)",
      fontSize: 54,
      fontFamily: "Noto Sans",
      fontWeight: 700,
    });
  if (kind === "shape")
    addClip({
      id: "shape",
      type: "shape",
      left: Math.round(wide * 0.1),
      top: Math.round(high * 0.2),
      width: 360,
      height: 240,
      shapeName: "Rectangle_corner0",
      fill: "rgb(13,148,136)",
      strokeRadius: 24,
    });
  if (kind !== "file") return;
  const file = await upload("image/*,video/*,audio/*");
  if (!file) return;
  const [main] = file.type.split("/");
  const place = {
    left: Math.round(wide * 0.1),
    top: Math.round(high * 0.2),
    width: Math.round(wide * 0.4),
    height: Math.round(wide * 0.4 * (file.height && file.width ? file.height / file.width : 9 / 16)),
  };
  if (main === "image") addClip({ id: "picture", type: "image", ...place, source_url: file.url });
  else if (main === "video")
    addClip({ id: "video", type: "videoImage", ...place, source_url: file.url, video_url: file.url, volume: 100 });
  else if (main === "audio")
    addClip({ id: "sound", type: "audio", left: 0, top: 0, width: 100, height: 100, source_url: file.url, volume: 60 });
  else toast("This is neither a picture nor a video nor a sound.", { bad: true });
}

function removeClip() {
  if (project.clip === null) return;
  const n = project.clip;
  project.change("removed an element", () => project.clips.splice(n, 1));
  project.choose(project.scene);
  toast("Removed. Undo brings it back.");
}

function duplicateClip() {
  const clip = project.selected;
  if (clip)
    addClip({
      ...copyOf(clip),
      layer: undefined,
      left: (Number(clip.left) || 0) + 40,
      top: (Number(clip.top) || 0) + 40,
    });
}

// ---- the script

const script = at("script");
script.addEventListener("input", () =>
  project.change("changed the script", () => setScript(project.current, script.value), `script ${project.scene}`),
);
at("pause").addEventListener("click", () => {
  script.setRangeText(" [pause 0.5s] ", script.selectionStart, script.selectionEnd, "end");
  script.dispatchEvent(new Event("input"));
  script.focus();
});
at("listen").addEventListener("click", (event) => hear(project, event.currentTarget));

function words() {
  if (document.activeElement !== script || script.value !== scriptOf(project.current)) {
    if (script.value !== scriptOf(project.current)) script.value = scriptOf(project.current);
  }
  const seconds = project.judged.seconds[project.scene];
  at("script-length").textContent = seconds ? `about ${Math.round(seconds)} s` : "";
  const slider = at("moment");
  slider.max = String(Math.max(1, Math.round((seconds ?? 5) * 10) / 10));
  canvas.at = Math.min(Number(slider.value), Number(slider.max));
  at("moment-out").textContent = `${canvas.at.toFixed(1)} s`;
}

function problems() {
  const here = project.problems(project.scene);
  const elsewhere = project.judged.problems.filter((problem) => !problem.path.startsWith("scenes["));
  const lines = [...here, ...elsewhere].map((problem) => `${problem.place}${problem.text}`);
  if (!lines.length && canvas.trouble) lines.push(canvas.trouble);
  at("problems").replaceChildren(
    ...lines.slice(0, 5).map((line) => make("p", { class: "note warn" }, icon("warn"), make("span", {}, line))),
  );
}

// ---- everything that changes

const CONFLICT = "Not saved: changed elsewhere";

project.on((what) => {
  if (what === "body" || what === "choice") {
    scenes();
    words();
    problems();
    canvas.draw();
    canvas.wish(what === "choice" ? 30 : 220);
    at("undo").disabled = !project.past.length;
    at("redo").disabled = !project.future.length;
    if (what === "choice") {
      if (project.clip !== null && panels.tab !== "clip") panels.show("clip");
      else panels.draw();
      history.replaceState(null, "", `#scene-${project.scene + 1}`);
    } else if (panels.tab === "scene" && !document.activeElement?.closest("#panel")) panels.draw();
    if (what === "body") panels.retitle();
    const title = at("title");
    if (document.activeElement !== title && project.body.name) title.value = project.body.name;
  }
  if (what === "placed") {
    for (const box of canvas.boxes.children) canvas.place(box, project.clips[Number(box.dataset.clip)]);
    if (panels.tab === "clip" && !document.activeElement?.closest("#panel")) panels.draw();
  }
  if (what === "drawn") {
    if (canvas.frame.src && !canvas.trouble) freeze(project.scene);
    problems();
  }
  if (what === "remove") removeClip();
  if (what === "duplicate") duplicateClip();
  if (what?.add) addElement(what.add);
  const said = { saving: "Saving…", saved: "Saved", unsaved: `Not saved: ${project.failure}`, conflict: CONFLICT }[
    what
  ];
  if (said) at("saved").textContent = said;
  if (said || what === "body") at("saved").classList.toggle("bad", what === "unsaved" || Boolean(project.conflict));
  if (what === "body" && project.dirty && !project.conflict) at("saved").textContent = "Not saved yet";
  if (what === "saved") {
    words();
    problems();
    scenes();
  }
  if (what === "conflict") {
    at("saved").append(
      " ",
      make("button", { type: "button", class: "button quiet small", onclick: conflict }, "Decide"),
    );
    conflict();
  }
});

/** Whether everything is kept; otherwise says what stands in the way. */
async function kept() {
  await project.save();
  if (project.conflict) conflict();
  else if (project.dirty) toast(`Not saved: ${project.failure}`, { bad: true });
  return !project.dirty;
}

/** The frame that is shown becomes the scene's small picture. */
function freeze(n) {
  const frame = canvas.frame;
  frame
    .decode()
    .then(() => {
      const small = document.createElement("canvas");
      small.width = 240;
      small.height = Math.round((240 * frame.naturalHeight) / frame.naturalWidth);
      small.getContext("2d").drawImage(frame, 0, 0, small.width, small.height);
      const data = small.toDataURL("image/jpeg", 0.8);
      pictures.set(n, data);
      const image = at("scenes").querySelector(`[data-n="${n}"] img`);
      if (!image) return;
      image.removeAttribute("data-slow");
      image.src = data;
    })
    .catch(() => pictures.delete(n));
}

/** Nothing is saved until somebody says whose version it shall be; the other one stays among the earlier versions. */
async function conflict() {
  const choice = await choose(
    "This project was changed somewhere else",
    "Keep yours: the other version stays among the earlier ones. Or load the other one: what you changed here since the last save is lost.",
    "Load the other",
    "Keep mine",
  );
  if (!choice) return;
  const found = await attempt(() => send("GET", `/app/projects/${id}/body`));
  if (!found) return;
  if (choice === "no") return project.keep(found);
  forget();
  project.take(found);
}

at("undo").addEventListener("click", () => {
  forget();
  project.undo();
});
at("redo").addEventListener("click", () => {
  forget();
  project.redo();
});
addEventListener("keydown", (event) => {
  const typing = event.target.matches("input:not([type=range]), textarea, select");
  if (!(event.ctrlKey || event.metaKey)) return;
  const key = event.key.toLowerCase();
  if (key === "s") {
    event.preventDefault();
    kept();
  }
  if (typing && event.target.id !== "script") return;
  if (key === "z" || key === "y") {
    event.preventDefault();
    forget();
    if (key === "y" || event.shiftKey) project.redo();
    else project.undo();
  }
});
addEventListener("beforeunload", (event) => {
  if (!project.dirty && !project.saving) return;
  project.save();
  event.preventDefault();
});

at("title").value = project.body.name ?? found.name;
at("title").addEventListener("input", (event) => {
  const name = event.target.value.trim();
  if (name) project.change("renamed the film", () => (project.body.name = name), "title");
});
at("moment").addEventListener("input", () => {
  words();
  canvas.wish(120);
});

// ---- versions, export

at("versions-open").addEventListener("click", async () => {
  if (!(await kept())) return;
  const list = await attempt(() => send("GET", `/app/projects/${id}/revisions`));
  if (!list) return;
  at("versions-list").replaceChildren(
    ...(list.revisions.length
      ? list.revisions.map((one) =>
          make(
            "li",
            { class: "row" },
            make(
              "span",
              { class: "grow" },
              make("b", { class: "number" }, `${one.revision}`),
              ` before: ${one.note}`,
              make("small", { class: "muted" }, ` ${one.ago}`),
            ),
            make(
              "button",
              {
                type: "button",
                class: "button quiet small",
                onclick: (event) => back(one.revision, event.currentTarget),
              },
              "Go back to it",
            ),
          ),
        )
      : [make("li", { class: "muted" }, "Nothing has been changed yet.")]),
  );
  at("versions").showModal();
});

async function back(revision, button) {
  const found = await attempt(() => send("POST", `/app/projects/${id}/revisions/${revision}/restore`), button);
  if (!found) return;
  at("versions").close();
  forget();
  project.take(found);
  toast(`Back at version ${revision}`);
}

at("export-open").addEventListener("click", async () => {
  if (await kept()) at("export").showModal();
});
at("export-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const wanted = Object.fromEntries(new FormData(event.target));
  const done = await attempt(
    () => send("POST", `/app/projects/${id}/export`, wanted),
    event.target.querySelector("button:not([type])"),
  );
  if (done) location.assign(`/projects/${id}`);
});

// Pictures may be dropped on the canvas.
at("canvas").addEventListener(
  "dragover",
  (event) => event.dataTransfer.types.includes("Files") && event.preventDefault(),
);
at("canvas").addEventListener("drop", async (event) => {
  const file = event.dataTransfer.files[0];
  if (!file) return;
  event.preventDefault();
  const { sendFile } = await import("./editor-pickers.js");
  const sent = await attempt(() => sendFile(file));
  if (sent?.type.startsWith("image/"))
    addClip({
      id: "picture",
      type: "image",
      left: 200,
      top: 200,
      width: 640,
      height: Math.round(640 * (sent.width ? sent.height / sent.width : 9 / 16)),
      source_url: sent.url,
    });
});

const wish = Number(location.hash.match(/^#scene-(\d+)$/)?.[1] ?? 1) - 1;
project.choose(wish);
panels.show("scene");
at("saved").textContent = "Saved";
at("editor").setAttribute("aria-busy", "false");
