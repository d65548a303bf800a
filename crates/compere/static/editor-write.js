// Texts are written where they stand: a double click, or Enter, opens a text on the picture.
import { make } from "./app.js";
import { pick, seat } from "./editor-canvas.js";

export class Write {
  constructor(project, canvas) {
    this.project = project;
    this.canvas = canvas;
    // The first click may have made the boxes anew: what is asked is what lies there now.
    canvas.room.addEventListener("dblclick", ({ clientX, clientY }) => {
      this.open(document.elementFromPoint(clientX, clientY)?.closest(".box"));
    });
    canvas.boxes.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !event.target.matches(".box")) return;
      if (this.open(event.target)) event.preventDefault();
    });
    new ResizeObserver(() => this.fit()).observe(canvas.room);
  }

  open(box) {
    const { project, canvas } = this;
    const at = Number(box?.dataset.clip);
    const clip = box ? project.clips[at] : null;
    if (clip?.type !== "textImage" || canvas.writing) return false;
    canvas.writing = true;
    this.clip = clip;
    this.area = make("textarea", { class: "writing", "aria-label": "Text", spellcheck: true, value: clip.text ?? "" });
    this.box = box;
    box.classList.add("written");
    // Without the element below, where that picture is there: two texts over each other cannot be read.
    if (canvas.ghost.lift([at], canvas.at, project.canvas, seat([pick(clip)]), canvas.isFresh)) canvas.ghost.clear();
    canvas.room.append(this.area);
    this.fit();
    this.area.focus();
    this.area.select();
    this.area.addEventListener("input", () => {
      project.change("changed a text", () => (clip.text = this.area.value), `write ${project.scene} ${at}`);
      // The panel shows the same text, and may be written in next.
      project.tell("placed");
    });
    this.area.addEventListener("blur", () => this.close());
    this.area.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape" || (event.key === "Enter" && (event.ctrlKey || event.metaKey))) {
        event.preventDefault();
        this.close();
        canvas.boxes.querySelector(`[data-clip="${at}"]`)?.focus();
      }
    });
    return true;
  }

  /** As the text will look, as far as a browser can say. */
  fit() {
    const { area, box, clip, canvas, project } = this;
    if (!area) return;
    const unit = canvas.room.clientWidth / project.canvas[0];
    const { style } = area;
    [style.left, style.top, style.width, style.transform] = [
      box.style.left,
      box.style.top,
      box.style.width,
      box.style.transform,
    ];
    style.minHeight = box.style.height;
    // Sizes of letters are points, places are pixels.
    style.fontSize = `${(((Number(clip.fontSize) || 30) * 4) / 3) * (Number(clip.scaleY) || 1) * unit}px`;
    style.fontFamily = `"${clip.fontFamily ?? "Noto Sans"}", "Noto Sans", sans-serif`;
    style.fontWeight = String(clip.fontWeight ?? 400);
    style.fontStyle = clip.fontStyle ?? "normal";
    style.lineHeight = String(clip.lineHeight ?? 1.16);
    style.textAlign = clip.align ?? clip.textAlign ?? "left";
    style.color = clip.fill ?? "#101828";
  }

  close() {
    const { area, canvas } = this;
    if (!area) return;
    this.area = null;
    canvas.writing = false;
    this.box.classList.remove("written");
    area.remove();
    canvas.draw();
    if (canvas.isFresh) canvas.ghost.drop();
    else canvas.wish(0);
  }
}
