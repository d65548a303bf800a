// The language that a script is written in, as it was understood, and a way out when the voice speaks another one.
import { make, icon } from "./app.js";
import { entryOf, ownVoice, presenterOf } from "./editor-model.js";

const primary = (tag) =>
  String(tag ?? "")
    .split(/[-_]/)[0]
    .toLowerCase();
const article = (name) => (/^[AEIOU]/.test(name) ? "an" : "a");

export class Tongue {
  constructor(project, panels) {
    this.project = project;
    this.panels = panels;
    this.place = document.getElementById("tongue");
    /** Clashes that somebody said are none. */
    this.meant = new Set();
  }

  /** What was understood of the scene's script. */
  of(scene) {
    return this.project.judged.tongues.find((tongue) => tongue.path.startsWith(`scenes[${scene}].`)) ?? null;
  }

  /** The voice cannot speak what is written, as far as that can be told, and nobody said that it shall. */
  clash(scene) {
    const tongue = this.of(scene);
    const entry = this.project.scenes[scene]?.scripts?.[0] ?? {};
    const said = this.meant.has(this.name(scene, tongue)) || (entry.isTTS && entry.tts?.language);
    return tongue?.clash && !said ? tongue : null;
  }

  name(scene, tongue) {
    return `${this.project.scenes[scene]?.sceneIdx} ${tongue?.written} ${tongue?.spoken}`;
  }

  draw() {
    const { scene } = this.project;
    const tongue = this.of(scene);
    const clash = this.clash(scene);
    const told = JSON.stringify([scene, tongue, Boolean(clash)]);
    if (this.place.dataset.told === told) return;
    this.place.dataset.told = told;
    if (clash) this.place.replaceChildren(this.warning(clash));
    else if (tongue?.writtenName)
      this.place.replaceChildren(make("small", { class: "muted" }, `Understood as ${tongue.writtenName}`));
    else this.place.replaceChildren();
  }

  warning(tongue) {
    const wanted = tongue.writtenName;
    return make(
      "div",
      { class: "note warn" },
      icon("warn"),
      make(
        "div",
        { class: "stack" },
        make("span", {}, `The script looks ${wanted}, and the voice speaks ${tongue.spokenName}.`),
        make(
          "span",
          { class: "row" },
          make(
            "button",
            { type: "button", class: "button small", id: "fix-tongue", onclick: () => this.fit(tongue) },
            `Use ${article(wanted)} ${wanted} voice`,
          ),
          make(
            "button",
            { type: "button", class: "button quiet small", onclick: () => this.mean(tongue) },
            `It is ${tongue.spokenName}`,
          ),
        ),
      ),
    );
  }

  /** The presenter's own voice where it speaks the language, else one that does. */
  fit(tongue) {
    const { project } = this;
    const scene = project.current;
    const entry = entryOf(scene);
    const { catalogue } = this.panels;
    const who = this.panels.presenterInfo(presenterOf(scene)?.model?.ai_name ?? entry.modelId);
    const speaks = (voice) => primary(voice.language) === primary(tongue.written);
    const others = catalogue.voices.filter(speaks);
    const other = others.find((voice) => voice.gender === who?.gender) ?? others[0];
    project.change("chose a voice", () => {
      if (who?.voices.some(speaks) || !other) return ownVoice(scene);
      entry.isTTS = true;
      entry.tts = { voice: other.id, speed: entry.tts?.speed ?? 1 };
    });
    this.panels.draw();
  }

  /** Taken at its word: the text is in the language that the voice speaks. */
  mean(tongue) {
    const { project } = this;
    const entry = entryOf(project.current);
    this.meant.add(this.name(project.scene, tongue));
    if (entry.isTTS && entry.tts) {
      project.change("said the language", () => (entry.tts.language = tongue.spoken));
    }
    this.draw();
    this.panels.draw();
  }
}
