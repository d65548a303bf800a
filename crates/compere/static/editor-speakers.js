// Who says what in a scene of several presenters: one of them is chosen, and the script below is theirs.
import { icon, make } from "./app.js";
import { recordingOf, roleOf, pathOf, speakersOf } from "./editor-model.js";

export class Speakers {
  /** `called` tells what elements are called. */
  constructor(project, called) {
    this.project = project;
    this.called = called;
    this.place = document.getElementById("speakers");
  }

  /** What they are called; nothing where there is nobody else. */
  names() {
    const all = speakersOf(this.project.current);
    return all.length < 2 ? [] : all.map((who) => this.called.of(who));
  }

  /** The name of whoever is chosen, where there are several. */
  get chosen() {
    const { current, speaker } = this.project;
    return this.names()[speakersOf(current).indexOf(speaker)] ?? null;
  }

  draw() {
    const { project, place } = this;
    const scene = project.current;
    const problems = project.problems(project.scene);
    const all = this.names().map((name, n) => {
      const who = speakersOf(scene)[n];
      const path = pathOf(scene, project.scene, who);
      return {
        name,
        role: roleOf(scene, who),
        chosen: who === project.speaker,
        recorded: recordingOf(scene, who) !== null,
        flawed: problems.some((problem) => problem.path === path || problem.path.startsWith(`${path}.`)),
      };
    });
    const told = JSON.stringify(all);
    if (this.told === told) return;
    this.told = told;
    const held = place.contains(document.activeElement) ? document.activeElement.dataset.role : null;
    place.hidden = !all.length;
    place.replaceChildren(...all.map((one) => this.button(one)));
    if (held !== null) place.querySelector(`[data-role="${CSS.escape(held)}"]`)?.focus();
  }

  button({ name, role, chosen, recorded, flawed }) {
    return make(
      "button",
      {
        type: "button",
        class: "button quiet small toggle",
        "aria-pressed": String(chosen),
        "aria-label": [name, recorded && "recorded", flawed && "needs attention"].filter(Boolean).join(", "),
        "data-role": role,
        onclick: () => this.project.turnTo(role),
      },
      flawed ? icon("warn") : recorded ? icon("mic") : null,
      make("span", {}, name),
    );
  }
}
