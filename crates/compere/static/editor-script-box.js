// The box that a script is written in: text, and chips for its marks, which are chosen, changed and deleted like letters.
import { make, icon } from "./app.js";
import { piecesOf, spelled } from "./editor-script.js";

/** Seconds that a pause may last. */
const LONGEST = 30;

/** What a chip shows, what it is called, and whether it is wrong. */
const FACES = {
  pause: ({ seconds }) => [
    "clock",
    `${seconds} s`,
    seconds > LONGEST ? `A pause lasts at most ${LONGEST} seconds` : `Pause of ${seconds} seconds`,
    seconds > LONGEST,
  ],
  say: ({ text, say }) => ["sound", `${text} → ${say}`, `“${text}”, said “${say}”`],
  word: ({ text, say }) => ["sound", text, `“${text}”, said “${say}” everywhere in this film`],
  cue: ({ text }) => ["user", text, `The presenter: ${text}`],
  break: () => [null, "¶", "New paragraph"],
  quiet: () => [null, "", ""],
};

export class ScriptBox {
  /** `changed` is told of every change, `opened` of a chip that is to be changed; `dictionary` is the film's. */
  constructor(place, { changed, opened, dictionary }) {
    this.place = place;
    this.dictionary = dictionary;
    this.changed = changed;
    this.opened = opened;
    this.org = "";
    place.addEventListener("input", () => this.typed());
    place.addEventListener("blur", () => this.settle());
    document.addEventListener("selectionchange", () => (this.last = this.range?.cloneRange() ?? this.last));
    place.addEventListener("click", (event) => this.open(event.target.closest(".chip")));
    place.addEventListener("paste", (event) => this.pasted(event));
    place.addEventListener("copy", (event) => this.copied(event));
    place.addEventListener("cut", (event) => {
      this.copied(event);
      getSelection().deleteFromDocument();
      this.typed();
    });
    Object.defineProperty(place, "value", {
      get: () => this.org,
      set: (org) => this.show(org),
    });
  }

  pieces(org) {
    return piecesOf(org, this.dictionary());
  }

  show(org) {
    const held = this.range ?? this.last;
    const before = held && this.place.contains(held.startContainer) ? this.readBefore(held).length : null;
    this.org = org;
    this.known = JSON.stringify(this.dictionary());
    this.place.replaceChildren(
      ...this.pieces(org).map((piece) => (piece.kind === "text" ? piece.text : this.chip(piece))),
    );
    this.hollow();
    // Whoever wrote here goes on where they were: what they stood in is there no more.
    this.last = before === null ? null : this.behind(before);
    if (this.last && document.activeElement === this.place) this.stand(this.last);
  }

  /** The place behind so many letters of the script. */
  behind(letters) {
    const range = document.createRange();
    let left = letters;
    for (const node of this.place.childNodes) {
      const length = node.nodeType === Node.TEXT_NODE ? spelled(node.data).length : (node.dataset?.raw?.length ?? 1);
      if (node.nodeType === Node.TEXT_NODE && left <= length) {
        range.setStart(node, Math.min(left, node.data.length));
        return range;
      }
      if (left < length) break;
      range.setStartAfter(node);
      left -= length;
    }
    range.collapse(true);
    return left === letters ? this.end() : range;
  }

  stand(range) {
    range.collapse(true);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  }

  /** Takes the focus where somebody last wrote. */
  focus() {
    this.place.focus();
    this.stand(this.last ?? this.end());
  }

  chip(piece) {
    const [sign, words, name, wrong] = FACES[piece.kind](piece);
    const chip = make(
      "span",
      { class: `chip ${piece.kind}${wrong ? " wrong" : ""}`, "data-raw": piece.raw, role: "img", "aria-label": name, title: name },
      sign ? icon(sign) : null,
      words,
    );
    chip.contentEditable = "false";
    chip.piece = piece;
    return chip;
  }

  /** The script as it is spelled, of all or of a part of the box. */
  read(part = this.place) {
    let org = "";
    for (const node of part.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) org += spelled(node.data);
      else if (node.dataset?.raw !== undefined) org += node.dataset.raw;
      else if (node.nodeName === "BR") org += "\n";
      else org += (node.nodeName === "DIV" && org && !org.endsWith("\n") ? "\n" : "") + this.read(node);
    }
    return org;
  }

  typed() {
    this.absorb();
    // What a browser leaves behind when the last letter goes.
    const org = this.read();
    this.org = org === "\n" ? "" : org;
    this.hollow();
    this.changed(this.org);
  }

  /** A mark that ends where the cursor is becomes its chip: nobody has to leave the box to see what it is. */
  absorb() {
    const { range } = this;
    const node = range?.startContainer;
    if (!range?.collapsed || node.nodeType !== Node.TEXT_NODE || node.data[range.startOffset - 1] !== "]") return;
    const before = node.data.slice(0, range.startOffset);
    const mark = piecesOf(before.slice(before.lastIndexOf("["))).at(-1);
    if (!mark || mark.kind === "text") return;
    const rest = node.splitText(range.startOffset);
    node.data = before.slice(0, -mark.raw.length);
    const chip = this.chip(mark);
    rest.before(chip);
    range.setStartAfter(chip);
    this.stand(range);
  }

  hollow() {
    this.place.classList.toggle("hollow", !this.org);
  }

  /** Whether what is seen is this script, with the words of the film's dictionary. */
  shows(org) {
    return this.org === org && this.known === JSON.stringify(this.dictionary());
  }

  /** Words of the dictionary that were typed become chips when the box is left. */
  settle() {
    const chips = this.place.querySelectorAll(".chip").length;
    const marks = this.pieces(this.org).filter((piece) => piece.kind !== "text").length;
    if (chips !== marks) this.show(this.org);
  }

  get range() {
    const selection = getSelection();
    const range = selection.rangeCount ? selection.getRangeAt(0) : null;
    return range && this.place.contains(range.commonAncestorContainer) ? range : null;
  }

  /** What is chosen, as it is spelled, and the sentence around the cursor when nothing is. */
  get chosen() {
    const { range } = this;
    return range && !range.collapsed ? this.read(range.cloneContents()) : "";
  }

  /** What stands before the cursor. */
  get before() {
    return this.range ? this.readBefore(this.range) : this.org;
  }

  readBefore(range) {
    const before = document.createRange();
    before.setStart(this.place, 0);
    before.setEnd(range.startContainer, range.startOffset);
    return this.read(before.cloneContents());
  }

  /** Puts a mark where the cursor is, or last was, in place of what is chosen. */
  insert(raw) {
    const [piece] = piecesOf(raw);
    const chip = this.chip(piece);
    const range = this.range ?? this.last ?? this.end();
    range.deleteContents();
    range.insertNode(chip);
    range.setStartAfter(chip);
    this.place.focus();
    this.stand(range);
    this.typed();
  }

  replace(chip, raw) {
    chip.replaceWith(this.chip(piecesOf(raw)[0]));
    this.typed();
  }

  remove(chip) {
    chip.replaceWith(chip.piece.kind === "say" ? chip.piece.text : "");
    this.place.normalize();
    this.typed();
  }

  end() {
    const range = document.createRange();
    range.selectNodeContents(this.place);
    range.collapse(false);
    return range;
  }

  open(chip) {
    if (chip && ["pause", "say", "word", "cue"].includes(chip.piece.kind)) this.opened(chip);
  }

  copied(event) {
    if (!this.chosen) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", this.chosen);
  }

  /** As text: marks in it become chips, everything else is written as it is. */
  pasted(event) {
    event.preventDefault();
    const text = event.clipboardData.getData("text/plain");
    const range = this.range ?? this.end();
    range.deleteContents();
    const pieces = this.pieces(text).map((piece) =>
      piece.kind === "text" ? document.createTextNode(piece.text) : this.chip(piece),
    );
    for (const piece of pieces.reverse()) range.insertNode(piece);
    range.collapse(false);
    this.typed();
  }
}
