// The language that a script is written in, as it was understood, and a way out when the voice speaks another one.
import { make, icon } from "./app.js";
import { entryOf, isLent, ownVoice, pathOf, saidBy } from "./editor-model.js";

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

  /** What was understood of what somebody says in a scene. */
  of(number, who) {
    const path = pathOf(this.project.scenes[number] ?? {}, number, who);
    return this.project.judged.tongues.find((tongue) => tongue.path === path) ?? null;
  }

  /** The voice cannot speak what is written, as far as that can be told, and nobody said that it shall. */
  clash(number, who) {
    const tongue = this.of(number, who);
    const entry = saidBy(this.project.scenes[number] ?? {}, who);
    const said = this.meant.has(this.name(number, tongue)) || (isLent(entry) && entry.tts?.language);
    return tongue?.clash && !said ? tongue : null;
  }

  name(scene, tongue) {
    return `${this.project.scenes[scene]?.sceneIdx} ${tongue?.written} ${tongue?.spoken}`;
  }

  draw() {
    const { scene, speaker } = this.project;
    const tongue = this.of(scene, speaker);
    const clash = this.clash(scene, speaker);
    const told = JSON.stringify([scene, tongue, Boolean(clash)]);
    if (this.place.dataset.told === told) return;
    this.place.dataset.told = told;
    if (clash) this.place.replaceChildren(this.warning(clash));
    else if (tongue?.spoken || tongue?.written) this.place.replaceChildren(this.understood(tongue));
    else this.place.replaceChildren();
  }

  /** What the script is taken for, and the other language that it may well be in. */
  understood(tongue) {
    const is = (one, other) => primary(one) === primary(other);
    const said = tongue.by === "author" && !this.speaksForItself();
    const plain = tongue.written && (!tongue.spoken || is(tongue.written, tongue.spoken));
    const words = said
      ? `Said to be ${tongue.spokenName}`
      : plain
        ? `Understood as ${tongue.writtenName}`
        : `Spoken in ${tongue.spokenName}`;
    const line = make("small", { class: "row muted" }, words);
    const button = (text, language) =>
      make(
        "button",
        { type: "button", class: "button quiet small", id: "say-tongue", onclick: () => this.say(language) },
        text,
      );
    let other;
    if (said) line.append(button("Let the script tell", null));
    else if (["text", "film", "presenter"].includes(tongue.by)) {
      other = [
        [tongue.written, tongue.writtenName],
        [tongue.expected, tongue.expectedName],
      ].find(([language]) => language && !is(language, tongue.spoken));
      if (other) line.append(button(`It is ${other[1]}`, other[0]));
    }
    if (!said && !this.speaksForItself()) line.append(this.others(tongue, other));
    return line;
  }

  /** Languages that the presenter speaks, and all that somebody speaks for it: what was understood, or was not, can be put right. */
  others(tongue, offered) {
    const who = this.panels.names.presenter(this.project.speaker?.model?.ai_name);
    const spoken = (who?.voices ?? []).map((voice) => primary(voice.language));
    const known = new Set([primary(tongue.spoken), primary(offered?.[0])]);
    const lent = this.panels.catalogue.voices.map((voice) => primary(voice.language));
    const names = new Intl.DisplayNames("en", { type: "language" });
    const options = (languages) =>
      [...new Set(languages)]
        .filter((language) => /^[a-z]{2,3}$/.test(language) && !known.has(language))
        .map((language) => [names.of(language), language])
        .sort()
        .map(([name, value]) => make("option", { value }, name));
    const [own, others] = [options(spoken), options(lent.filter((language) => !spoken.includes(language)))];
    if (!own.length && !others.length) return "";
    const choice = make(
      "select",
      { class: "small", "aria-label": "Another language", id: "other-tongue" },
      make("option", { value: "" }, "Another language…"),
      ...own,
      others.length > 0 && make("optgroup", { label: "In another voice" }, ...others),
    );
    choice.addEventListener("change", () => choice.value && this.say(choice.value));
    return choice;
  }

  /** A voice was named: it speaks what it speaks. */
  speaksForItself() {
    return isLent(saidBy(this.project.current, this.project.speaker));
  }

  /** Says which language the script is in, for whoever speaks it; null lets the script tell. */
  say(language) {
    const { project } = this;
    const tongue = this.of(project.scene, project.speaker);
    if (language) this.meant.add(this.name(project.scene, { ...tongue, spoken: language }));
    project.change("said the language", () => {
      const says = project.speaker?.model ?? entryOf(project.current);
      if (language) says.language = language;
      else delete says.language;
    });
    this.panels.draw();
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
    const { current, speaker } = project;
    const { catalogue } = this.panels;
    const who = this.panels.names.presenter(speaker?.model?.ai_name ?? saidBy(current).modelId);
    const speaks = (voice) => primary(voice.language) === primary(tongue.written);
    const others = catalogue.voices.filter(speaks);
    const other = others.find((voice) => voice.gender === who?.gender) ?? others[0];
    project.change("chose a voice", () => {
      if (who?.voices.some(speaks) || !other) return ownVoice(current, speaker);
      const entry = entryOf(current, speaker);
      entry.isTTS = true;
      entry.tts = { voice: other.id, speed: entry.tts?.speed ?? 1 };
    });
    this.panels.draw();
  }

  /** Taken at its word: the text is in the language that the voice speaks. */
  mean(tongue) {
    const { project } = this;
    const entry = saidBy(project.current, project.speaker);
    this.meant.add(this.name(project.scene, tongue));
    if (isLent(entry) && entry.tts) {
      project.change("said the language", () => (entry.tts.language = tongue.spoken));
    }
    this.draw();
    this.panels.draw();
  }
}
