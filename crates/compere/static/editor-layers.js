// What lies before what, as a list: the frontmost comes first. Rows are dragged, or moved with Alt and the arrow keys.
import { make, icon } from "./app.js";
import { isLocked } from "./editor-canvas.js";

const SIGNS = {
  textImage: "text",
  image: "image",
  shape: "shape",
  videoImage: "film",
  audio: "sound",
  aiModel: "user",
};
const LOCKS = ["lockMovementX", "lockMovementY", "lockScalingX", "lockScalingY"];

/** Elements from the front to the back. */
const stacked = (project) =>
  [...project.clips.keys()].sort(
    (a, b) => (Number(project.clips[b].layer) || 0) - (Number(project.clips[a].layer) || 0) || b - a,
  );

/** One element takes another one's place in the stack; those between move up. */
function shift(project, from, to) {
  const order = stacked(project);
  const [moved] = order.splice(from, 1);
  order.splice(to, 0, moved);
  const layers = order.map((n) => Number(project.clips[n].layer) || 0).sort((a, b) => b - a);
  // Where several lie on one layer each gets its own.
  for (let n = layers.length - 2; n >= 0; n -= 1) layers[n] = Math.max(layers[n], layers[n + 1] + 1);
  project.change("changed the order", () => order.forEach((at, n) => (project.clips[at].layer = layers[n])));
}

export function lock(clips, on) {
  for (const clip of clips) {
    for (const key of LOCKS) {
      if (on) clip[key] = true;
      else delete clip[key];
    }
  }
}

export function layerList(panels) {
  const { project } = panels;
  const order = stacked(project);
  let held = null;
  const move = (from, to) => {
    if (to < 0 || to >= order.length || from === to) return;
    shift(project, from, to);
    panels.draw();
  };
  const row = (at, place) => {
    const clip = project.clips[at];
    const locked = isLocked(clip);
    const name = panels.names.of(clip);
    const choose = make(
      "button",
      {
        type: "button",
        "data-key": `clip-${at}`,
        "aria-pressed": String(project.picked.includes(at)),
        onclick: (event) => {
          if (event.shiftKey) return project.pick(at);
          project.choose(project.scene, at);
          panels.show("clip");
        },
        onkeydown: (event) => {
          const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
          if (!by) return;
          event.preventDefault();
          if (event.altKey) return move(place, place + by);
          list.querySelectorAll("[data-key]")[place + by]?.focus();
        },
      },
      icon(SIGNS[clip.type] ?? "info"),
      make("span", {}, name),
    );
    const toggle = make(
      "button",
      {
        type: "button",
        class: locked ? "layer-lock on" : "layer-lock",
        "aria-label": `${locked ? "Unlock" : "Lock"} ${name}`,
        "aria-pressed": String(locked),
        onclick: () => {
          project.change(locked ? "unlocked an element" : "locked an element", () => lock([clip], !locked));
          panels.draw();
        },
      },
      icon(locked ? "lock" : "unlock"),
    );
    return make(
      "li",
      {
        draggable: true,
        ondragstart: (event) => {
          held = place;
          event.dataTransfer.effectAllowed = "move";
        },
        ondragover: (event) => held !== null && event.preventDefault(),
        ondrop: (event) => {
          event.preventDefault();
          if (held !== null) move(held, place);
        },
      },
      choose,
      clip.type === "audio" ? null : toggle,
    );
  };
  const list = make("ul", { class: "layers" }, ...order.map(row));
  return list;
}
