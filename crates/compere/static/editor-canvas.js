// The true frame, and boxes over it to take hold of.
import { make } from "./app.js";
import { alone, drawn, lookOf } from "./editor-pictures.js";
import { Ghost } from "./editor-ghost.js";
import { Making } from "./editor-making.js";

const HANDLES = ["nw", "n", "ne", "e", "se", "s", "sw", "w"];
const SMALLEST = 8;
/** Boxes that are smaller on the screen keep one handle, outside, so that they can still be taken hold of. */
const SLIGHT = 44;
/** Milliseconds after the last change until its frame is asked for: longer than between two letters of a fast hand. */
const SOON = 100;
/** Pixels across of a frame, and of one that is looked at closely: sizes that films are drawn in, so none is made smaller. */
const WIDTHS = { wide: [854, 1920], upright: [480, 1080] };

/** As the drawing library of other editors writes it. */
export const isLocked = (clip) => Boolean(clip.lockMovementX && clip.lockMovementY);

const number = (value, otherwise) => (Number.isFinite(Number(value)) ? Number(value) : otherwise);
export const seen = (clip) => clip.type !== "audio" && !clip.isDelete && !clip.voiceOnly;

export class Canvas {
  constructor(project, names) {
    this.project = project;
    this.names = names;
    this.room = document.getElementById("canvas");
    this.boxes = document.getElementById("boxes");
    this.frame = document.getElementById("frame");
    this.ghost = new Ghost(project, this.frame);
    this.making = new Making();
    this.guides = new Guides(project);
    this.at = 2.5;
    this.close = false;
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
      if (event.target.matches(".box") && !project.picked.includes(at)) project.choose(project.scene, at);
    });
  }

  draw() {
    const { project } = this;
    // A box that is held would be let go of if another took its place.
    this.stale = this.dragging;
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
    const chosen = this.project.picked.includes(at);
    const alone = chosen && this.project.picked.length === 1;
    const locked = isLocked(clip);
    const name = this.names.of(clip);
    const box = make("button", {
      class: ["box", chosen ? "chosen" : "", chosen && !alone ? "one-of-many" : "", locked ? "locked" : ""]
        .filter(Boolean)
        .join(" "),
      type: "button",
      "aria-pressed": String(chosen),
      "aria-label": locked ? `${name}, locked` : name,
      "data-clip": String(at),
      title: name,
    });
    if (alone && !locked)
      for (const side of HANDLES) box.append(make("i", { class: `handle ${side}`, "data-side": side }));
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
    if (!box || event.button !== 0 || this.writing) return;
    const { project } = this;
    const at = Number(box.dataset.clip);
    const side = event.target.dataset.side;
    // A finger may be on its way past; a tap chooses, by the focus that follows it.
    if (event.pointerType === "touch" && !project.picked.includes(at)) return;
    if (!side && event.shiftKey) {
      event.preventDefault();
      return project.pick(at);
    }
    if (!side && !project.picked.includes(at)) {
      event.preventDefault();
      project.choose(project.scene, at);
    }
    const find = () => this.boxes.querySelector(`[data-clip="${at}"]`);
    find().focus({ preventScroll: true });
    // Whatever lost the focus may have changed something, and the boxes with it.
    const held = find();
    const moving = project.picked.filter((n) => !isLocked(project.clips[n]));
    if (moving.length) this.drag(event, held, moving, side);
  }

  /** Follows the hand until it lets go. */
  drag(event, held, moving, side) {
    const { project } = this;
    const clips = moving.map((n) => project.clips[n]);
    const before = clips.map(pick);
    const from = { x: event.clientX, y: event.clientY };
    const whole = around(before);
    const single = before.length === 1;
    const unit = project.canvas[0] / this.room.clientWidth;
    const others = project.clips
      .filter((clip, n) => seen(clip) && !moving.includes(n))
      .map((clip) => extent(pick(clip)));
    const fresh = this.isFresh;
    let moved = false;
    let lifted = false;
    const move = (to) => {
      const [dx, dy] = [(to.clientX - from.x) * unit, (to.clientY - from.y) * unit];
      if (!moved && Math.hypot(dx, dy) < 3 * unit) return;
      // A hand may be quicker than the frame without what it holds, which then comes on the way.
      if (!lifted) lifted = this.ghost.lift(moving, this.at, project.canvas, seat(before), fresh);
      moved = true;
      let lines = [];
      let next;
      if (side) next = [resized(before[0], side, dx, dy, to.shiftKey)];
      else {
        const place = { ...whole, left: whole.left + dx, top: whole.top + dy };
        if (!to.altKey) lines = snap(place, others, project.canvas, 7 * unit);
        const [byX, byY] = [place.left - whole.left, place.top - whole.top];
        next = before.map((one) => ({ left: one.left + byX, top: one.top + byY }));
      }
      for (const one of next) for (const key of Object.keys(one)) one[key] = Math.round(one[key]);
      const note = side ? "resized an element" : "moved an element";
      const work = () => clips.forEach((clip, n) => Object.assign(clip, next[n]));
      project.change(note, work, `drag ${project.scene} ${moving} ${from.x}`);
      for (const n of moving) this.place(this.boxes.querySelector(`[data-clip="${n}"]`), project.clips[n]);
      const now = around(clips.map(pick));
      if (lifted) this.ghost.move(single ? upright(pick(clips[0])) : now);
      this.guides.draw(lines, single ? upright(pick(clips[0])) : now);
      this.settle();
    };
    const end = () => {
      held.removeEventListener("pointermove", move);
      held.removeEventListener("pointerup", end);
      held.removeEventListener("pointercancel", end);
      this.dragging = false;
      this.guides.clear();
      // A click on a box that was made anew meanwhile would be none.
      if (moved || this.stale) this.draw();
      // A frame that was wished meanwhile is still to come.
      if (moved || this.wished) this.wish(0);
      if (!moved) return;
      project.tell("placed");
    };
    this.dragging = true;
    held.setPointerCapture(event.pointerId);
    held.addEventListener("pointermove", move);
    held.addEventListener("pointerup", end);
    held.addEventListener("pointercancel", end);
  }

  key(event) {
    const { project } = this;
    if (!project.selected || this.writing) return;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step) {
      const [x, y] = step.map((part) => part * (event.shiftKey ? 10 : 1));
      this.nudge(x, y, event.altKey);
      event.preventDefault();
    }
    if (event.key === "Escape") project.choose(project.scene);
    if (event.key === "Delete" || event.key === "Backspace") {
      project.tell("remove");
      event.preventDefault();
    }
  }

  nudge(x, y, sizes) {
    const { project } = this;
    const clips = project.chosen.filter((clip) => !isLocked(clip));
    const work = (clip) => {
      const now = pick(clip);
      const larger = { width: Math.max(SMALLEST, now.width + x), height: Math.max(SMALLEST, now.height + y) };
      Object.assign(clip, sizes ? larger : { left: now.left + x, top: now.top + y });
    };
    project.change(
      sizes ? "resized an element" : "moved an element",
      () => clips.forEach(work),
      `key ${project.scene} ${project.picked}`,
    );
    project.tell("placed");
  }

  /** Whether a part of the picture is dark, so that letters on it have to be light. */
  isDark({ left, top, width, height }) {
    if (this.frame.hidden || !this.frame.naturalWidth) return false;
    const scale = this.frame.naturalWidth / this.project.canvas[0];
    const paint = new OffscreenCanvas(1, 1).getContext("2d");
    paint.drawImage(this.frame, left * scale, top * scale, width * scale, height * scale, 0, 0, 1, 1);
    const [red, green, blue] = paint.getImageData(0, 0, 1, 1).data;
    return red * 0.299 + green * 0.587 + blue * 0.114 < 128;
  }

  /** Somebody looks closely: frames have twice the pixels. */
  finer(on) {
    if (this.close === on) return;
    this.close = on;
    if (this.shown) this.wish(300);
  }

  get width() {
    return WIDTHS[this.project.upright ? "upright" : "wide"][this.close ? 1 : 0];
  }

  /** Asks for the frame of what is there now; the last wish wins. */
  wish(soon = SOON) {
    clearTimeout(this.timer);
    if (this.dragging || this.writing) return;
    this.wished = true;
    this.timer = setTimeout(() => this.fetch(), soon);
  }

  /** Whether what is seen is what is there. */
  get isFresh() {
    return this.shown?.look === lookOf(this.project.body, this.project.current) && this.shown.at === this.at;
  }

  /** Makes what is chosen ready to be moved with its pixels. */
  prepare() {
    const moving = this.project.picked.filter((n) => seen(this.project.clips[n]) && !isLocked(this.project.clips[n]));
    if (moving.length && this.isFresh && !this.busy) this.ghost.prepare(moving, this.at, this.width);
  }

  /** Whether somebody waits for a frame, or is about to. */
  get busy() {
    return Boolean(this.asked || this.wished || this.dragging);
  }

  /** What is there soon first; where somebody in it was only sketched, the same once more with all care. */
  async fetch(soon = true) {
    const { project } = this;
    clearTimeout(this.timer);
    this.asked?.abort();
    this.wished = false;
    const asked = (this.asked = new AbortController());
    project.tell("asking");
    const scene = project.current;
    const shown = { scene: scene.sceneIdx, look: lookOf(project.body, scene), at: this.at };
    const done = soon ? this.making.begin(scene) : () => {};
    let sketched = false;
    try {
      const wish = { project: alone(project.body, scene), at: this.at, width: this.width, soon };
      const frame = await drawn(wish, asked.signal);
      sketched = frame.sketched;
      await this.show(frame.url, shown);
      this.frame.alt = `Scene ${project.scene + 1} at ${this.at} seconds`;
      this.trouble = null;
      done(true);
    } catch (error) {
      done(false);
      if (error.name === "AbortError") return;
      this.trouble = error.message;
    }
    if (this.asked === asked) this.asked = null;
    project.tell("drawn");
    if (sketched && !this.busy && this.isFresh) this.fetch(false);
  }

  /** Shows a frame. The old one goes when the new one is there. */
  async show(url, shown) {
    const old = this.own;
    this.own = url;
    this.shown = shown;
    this.frame.src = url;
    this.frame.hidden = false;
    await this.frame.decode().catch(() => {});
    if (old) URL.revokeObjectURL(old);
    if (!this.dragging) this.ghost.drop();
  }

  /** Another scene is looked at: its small picture until its frame is there, never the picture of the one before. */
  turn(picture) {
    const { sceneIdx } = this.project.current;
    if (this.shown?.scene === sceneIdx) return;
    this.shown = { scene: sceneIdx, look: null };
    this.ghost.drop();
    this.frame.hidden = !picture;
    if (picture) this.frame.src = picture;
  }
}

/** Position, size and angle on the canvas, scales included. */
export const pick = (clip) => ({
  angle: number(clip.angle, 0),
  left: number(clip.left, 0),
  top: number(clip.top, 0),
  width: number(clip.width, 100),
  height: number(clip.height, 100),
  sx: number(clip.scaleX, 1),
  sy: number(clip.scaleY, 1),
});

/** Where elements are when they are taken hold of: upright with its angle if it is one, and what is seen of them. */
export const seat = (picks) => ({
  ...(picks.length === 1 ? { ...upright(picks[0]), angle: picks[0].angle } : { ...around(picks), angle: 0 }),
  reach: around(picks),
});

/** Along the sides of the element, whichever way they point. */
function resized(from, side, x, y, keep) {
  const { left, top, width, height } = from;
  const [dx, dy] = turned([x, y], -from.angle);
  const w = width * from.sx,
    h = height * from.sy;
  let nextW = w + (side.includes("e") ? dx : side.includes("w") ? -dx : 0);
  let nextH = h + (side.includes("s") ? dy : side.includes("n") ? -dy : 0);
  if (keep && side.length === 2) nextH = (nextW / w) * h;
  nextW = Math.max(SMALLEST, nextW);
  nextH = Math.max(SMALLEST, nextH);
  const [byX, byY] = turned([side.includes("w") ? w - nextW : 0, side.includes("n") ? h - nextH : 0], from.angle);
  return { left: left + byX, top: top + byY, width: nextW / from.sx, height: nextH / from.sy };
}

/** Where something is and how large, scales included, as if it were upright. */
export const upright = ({ left, top, width, height, sx, sy }) => ({ left, top, width: width * sx, height: height * sy });

/** A way that was gone, turned by so many degrees. */
function turned([x, y], angle) {
  const [sin, cos] = [Math.sin((angle * Math.PI) / 180), Math.cos((angle * Math.PI) / 180)];
  return [x * cos - y * sin, x * sin + y * cos];
}

/** What is seen of it: elements turn about their left top corner. */
function extent(one) {
  const { left, top, width, height } = upright(one);
  const corners = [
    [0, 0],
    [width, 0],
    [0, height],
    [width, height],
  ].map((corner) => turned(corner, one.angle));
  const [xs, ys] = [corners.map(([x]) => left + x), corners.map(([, y]) => top + y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { left: x, top: y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** What is around several things, as they are seen. */
export function around(picks) {
  const all = picks.map(extent);
  const left = Math.min(...all.map((one) => one.left));
  const top = Math.min(...all.map((one) => one.top));
  const right = Math.max(...all.map((one) => one.left + one.width));
  const bottom = Math.max(...all.map((one) => one.top + one.height));
  return { left, top, width: right - left, height: bottom - top };
}

/**
 * Edges and middles, of the canvas and of what stands on it, hold on to what comes near. Moves `place`, and answers with
 * the lines that hold it.
 */
function snap(place, others, [wide, high], near) {
  const lines = [];
  const hold = (from, size, whole, line) => {
    const targets = [0, whole / 2, whole];
    for (const other of others) targets.push(other[from], other[from] + other[size] / 2, other[from] + other[size]);
    let best = null;
    for (const part of [0, 0.5, 1]) {
      for (const target of targets) {
        const apart = target - (place[from] + place[size] * part);
        if (Math.abs(apart) < near && (!best || Math.abs(apart) < Math.abs(best.apart))) best = { apart, target };
      }
    }
    if (!best) return;
    place[from] += best.apart;
    lines.push({ line, at: best.target });
  };
  hold("left", "width", wide, "upright");
  hold("top", "height", high, "level");
  return lines;
}

/** Lines that hold what is moved, and how large it is. */
class Guides {
  constructor(project) {
    this.project = project;
    this.place = document.getElementById("guides");
  }

  draw(lines, { left, top, width, height }) {
    const [wide, high] = this.project.canvas;
    const percent = (value, whole) => `${Math.min(100, Math.max(0, (value / whole) * 100))}%`;
    const marks = lines.map(({ line, at }) => {
      const mark = make("i", { class: `guide ${line}` });
      if (line === "upright") mark.style.left = percent(at, wide);
      else mark.style.top = percent(at, high);
      return mark;
    });
    const round = (value) => Math.round(value);
    const size = make(
      "span",
      { class: "measure number" },
      `${round(left)}, ${round(top)}  ${round(width)} × ${round(height)}`,
    );
    size.style.left = percent(left, wide);
    size.style.top = percent(top + height, high);
    this.place.replaceChildren(...marks, size);
  }

  clear() {
    this.place.replaceChildren();
  }
}
