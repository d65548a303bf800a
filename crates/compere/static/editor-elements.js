// Elements come, are copied and go. New ones stand where there is room, and have the focus.
import { attempt, toast } from "./app.js";
import { cutOut, freshId, keepingScript, takeOut } from "./editor-model.js";
import { isLocked, pick, seen } from "./editor-canvas.js";
import { sendFile, upload } from "./editor-pickers.js";

const KIND = "application/x-compere-elements";
const STEP = 40;
const copyOf = (value) => JSON.parse(JSON.stringify(value));

const overlap = (a, b) =>
  Math.max(0, Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top));

/** The place for something so large where it hides least, as far up and to the left as there is one. */
export function freeSpot(project, width, height) {
  const [wide, high] = project.canvas;
  const taken = project.clips.filter(seen).map((clip) => {
    const { left, top, width, height, sx, sy } = pick(clip);
    return { left, top, width: width * sx, height: height * sy };
  });
  const margin = Math.round(wide * 0.05);
  let best = { hidden: Infinity };
  for (let top = margin; top + height <= Math.max(high - margin, margin + height); top += STEP) {
    for (let left = margin; left + width <= Math.max(wide - margin, margin + width); left += STEP) {
      const place = { left, top, width, height };
      const hidden = taken.reduce((sum, other) => sum + overlap(place, other), 0);
      if (hidden < best.hidden) best = { left, top, hidden };
    }
  }
  return { left: best.left, top: best.top };
}

export class Elements {
  constructor(project, canvas, panels) {
    this.project = project;
    this.canvas = canvas;
    this.panels = panels;
    document.addEventListener("copy", (event) => this.copied(event));
    document.addEventListener("cut", (event) => this.copied(event, cutOut) && this.remove());
    document.addEventListener("paste", (event) => this.pasted(event));
    canvas.room.addEventListener("dragover", (event) => {
      if (event.dataTransfer.types.includes("Files")) event.preventDefault();
    });
    canvas.room.addEventListener("drop", (event) => {
      if (!event.dataTransfer.files.length) return;
      event.preventDefault();
      this.file(event.dataTransfer.files[0]);
    });
  }

  /** Puts elements on top of all others, chosen and with the focus. */
  put(clips, note) {
    const { project } = this;
    let layer = Math.max(0, ...project.clips.map((one) => Number(one.layer) || 0));
    const first = project.clips.length;
    project.change(note, () => {
      for (const clip of clips) {
        const id = freshId(project.current, clip.id ?? "element");
        // Whoever is put in may look like the one that the scene's script names, and does not say it for that.
        keepingScript(project.current, () => project.clips.push({ ...clip, id, layer: (layer += 1) }));
      }
    });
    const picked = clips.map((_, n) => first + n);
    project.choose(project.scene, picked.at(-1), picked);
    this.panels.show("clip");
    this.canvas.boxes.querySelector(`[data-clip="${picked.at(-1)}"]`)?.focus({ preventScroll: true });
  }

  async add(kind) {
    const [wide] = this.project.canvas;
    if (kind === "text") this.text("New text");
    if (kind === "shape") {
      const size = { width: 360, height: 240 };
      const look = { shapeName: "Rectangle_corner0", fill: "rgb(13,148,136)", strokeRadius: 24 };
      this.put(
        [{ id: "shape", type: "shape", ...freeSpot(this.project, 360, 240), ...size, ...look }],
        "added an element",
      );
    }
    if (kind !== "file") return;
    const file = await upload("image/*,video/*,audio/*");
    if (file) this.media(file, Math.round(wide * 0.4));
  }

  text(text) {
    const [wide] = this.project.canvas;
    const size = { width: Math.round(wide * 0.45), height: 120 };
    const look = { fontSize: 54, fontFamily: "Noto Sans", fontWeight: 700 };
    const place = freeSpot(this.project, size.width, size.height);
    const fill = this.canvas.isDark({ ...place, ...size }) ? "rgb(255,255,255)" : "rgb(16,24,40)";
    this.put([{ id: "text", type: "textImage", ...place, ...size, text, fill, ...look }], "added an element");
  }

  /** Something that was uploaded, so wide. */
  media(file, width) {
    const [main] = file.type.split("/");
    const height = Math.round(width * (file.height && file.width ? file.height / file.width : 9 / 16));
    const place = { ...freeSpot(this.project, width, height), width, height };
    const link = { source_url: file.url };
    const clip = {
      image: { id: "picture", type: "image", ...place, ...link },
      video: { id: "video", type: "videoImage", ...place, ...link, video_url: file.url, volume: 100 },
      audio: { id: "sound", type: "audio", left: 0, top: 0, width: 100, height: 100, ...link, volume: 60 },
    }[main];
    if (clip) this.put([clip], "added an element");
    else toast("This is neither a picture nor a video nor a sound.", { bad: true });
  }

  async file(file) {
    const sent = await attempt(() => sendFile(file));
    if (sent) this.media(sent, Math.round(this.project.canvas[0] / 3));
  }

  remove() {
    const { project } = this;
    // What is locked is not lost by a key either.
    const gone = project.chosen.filter((clip) => !isLocked(clip));
    if (!gone.length) {
      if (project.picked.length) toast("This is locked: unlock it first.", { bad: true });
      return;
    }
    const { speaker } = project;
    project.change("removed an element", () => {
      takeOut(project.current, gone);
      [project.clip, project.picked] = [null, []];
      project.stayWith(speaker);
    });
    project.choose(project.scene);
    this.canvas.room.focus?.({ preventScroll: true });
    toast("Removed. Undo brings it back.");
  }

  duplicate() {
    if (this.project.chosen.length) this.place(this.project.chosen, "duplicated an element");
  }

  /** Copies beside what they are copies of; groups stay groups of their own. */
  place(clips, note) {
    const fresh = new Map();
    const group = (name) => fresh.get(name) ?? fresh.set(name, `${name}-${Date.now().toString(36)}`).get(name);
    const beside = (clip) => ({
      ...copyOf(clip),
      ...(clip.group ? { group: group(clip.group) } : {}),
      left: (Number(clip.left) || 0) + STEP,
      top: (Number(clip.top) || 0) + STEP,
    });
    this.put(clips.map(beside), note);
  }

  /** Whether keys speak to the elements rather than to a text that is being written. */
  listens(event) {
    const typing = event.target.closest?.("input:not([type=range]), textarea, select, [contenteditable], dialog");
    return !typing && !this.canvas.writing && getSelection().isCollapsed;
  }

  /** `taken` says how an element is taken along. */
  copied(event, taken = (_, clip) => clip) {
    const { chosen, current } = this.project;
    if (!chosen.length || !this.listens(event)) return false;
    event.preventDefault();
    event.clipboardData.setData(KIND, JSON.stringify(chosen.map((clip) => taken(current, clip, chosen))));
    event.clipboardData.setData(
      "text/plain",
      chosen
        .map((clip) => clip.text ?? "")
        .filter(Boolean)
        .join("\n"),
    );
    return true;
  }

  pasted(event) {
    if (!this.listens(event)) return;
    const data = event.clipboardData;
    const [file] = data.files;
    const text = data.getData("text/plain").trim();
    event.preventDefault();
    if (data.types.includes(KIND)) return this.place(JSON.parse(data.getData(KIND)), "pasted");
    if (file) return this.file(file);
    if (text) this.text(text.slice(0, 2000));
  }
}
