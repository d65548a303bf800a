// What elements are called, wherever they are named: presenters by who they are, everything else by what it is.
import { speakersOf } from "./editor-model.js";

const KINDS = {
  aiModel: "Presenter",
  shape: "Shape",
  image: "Picture",
  textImage: "Text",
  videoImage: "Video",
  audio: "Sound",
};

/** `Rectangle_corner0` as people call it. */
export const shapeTitle = (name) =>
  String(name ?? "")
    .replace(/_corner0|_v2$/, "")
    .replaceAll("_", " ");

/** What an element says of itself. */
const words = (clip) =>
  clip.type === "textImage"
    ? clip.text
    : clip.tag || clip.name || clip.label || (clip.type === "shape" ? shapeTitle(clip.shapeName) : "");

export class Names {
  constructor(project, catalogue) {
    this.project = project;
    this.catalogue = catalogue;
  }

  /** Who it is that a scene names. */
  presenter(id) {
    return this.catalogue.presenters.find(
      (one) => one.id === id || one.aliases.some((alias) => alias.toLowerCase() === String(id).toLowerCase()),
    );
  }

  /** What a presenter is called, known or not. */
  person(clip) {
    const id = clip.model?.ai_name;
    return this.presenter(id)?.name ?? String(id || KINDS.aiModel).slice(0, 40);
  }

  /** What all who present in the scene are called, told apart where the same one stands there twice. */
  get people() {
    const all = speakersOf(this.project.current).filter(Boolean);
    const names = all.map((who) => this.person(who));
    const number = (n) => names.slice(0, n).filter((one) => one === names[n]).length + 1;
    return new Map(all.map((who, n) => [who, number(n) > 1 ? `${names[n]} ${number(n)}` : names[n]]));
  }

  of(clip) {
    const isPerson = clip.type === "aiModel";
    const name = isPerson
      ? (this.people.get(clip) ?? this.person(clip))
      : (KINDS[clip.type] ?? clip.type ?? "Element");
    const text = String(words(clip) || "").replaceAll(/\s+/g, " ");
    return text && text !== name ? `${name}: ${text.slice(0, 40)}` : name;
  }
}
