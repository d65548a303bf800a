// Pauses, pronunciations and cues for the presenter: put into the script, changed and taken out again.
import { make } from "./app.js";
import { pauseMark, sayMark } from "./editor-script.js";

const PAUSE = 0.5;

const titleOf = (cue) => {
  const [kind, name] = cue.includes(":") ? cue.split(":") : ["face", cue];
  return `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}: ${name.replaceAll("-", " ")}`;
};

const field = (label, input) => make("label", { class: "field" }, make("span", {}, label), input);

export class Marks {
  /** `say` says a word the same way everywhere in the film, or no longer any way when nothing is given. */
  constructor(cues, say) {
    this.cues = cues;
    this.everywhere = say;
    this.form = make("form", { class: "stack", method: "dialog" });
    this.dialog = make("dialog", { id: "mark", "aria-labelledby": "mark-title" }, this.form);
    document.body.append(this.dialog);
  }

  /** Asks for a mark. `chip` is the one that is changed, if it is none that is new; `words` are those it is for. */
  ask(box, kind, { chip = null, words = "" } = {}) {
    const now = chip?.piece ?? {};
    const say = () => this.say(now, words);
    const ways = { pause: () => this.pause(now), say, word: say, cue: () => this.cue(now) };
    const { title, fields, read, entry } = ways[kind]();
    const button = (text, value, more = {}) => make("button", { value, class: "button", ...more }, text);
    this.form.replaceChildren(
      make("h2", { id: "mark-title" }, title),
      ...fields,
      make(
        "div",
        { class: "actions" },
        chip ? button("Remove", "remove", { class: "button quiet warnish", formNoValidate: true }) : null,
        button("Cancel", "no", { class: "button quiet", type: "button", "data-close": true }),
        button(chip ? "Change" : "Put in", "yes"),
      ),
    );
    this.dialog.returnValue = "";
    this.dialog.showModal();
    this.form.querySelector("input, select").focus();
    const done = () => {
      const yes = this.dialog.returnValue === "yes";
      if (this.dialog.returnValue === "remove") {
        if (kind === "word") this.everywhere(chip.piece.entry);
        else box.remove(chip);
      } else if (yes && entry?.()) {
        if (kind === "say" && chip) box.remove(chip);
        this.everywhere(...entry());
      } else if (yes && chip) box.replace(chip, read());
      else if (yes) box.insert(read());
      box.focus();
    };
    this.dialog.addEventListener("close", done, { once: true });
  }

  pause({ seconds = PAUSE }) {
    const input = make("input", {
      type: "number",
      min: "0.1",
      max: "30",
      step: "0.1",
      required: true,
      value: String(seconds),
    });
    return { title: "A pause", fields: [field("Seconds", input)], read: () => pauseMark(Number(input.value)) };
  }

  say({ text, say = "", entry }, words) {
    const written = make("input", { required: true, maxlength: "200", value: text ?? words, autocomplete: "off" });
    const said = make("input", { required: true, maxlength: "200", value: say, autocomplete: "off" });
    const all = make("input", { type: "checkbox", checked: entry !== undefined });
    const pair = () => [entry ?? written.value.trim(), said.value.trim()];
    return {
      title: "Say it another way",
      fields: [
        field("Written", written),
        field("Said", said),
        make("label", { class: "row tick" }, all, make("span", {}, "Everywhere in this film")),
      ],
      read: () => sayMark(written.value.trim(), said.value.trim()),
      entry: () => (all.checked ? pair() : null),
    };
  }

  cue({ raw }) {
    const now = raw?.slice(1, -1).toLowerCase() ?? this.cues[0];
    const known = this.cues.includes(now) ? this.cues : [now, ...this.cues];
    const options = known.map((cue) => make("option", { value: cue, selected: cue === now }, titleOf(cue)));
    const input = make("select", {}, ...options);
    return { title: "What the presenter does", fields: [field("From here on", input)], read: () => `[${input.value}]` };
  }
}

/** The buttons above the script, which take no focus from it. */
export function markButtons(marks, box) {
  const button = (id, work) => {
    const found = document.getElementById(id);
    found.addEventListener("pointerdown", (event) => event.preventDefault());
    found.addEventListener("click", work);
  };
  const words = () => {
    const { range } = box;
    return range && !range.collapsed ? range.toString().trim().slice(0, 200) : "";
  };
  button("say-as", () => marks.ask(box, "say", { words: words() }));
  button("gesture", () => marks.ask(box, "cue"));
  button("pause", () => box.insert(pauseMark(PAUSE)));
}
