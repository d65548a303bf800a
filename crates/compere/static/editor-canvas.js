// The true frame, and boxes over it to take hold of.
import { make } from "./app.js";

const NAMES = {
  aiModel: "Presenter",
  shape: "Shape",
  image: "Picture",
  textImage: "Text",
  videoImage: "Video",
  audio: "Sound",
};
const HANDLES = ["nw", "n", "ne", "e", "se", "s", "sw", "w"];
const SMALLEST = 8;
/** Boxes that are smaller on the screen keep one handle, outside, so that they can still be taken hold of. */
const SLIGHT = 44;

/** `Rectangle_corner0` as people call it. */
export const shapeTitle = (name) =>
  String(name ?? "")
    .replace(/_corner0|_v2$/, "")
    .replaceAll("_", " ");

export const nameOf = (clip) => {
  const kind = NAMES[clip.type] ?? clip.type ?? "Element";
  const text =
    clip.type === "textImage"
      ? clip.text
      : clip.tag || clip.name || clip.label || (clip.type === "shape" ? shapeTitle(clip.shapeName) : "");
  return text ? `${kind}: ${String(text).replaceAll(/\s+/g, " ").slice(0, 40)}` : kind;
};

const number = (value, otherwise) => (Number.isFinite(Number(value)) ? Number(value) : otherwise);
const seen = (clip) => clip.type !== "audio" && !clip.isDelete && !clip.voiceOnly;

export class Canvas {
  constructor(project) {
    this.project = project;
    this.room = document.getElementById("canvas");
    this.boxes = document.getElementById("boxes");
    this.frame = document.getElementById("frame");
    this.spin = document.getElementById("drawing");
    this.at = 2.5;
    const beside = (event) => event.target === this.room || event.target === this.boxes;
    this.room.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "touch" && beside(event)) project.choose(project.scene);
    });
    this.room.addEventListener("click", (event) => {
      if (event.pointerType === "touch" && beside(event)) project.choose(project.scene);
    });
    this.boxes.addEventListener("pointerdown", (event) => this.grab(event));
    new ResizeObserver(() => this.settle()).observe(this.room);
    this.boxes.addEventListener("keydown", (event) => this.key(event));
    this.boxes.addEventListener("focusin", (event) => {
      const at = Number(event.target.dataset.clip);
      if (event.target.matches(".box") && project.clip !== at) project.choose(project.scene, at);
    });
  }

  draw() {
    const { project } = this;
    // A box that is held would be let go of if another took its place.
    if (this.dragging) return;
    const focus = document.activeElement?.closest?.(".box")?.dataset.clip;
    const order = project.clips
      .map((clip, at) => [number(clip.layer, 0), at])
      .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    this.boxes.replaceChildren(...order.filter(([, at]) => seen(project.clips[at])).map(([, at]) => this.box(at)));
    if (focus !== undefined) this.boxes.querySelector(`[data-clip="${focus}"]`)?.focus({ preventScroll: true });
    this.settle();
  }

  /** What is chosen shows as many handles as there is room for. */
  settle() {
    const box = this.boxes.querySelector(".chosen");
    box?.classList.toggle("slight", Math.min(box.offsetWidth, box.offsetHeight) < SLIGHT);
  }

  box(at) {
    const clip = this.project.clips[at];
    const chosen = this.project.clip === at;
    const box = make("button", {
      class: chosen ? "box chosen" : "box",
      type: "button",
      "aria-pressed": String(chosen),
      "aria-label": nameOf(clip),
      "data-clip": String(at),
      title: nameOf(clip),
    });
    if (chosen) for (const side of HANDLES) box.append(make("i", { class: `handle ${side}`, "data-side": side }));
    this.place(box, clip);
    return box;
  }

  place(box, clip) {
    const [wide, high] = this.project.canvas;
    const percent = (value, whole) => `${(value / whole) * 100}%`;
    box.style.left = percent(number(clip.left, 0), wide);
    box.style.top = percent(number(clip.top, 0), high);
    box.style.width = percent(Math.max(4, number(clip.width, 100) * number(clip.scaleX, 1)), wide);
    box.style.height = percent(Math.max(4, number(clip.height, 100) * number(clip.scaleY, 1)), high);
    box.style.transform = clip.angle ? `rotate(${number(clip.angle, 0)}deg)` : "";
  }

  grab(event) {
    const box = event.target.closest(".box");
    if (!box || event.button !== 0) return;
    const { project } = this;
    const at = Number(box.dataset.clip),
      side = event.target.dataset.side;
    const clip = project.clips[at];
    // A finger may be on its way past; a tap chooses, by the focus that follows it.
    if (event.pointerType === "touch" && project.clip !== at) return;
    if (!side && project.clip !== at) {
      event.preventDefault();
      project.choose(project.scene, at);
    }
    const held = this.boxes.querySelector(`[data-clip="${at}"]`);
    held.focus({ preventScroll: true });
    const from = { x: event.clientX, y: event.clientY, ...pick(clip) };
    const unit = project.canvas[0] / this.room.clientWidth;
    let moved = false;
    const move = (to) => {
      const dx = (to.clientX - from.x) * unit,
        dy = (to.clientY - from.y) * unit;
      if (!moved && Math.hypot(dx, dy) < 3 * unit) return;
      moved = true;
      const next = side ? resized(from, side, dx, dy, to.shiftKey) : { left: from.left + dx, top: from.top + dy };
      if (!side) snap(next, from, project.canvas, unit);
      for (const key of Object.keys(next)) next[key] = Math.round(next[key]);
      project.change(
        side ? "resized an element" : "moved an element",
        () => Object.assign(clip, next),
        `drag ${project.scene} ${at} ${from.x}`,
      );
      this.place(this.boxes.querySelector(`[data-clip="${at}"]`), clip);
      this.settle();
    };
    const end = () => {
      held.removeEventListener("pointermove", move);
      held.removeEventListener("pointerup", end);
      held.removeEventListener("pointercancel", end);
      this.dragging = false;
      this.draw();
      this.wish();
      if (moved) project.tell("placed");
    };
    this.dragging = true;
    held.setPointerCapture(event.pointerId);
    held.addEventListener("pointermove", move);
    held.addEventListener("pointerup", end);
    held.addEventListener("pointercancel", end);
  }

  key(event) {
    const { project } = this;
    const clip = project.selected;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!clip) return;
    if (step) {
      const far = event.shiftKey ? 10 : 1;
      const [x, y] = step.map((part) => part * far);
      project.change(
        event.altKey ? "resized an element" : "moved an element",
        () => {
          const now = pick(clip);
          if (event.altKey)
            Object.assign(clip, {
              width: Math.max(SMALLEST, now.width + x),
              height: Math.max(SMALLEST, now.height + y),
            });
          else Object.assign(clip, { left: now.left + x, top: now.top + y });
        },
        `key ${project.scene} ${project.clip}`,
      );
      project.tell("placed");
      event.preventDefault();
    }
    if (event.key === "Escape") project.choose(project.scene);
    if (event.key === "Delete" || event.key === "Backspace") {
      project.tell("remove");
      event.preventDefault();
    }
  }

  /** Asks for the frame of what is there now; the last wish wins. */
  wish(soon = 220) {
    clearTimeout(this.timer);
    if (this.dragging) return;
    this.timer = setTimeout(() => this.fetch(), soon);
  }

  async fetch() {
    const { project } = this;
    this.asked?.abort();
    const asked = (this.asked = new AbortController());
    const slow = setTimeout(() => (this.spin.hidden = false), 250);
    const { orientation, dictionary, onAssetError } = project.body;
    const body = {
      project: { orientation, dictionary, onAssetError, scenes: [project.current] },
      at: this.at,
      width: 960,
    };
    try {
      const answer = await fetch("/app/still", {
        method: "POST",
        signal: asked.signal,
        body: JSON.stringify(body),
        headers: {
          "content-type": "application/json",
          accept: "image/jpeg",
          "x-csrf-token": document.querySelector('meta[name="csrf"]').content,
        },
      });
      if (!answer.ok) throw new Error((await answer.json()).error);
      const url = URL.createObjectURL(await answer.blob());
      this.frame.onload = () => URL.revokeObjectURL(url);
      this.frame.src = url;
      this.frame.alt = `Scene ${project.scene + 1} at ${this.at} seconds`;
      this.frame.hidden = false;
      this.trouble = null;
    } catch (error) {
      if (error.name === "AbortError") return;
      this.trouble = error.message;
    } finally {
      clearTimeout(slow);
      if (this.asked === asked) this.spin.hidden = true;
    }
    project.tell("drawn");
  }
}

/** Position and size on the canvas, scales included. */
const pick = (clip) => ({
  left: number(clip.left, 0),
  top: number(clip.top, 0),
  width: number(clip.width, 100),
  height: number(clip.height, 100),
  sx: number(clip.scaleX, 1),
  sy: number(clip.scaleY, 1),
});

function resized(from, side, dx, dy, keep) {
  let { left, top, width, height } = from;
  const w = width * from.sx,
    h = height * from.sy;
  let nextW = w + (side.includes("e") ? dx : side.includes("w") ? -dx : 0);
  let nextH = h + (side.includes("s") ? dy : side.includes("n") ? -dy : 0);
  if (keep && side.length === 2) nextH = (nextW / w) * h;
  nextW = Math.max(SMALLEST, nextW);
  nextH = Math.max(SMALLEST, nextH);
  if (side.includes("w")) left += w - nextW;
  if (side.includes("n")) top += h - nextH;
  return { left, top, width: nextW / from.sx, height: nextH / from.sy };
}

/** Edges and the middle of the canvas hold on to what comes near. */
function snap(next, from, [wide, high], unit) {
  const near = 7 * unit;
  const hold = (key, size, whole) => {
    for (const target of [0, (whole - size) / 2, whole - size])
      if (Math.abs(next[key] - target) < near) next[key] = target;
  };
  hold("left", from.width * from.sx, wide);
  hold("top", from.height * from.sy, high);
}
