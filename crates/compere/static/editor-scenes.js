// The list of scenes: choosing, moving, adding and removing them.
import { make, icon, ask } from "./app.js";
import { scriptOf, entryOf, freshIndex, ownVoice, presenterOf } from "./editor-model.js";

const copyOf = (value) => JSON.parse(JSON.stringify(value));

/** What a scene says, without marks. */
const titleOf = (scene) =>
  scriptOf(scene)
    .replaceAll(/<[^>]*>|\[(pause[^\]]*|[a-z-]+:[a-z-]+|smile|serious|surprise|nod|step)\]/gi, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, 60) || "Silent";

/** A scene to go on with: the same place and people, who say nothing yet and speak with their own voice. */
export function following(scene) {
  const next = copyOf(scene);
  const who = presenterOf(next);
  next.clips = who ? [who] : [];
  delete next.duration;
  delete next.name;
  next.thumbnailUrl = null;
  const entry = entryOf(next);
  entry.org = "";
  delete entry.audio;
  delete entry.recordedText;
  if (who || entry.modelId) ownVoice(next);
  return next;
}

export class Scenes {
  constructor(project, pictures) {
    this.project = project;
    this.pictures = pictures;
    this.list = document.getElementById("scenes");
    this.held = null;
    this.last = new Map();
    document.getElementById("scene-add").addEventListener("click", () => {
      this.add(following(project.current), "added a scene");
      document.getElementById("script").focus();
    });
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.draggable();
  }

  draw() {
    const { project, list } = this;
    const focused = Boolean(document.activeElement?.closest("#scenes"));
    const known = [...list.children];
    const lines = project.scenes.map((scene, n) => {
      const told = JSON.stringify([
        n,
        n === project.scene,
        project.scenes.length,
        this.words(n),
        this.pictures.of(scene),
      ]);
      if (known[n]?.dataset.told === told) return known[n];
      const line = this.line(scene, n);
      line.dataset.told = told;
      return line;
    });
    if (lines.length !== known.length) list.replaceChildren(...lines);
    else lines.forEach((line, n) => line !== known[n] && known[n].replaceWith(line));
    if (focused) list.querySelector(".chosen .scene-open")?.focus({ preventScroll: true });
    // Whoever looks through the list is not called back, except to a scene that has just been chosen.
    const chosen = `${project.scene} of ${project.scenes.length}`;
    if (list.dataset.chosen === chosen) return;
    list.dataset.chosen = chosen;
    list.querySelector(".chosen")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  words(n) {
    return [titleOf(this.project.scenes[n]), this.project.problems(n).length > 0];
  }

  line(scene, n) {
    const chosen = n === this.project.scene;
    const [name, flawed] = this.words(n);
    const attributes = { class: chosen ? "scene chosen" : "scene", draggable: true, "data-n": String(n) };
    const open = make(
      "button",
      {
        type: "button",
        class: "scene-open",
        "aria-current": chosen ? "true" : null,
        onclick: () => this.project.choose(n),
      },
      this.picture(scene, flawed),
      make("span", { class: "hide" }, "Scene "),
      make("b", { class: "number" }, String(n + 1)),
      make("small", {}, name),
      flawed ? make("span", { class: "hide" }, ", needs attention") : null,
    );
    return make("li", attributes, open, chosen ? this.tools(scene, n) : null);
  }

  /** Its own picture, while it is edited that of a moment ago, and none of another scene. */
  picture(scene, flawed) {
    const own = this.pictures.of(scene);
    if (own) this.last.set(scene.sceneIdx, own);
    const url = own ?? this.last.get(scene.sceneIdx);
    const place = make("span", { class: url ? "scene-picture" : "scene-picture waits" });
    if (url) place.append(make("img", { src: url, alt: "", width: "160", height: "90" }));
    if (!own) this.pictures.watch(place, scene);
    if (flawed) place.append(make("span", { class: "flaw" }, icon("warn")));
    return place;
  }

  tools(scene, n) {
    const last = this.project.scenes.length - 1;
    const tool = (label, name, work, more = {}) =>
      make(
        "button",
        {
          type: "button",
          "aria-label": `${label}`,
          onclick: work,
          ...more,
          class: `button quiet small square ${more.class ?? ""}`,
        },
        icon(name),
      );
    return make(
      "span",
      { class: "scene-tools" },
      tool(`Move scene ${n + 1} up`, "up", () => this.shift(n, n - 1), { disabled: n === 0, class: "turns" }),
      tool(`Move scene ${n + 1} down`, "down", () => this.shift(n, n + 1), { disabled: n === last, class: "turns" }),
      tool(`Duplicate scene ${n + 1}`, "copy", () => this.add(copyOf(scene), "duplicated a scene")),
      tool(`Remove scene ${n + 1}`, "trash", () => this.drop(n), { disabled: last === 0, class: "warnish" }),
    );
  }

  shift(from, to) {
    const { project } = this;
    if (to < 0 || to >= project.scenes.length || from === to) return;
    project.change("moved a scene", () => {
      const [scene] = project.scenes.splice(from, 1);
      project.scenes.splice(to, 0, scene);
      project.scene = to;
    });
    project.choose(to);
  }

  add(scene, note) {
    const { project } = this;
    scene.sceneIdx = freshIndex(project.scenes);
    const at = project.scene + 1;
    project.change(note, () => {
      project.scenes.splice(at, 0, scene);
      [project.scene, project.clip] = [at, null];
    });
    project.choose(at);
  }

  async drop(n) {
    const text = "You can undo this while the editor is open, and find it in the earlier versions later.";
    if (!(await ask(`Remove scene ${n + 1}?`, text, "Remove"))) return;
    const { project } = this;
    project.change("removed a scene", () => {
      project.scenes.splice(n, 1);
      [project.scene, project.clip] = [Math.min(n, project.scenes.length - 1), null];
    });
    project.choose(project.scene);
  }

  key(event) {
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (!by || !event.target.matches(".scene-open")) return;
    event.preventDefault();
    if (event.altKey) this.shift(this.project.scene, this.project.scene + by);
    else this.project.choose(this.project.scene + by);
  }

  draggable() {
    const { list } = this;
    const mark = (target) => {
      for (const line of list.children) line.classList.toggle("target", line === target);
    };
    list.addEventListener("dragstart", (event) => {
      this.held = Number(event.target.closest(".scene")?.dataset.n);
      event.dataTransfer.effectAllowed = "move";
    });
    list.addEventListener("dragover", (event) => {
      event.preventDefault();
      mark(event.target.closest(".scene"));
    });
    list.addEventListener("drop", (event) => {
      event.preventDefault();
      const to = Number(event.target.closest(".scene")?.dataset.n);
      if (this.held !== null && Number.isInteger(to)) this.shift(this.held, to);
      this.held = null;
    });
    list.addEventListener("dragend", () => mark(null));
  }
}
