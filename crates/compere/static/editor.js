// The editor: scenes on the left, the true picture and the script in the middle, settings on the right.
import { send, make, icon, attempt, choose, toast } from "./app.js";
import { Project, pathOf, roleOf, scriptOf, setScript } from "./editor-model.js";
import { Canvas } from "./editor-canvas.js";
import { Names } from "./editor-names.js";
import { Panels, hear } from "./editor-panels.js";
import { Arrange } from "./editor-arrange.js";
import { Elements } from "./editor-elements.js";
import { markButtons, Marks } from "./editor-marks.js";
import { Pictures } from "./editor-pictures.js";
import { Recording, isOfRecording } from "./editor-recording.js";
import { Scenes } from "./editor-scenes.js";
import { ScriptBox } from "./editor-script-box.js";
import { Speakers } from "./editor-speakers.js";
import { Tongue } from "./editor-tongue.js";
import { View } from "./editor-view.js";
import { Write } from "./editor-write.js";
import { anchorOf, placeOf, placeOfAnchor, showStops } from "./stops.js";

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
const names = new Names(project, catalogue);
const canvas = new Canvas(project, names);
const panels = new Panels(project, catalogue, names);

const pictures = new Pictures(
  project,
  () => canvas.busy,
  () => scenes.draw(),
);
const scenes = new Scenes(project, pictures);
const tongue = new Tongue(project, panels);
panels.clash = (scene, who) => tongue.clash(scene, who);
const speakers = new Speakers(project, names);
const recording = new Recording(project, speakers, () => words());

const elements = new Elements(project, canvas, panels);
const arrange = new Arrange(project, elements);
new Write(project, canvas);
new View(canvas);

// ---- the script

const script = at("script");
const marks = new Marks(catalogue.cues, (word, said) => {
  const known = project.body.dictionary;
  const words = Array.isArray(known) ? {} : { ...known };
  if (said) words[word] = said;
  else delete words[word];
  project.change("changed how a word is said", () => (project.body.dictionary = words));
});
const box = new ScriptBox(script, {
  changed: (org) =>
    project.change(
      "changed the script",
      () => setScript(project.current, org, project.speaker),
      `script ${project.scene} ${project.role}`,
    ),
  opened: (chip) => marks.ask(box, chip.piece.kind, { chip }),
  dictionary: () => project.body.dictionary ?? {},
});
markButtons(marks, box);
at("listen").addEventListener("pointerdown", (event) => event.preventDefault());
at("listen").addEventListener("click", (event) => {
  if (recording.url) recording.play(recording.url);
  else hear(project, box, event.currentTarget);
});

function words() {
  const org = scriptOf(project.current, project.speaker);
  if (!box.shows(org)) box.show(org);
  const guessed = project.judged.seconds[project.scene];
  const { seconds: recorded, all } = recording.whole;
  const known = all && recorded > 0;
  // Of what is spoken beside recordings there is only a guess, which knows nothing of their pauses.
  const seconds = known ? (project.current.duration ?? recorded) : Math.max(guessed ?? 0, recorded);
  at("script-length").textContent = seconds ? `${known ? "" : "about "}${Math.round(seconds)} s` : "";
  const slider = at("moment");
  slider.max = String(Math.max(1, Math.round((seconds || 5) * 10) / 10));
  canvas.at = Math.min(Number(slider.value), Number(slider.max));
  at("moment-out").textContent = `${canvas.at.toFixed(1)} s`;
}

/** What is wrong here, and with the whole. A clash of languages and a recording have their own places below their script. */
function problems() {
  const path = pathOf(project.current, project.scene, project.speaker);
  const below = (problem) =>
    problem.tongue ? problem.path === path : isOfRecording(problem) && problem.path === `${path}.audio`;
  const here = project.problems(project.scene).filter((problem) => !below(problem));
  const elsewhere = project.judged.problems.filter((problem) => !problem.path.startsWith("scenes["));
  const line = (problem) =>
    make(
      "p",
      { class: "note warn" },
      icon("warn"),
      make(
        "button",
        { type: "button", class: "stop-here", onclick: () => visit(problem) },
        `${problem.place}${problem.text}`,
      ),
    );
  const lines = [...here, ...elsewhere].slice(0, 5).map(line);
  if (!lines.length && canvas.trouble && !tongue.clash(project.scene, project.speaker)) {
    lines.push(make("p", { class: "note warn" }, icon("warn"), make("span", {}, canvas.trouble)));
  }
  at("problems").replaceChildren(...lines);
}

/** Goes to where a problem is, ready to put it right. */
function visit(problem) {
  const place = placeOf(problem.path);
  project.choose(place.scene ?? project.scene, place.script ? null : place.clip);
  if (place.clip !== null && !place.script) return canvas.boxes.querySelector(`[data-clip="${place.clip}"]`)?.focus();
  panels.show("scene");
  if (place.script) project.turnTo(place.clip === null ? "" : roleOf(project.current, project.clips[place.clip]));
  if (isOfRecording(problem)) return at("recording").querySelector("button")?.focus();
  if (place.script) (at("fix-tongue") ?? at("script")).focus();
}

// ---- everything that changes

/** What is said, by whom, and what is told about it. */
function spoken() {
  speakers.draw();
  words();
  tongue.draw();
  recording.draw();
  problems();
}

const CONFLICT = "Not saved: changed elsewhere";

project.on((what) => {
  if (what === "body" || what === "choice" || what === "speaker") spoken();
  if (what === "body" || what === "choice") {
    scenes.draw();
    if (what === "choice") canvas.turn(pictures.of(project.current));
    canvas.draw();
    arrange.draw();
    canvas.wish(what === "choice" ? 30 : undefined);
    at("undo").disabled = !project.past.length;
    at("redo").disabled = !project.future.length;
    if (what === "choice") {
      if (project.clip !== null && panels.tab !== "clip") panels.show("clip");
      else panels.draw();
      history.replaceState(null, "", anchorOf({ scene: project.scene, clip: null }));
      canvas.prepare();
    } else if (panels.tab === "scene" && !document.activeElement?.closest("#panel")) panels.draw();
    if (what === "body") panels.retitle();
    const title = at("title");
    if (document.activeElement !== title && project.body.name) title.value = project.body.name;
  }
  if (what === "placed") {
    arrange.draw();
    for (const box of canvas.boxes.children) canvas.place(box, project.clips[Number(box.dataset.clip)]);
    if (panels.tab === "clip" && !document.activeElement?.closest("#panel")) panels.draw();
  }
  if (what === "asking") pictures.yield();
  if (what === "drawn") {
    if (!canvas.trouble) freeze();
    problems();
    canvas.prepare();
    pictures.next();
  }
  if (what === "remove") elements.remove();
  if (what === "duplicate") elements.duplicate();
  if (what?.add) elements.add(what.add);
  const said = { saving: "Saving…", saved: "Saved", unsaved: `Not saved: ${project.failure}`, conflict: CONFLICT }[
    what
  ];
  if (said) at("saved").textContent = said;
  if (said || what === "body") at("saved").classList.toggle("bad", what === "unsaved" || Boolean(project.conflict));
  if (what === "body" && project.dirty && !project.conflict) at("saved").textContent = "Not saved yet";
  if (what === "saved") {
    spoken();
    scenes.draw();
    // Not under the hands of somebody who is typing there.
    const typing = document.activeElement?.matches("#panel input, #panel textarea, #panel select");
    if (panels.tab === "scene" && !typing) panels.draw();
    // What is told of a presenter's voice hangs on what stands below the picture.
    if (panels.tab === "clip" && !document.activeElement?.closest("#panel")) panels.draw();
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

/** The frame that is shown becomes its scene's small picture. */
async function freeze() {
  const { frame, shown } = canvas;
  // One that is still loading, because another was asked for meanwhile, tells by itself when it is there.
  if (!shown?.look || frame.hidden || !frame.complete || !frame.naturalWidth) return;
  const small = new OffscreenCanvas(240, Math.round((240 * frame.naturalHeight) / frame.naturalWidth));
  small.getContext("2d").drawImage(frame, 0, 0, small.width, small.height);
  pictures.keep(shown.look, URL.createObjectURL(await small.convertToBlob({ type: "image/jpeg", quality: 0.85 })));
  scenes.draw();
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
  project.take(found);
}

at("undo").addEventListener("click", () => project.undo());
at("redo").addEventListener("click", () => project.redo());
addEventListener("keydown", (event) => {
  const typing = event.target.matches("input:not([type=range]), textarea, select, [contenteditable]");
  if (!(event.ctrlKey || event.metaKey)) return;
  const key = event.key.toLowerCase();
  if (key === "s") {
    event.preventDefault();
    kept();
  }
  if (typing && event.target.id !== "script") return;
  if (key === "z" || key === "y") {
    event.preventDefault();
    if (key === "y" || event.shiftKey) project.redo();
    else project.undo();
  }
});
addEventListener("beforeunload", (event) => {
  if (!project.dirty && !project.saving && !recording.unfinished) return;
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
  project.take(found);
  toast(`Back at version ${revision}`);
}

/** What stands in the way, with a way to each. */
function stops(problems) {
  showStops(problems, (problem, close) => {
    const go = () => {
      close();
      visit(problem);
    };
    return make("button", { type: "button", onclick: go });
  });
}

at("export-open").addEventListener("click", async () => {
  if (!(await kept())) return;
  if (project.judged.problems.length) stops(project.judged.problems);
  else at("export").showModal();
});
at("export-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const wanted = Object.fromEntries(new FormData(event.target));
  const button = event.target.querySelector("button:not([type])");
  button.disabled = true;
  try {
    await send("POST", `/app/projects/${id}/export`, wanted);
    location.assign(`/projects/${id}`);
  } catch (error) {
    at("export").close();
    if (error.details.length) stops(error.details);
    else toast(error.message, { bad: true });
  }
  button.disabled = false;
});

const opened = placeOfAnchor(location.hash);
project.choose(opened.scene, project.scenes[opened.scene]?.clips?.[opened.clip] ? opened.clip : null);
panels.show(project.clip === null ? "scene" : "clip");
at("saved").textContent = "Saved";
at("editor").setAttribute("aria-busy", "false");
