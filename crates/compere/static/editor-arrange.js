// Arranging what is chosen: edges, distances, what lies before what, locks and groups.
import { make, icon } from "./app.js";
import { around, isLocked, pick } from "./editor-canvas.js";
import { lock } from "./editor-layers.js";

const EDGES = [
  ["edge-left", "Align left edges", "left", 0],
  ["edge-centre", "Align centres", "left", 0.5],
  ["edge-right", "Align right edges", "left", 1],
  ["edge-top", "Align top edges", "top", 0],
  ["edge-middle", "Align middles", "top", 0.5],
  ["edge-bottom", "Align bottom edges", "top", 1],
];
const SPREADS = [
  ["spread-across", "Same distances across", "left"],
  ["spread-down", "Same distances down", "top"],
];

const sizeOf = { left: "width", top: "height" };
const extent = (clip) => around([pick(clip)]);

export class Arrange {
  constructor(project, elements) {
    this.project = project;
    this.elements = elements;
    this.bar = document.getElementById("canvas-tools");
    this.bar.addEventListener("keydown", (event) => this.walk(event));
    addEventListener("keydown", (event) => this.key(event));
  }

  /** What can be done with what is chosen. */
  draw() {
    const { chosen } = this.project;
    const told = JSON.stringify([this.project.picked, chosen.map((clip) => [isLocked(clip), clip.group])]);
    if (this.bar.dataset.told === told) return;
    this.bar.dataset.told = told;
    const focused = this.bar.contains(document.activeElement)
      ? document.activeElement.getAttribute("aria-label")
      : null;
    this.bar.replaceChildren(...(chosen.length ? this.tools(chosen) : []));
    const buttons = [...this.bar.querySelectorAll("button")];
    buttons.forEach((button, n) => (button.tabIndex = n ? -1 : 0));
    if (focused) (buttons.find((button) => button.getAttribute("aria-label") === focused) ?? buttons[0])?.focus();
  }

  tools(chosen) {
    const locked = chosen.every(isLocked);
    const grouped = chosen.length > 1 && chosen.every((clip) => clip.group && clip.group === chosen[0].group);
    const tool = (name, label, work, more = {}) =>
      make(
        "button",
        {
          type: "button",
          class: "button bare small square",
          "aria-label": label,
          title: label,
          onclick: work,
          ...more,
        },
        icon(name),
      );
    const many = chosen.length > 1 ? make("span", { class: "muted number" }, `${chosen.length} elements`) : null;
    const free = chosen.filter((clip) => !isLocked(clip));
    return [
      many,
      ...EDGES.map(([name, label, side, part]) =>
        tool(name, label, () => this.align(side, part), { disabled: locked }),
      ),
      ...SPREADS.map(([name, label, side]) =>
        tool(name, label, () => this.spread(side), { disabled: free.length < 3 }),
      ),
      tool("front", "Bring to the front", () => this.order(1)),
      tool("back", "Send to the back", () => this.order(-1)),
      chosen.length > 1
        ? tool("group", grouped ? "Ungroup" : "Group", () => this.group(!grouped), { "aria-pressed": String(grouped) })
        : null,
      tool(locked ? "lock" : "unlock", locked ? "Unlock" : "Lock", () => this.lock(!locked), {
        "aria-pressed": String(locked),
      }),
    ].filter(Boolean);
  }

  /** Arrow keys walk along the tools, as they do along any toolbar. */
  walk(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const buttons = [...this.bar.querySelectorAll("button:not(:disabled)")];
    const next = buttons.at((buttons.indexOf(document.activeElement) + step) % buttons.length);
    buttons.forEach((button) => (button.tabIndex = button === next ? 0 : -1));
    next?.focus();
    event.preventDefault();
  }

  change(note, work) {
    this.project.change(note, work);
    this.project.tell("placed");
  }

  /** One alone is aligned with the canvas, several with what is around all of them. */
  align(side, part) {
    const { project } = this;
    const clips = project.chosen.filter((clip) => !isLocked(clip));
    const [wide, high] = project.canvas;
    const frame =
      project.chosen.length > 1 ? around(project.chosen.map(pick)) : { left: 0, top: 0, width: wide, height: high };
    const size = sizeOf[side];
    this.change("aligned elements", () => {
      for (const clip of clips) {
        const now = extent(clip);
        clip[side] = Math.round(pick(clip)[side] + frame[side] + (frame[size] - now[size]) * part - now[side]);
      }
    });
  }

  /** The first and the last stay; the others stand between them at equal distances. */
  spread(side) {
    const size = sizeOf[side];
    const clips = this.project.chosen
      .filter((clip) => !isLocked(clip))
      .sort((a, b) => extent(a)[side] - extent(b)[side]);
    if (clips.length < 3) return;
    const whole = around(clips.map(pick));
    const filled = clips.reduce((sum, clip) => sum + extent(clip)[size], 0);
    const gap = (whole[size] - filled) / (clips.length - 1);
    this.change("spread elements", () => {
      let at = whole[side];
      for (const clip of clips) {
        const now = extent(clip);
        clip[side] = Math.round(pick(clip)[side] + at - now[side]);
        at += now[size] + gap;
      }
    });
  }

  /** Before or behind all others, in the order they have among themselves. */
  order(to) {
    const { project } = this;
    const layers = project.clips.map((clip) => Number(clip.layer) || 0);
    const chosen = [...project.picked].sort((a, b) => layers[a] - layers[b]);
    const end = to > 0 ? Math.max(...layers) : Math.min(...layers) - chosen.length - 1;
    this.change(to > 0 ? "brought to the front" : "sent to the back", () => {
      chosen.forEach((n, step) => (project.clips[n].layer = end + step + 1));
    });
  }

  lock(on) {
    this.change(on ? "locked elements" : "unlocked elements", () => lock(this.project.chosen, on));
  }

  group(on) {
    const name = `group-${Date.now().toString(36)}`;
    this.change(on ? "grouped elements" : "ungrouped elements", () => {
      for (const clip of this.project.chosen) {
        if (on) clip.group = name;
        else delete clip.group;
      }
    });
  }

  key(event) {
    if (!(event.ctrlKey || event.metaKey) || !this.elements.listens(event)) return;
    const { project } = this;
    const work = {
      a: () => this.all(),
      d: () => this.elements.duplicate(),
      g: () => project.chosen.length > 1 && this.group(!event.shiftKey),
    }[event.key.toLowerCase()];
    if (!work) return;
    event.preventDefault();
    work();
  }

  all() {
    const { project } = this;
    const picked = [...project.clips.keys()].filter(
      (n) => project.clips[n].type !== "audio" && !project.clips[n].isDelete,
    );
    if (picked.length) project.choose(project.scene, picked.at(-1), picked);
  }
}
