// What stands between a project and its film, each with a way to the place where it can be put right.
import { make, icon } from "./app.js";

/** Where a path leads: `scenes[2].clips[0].width` is the third scene's first element. */
export function placeOf(path) {
  const [, scene, clip] = path.match(/^scenes\[(\d+)\](?:\.clips\[(\d+)\])?/) ?? [];
  const script = /^scenes\[\d+\]\.(scripts|clips\[\d+\]\.script)/.test(path);
  return { scene: scene === undefined ? null : Number(scene), clip: clip === undefined ? null : Number(clip), script };
}

/** The same as the editor's address has it. */
export function anchorOf({ scene, clip }) {
  if (scene === null) return "";
  return clip === null ? `#scene-${scene + 1}` : `#scene-${scene + 1}-element-${clip + 1}`;
}

export function placeOfAnchor(anchor) {
  const [, scene, clip] = anchor.match(/^#scene-(\d+)(?:-element-(\d+))?$/) ?? [];
  return { scene: scene ? Number(scene) - 1 : 0, clip: clip ? Number(clip) - 1 : null };
}

/** Shows them. `way` makes of a problem what is pressed: a button that goes there, or a link. */
export function showStops(problems, way) {
  const dialog = document.getElementById("stops");
  const line = (problem) => {
    const target = way(problem, () => dialog.close());
    target.classList.add("stop");
    target.append(
      icon("warn"),
      make("span", {}, make("b", {}, problem.place.replace(/: $/, "")), make("span", {}, problem.text)),
    );
    return make("li", {}, target);
  };
  document.getElementById("stops-list").replaceChildren(...problems.map(line));
  dialog.showModal();
}
