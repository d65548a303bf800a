// The script as it is read: marks are chips, never markup. What is kept is the script's own spelling.
import { make } from "./app.js";

/** Marks in the order they are looked for. Each says what it is from what is written in the script. */
const MARKS = [
  [/^\[pause\s+([\d.,]+)\s*(ms|sec|s)?\s*\]/i, ([, number, unit]) => pause(number, unit)],
  [
    /^<span\b[^>]*?\bdata-pause\s*=\s*["']?([\d.,]+)\s*(ms|sec|s)?["']?[^>]*?(?:\/>|>[^<]*<\/span\s*>)/i,
    ([, number, unit]) => pause(number, unit),
  ],
  [
    /^<span\b[^>]*?\bdata-say\s*=\s*("([^"]*)"|'([^']*)')[^>]*>([^<]*)<\/span\s*>/i,
    ([, , twice, once, text]) => ({ kind: "say", text: decoded(text), say: decoded(twice ?? once) }),
  ],
  [/^\[(smile|serious|surprise|nod|step)\]/i, ([, name]) => ({ kind: "cue", text: name.toLowerCase() })],
  [
    /^\[([a-z]+):([a-z-]+)\]/i,
    ([, kind, name]) => ({ kind: "cue", text: `${kind.toLowerCase()}: ${name.toLowerCase()}` }),
  ],
  [/^<\/?(?:p|br|div|li|ul|ol|tr|h[1-6])\b[^>]*>/i, () => ({ kind: "break" })],
  [/^<\/?[a-z][^>]*>|^<!--[^]*?-->/i, () => ({ kind: "quiet" })],
];

const seconds = (number, unit) => Number(number.replace(",", ".")) * (unit?.toLowerCase() === "ms" ? 0.001 : 1);
const pause = (number, unit) => ({ kind: "pause", seconds: seconds(number, unit) });

function decoded(text) {
  const probe = document.createElement("textarea");
  probe.innerHTML = text;
  return probe.value;
}

const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
/** In any case, unless capitals stand inside: `API` is no `api`. */
const anyhow = (word) =>
  /[\p{L}\p{N}]\p{Lu}/u.test(word)
    ? escaped(word)
    : [...word]
        .map((letter) => {
          const [small, large] = [letter.toLowerCase(), letter.toUpperCase()];
          return small !== large && (small + large).length === 2 ? `[${small}${large}]` : escaped(letter);
        })
        .join("");
/** Letters of scripts that put spaces between words: a word of the dictionary is not found in the middle of another. */
const BINDS = "[[\\p{L}\\p{N}]--[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Mymr}]]";
const binds = new RegExp(`^${BINDS}$`, "v");

/** The words of a film's dictionary, as what finds them in a text. */
function finder(dictionary) {
  const words = Array.isArray(dictionary) ? [] : Object.keys(dictionary ?? {}).filter((word) => word.trim());
  const whole = (word) => {
    const [first, last] = [[...word][0], [...word].at(-1)];
    return `${binds.test(first) ? `(?<!${BINDS})` : ""}${anyhow(word)}${binds.test(last) ? `(?!${BINDS})` : ""}`;
  };
  return words.length ? new RegExp(words.map((word) => `(${whole(word)})`).join("|"), "gv") : null;
}

/** A text cut where words of the dictionary stand in it. */
function cut(text, dictionary) {
  const known = finder(dictionary);
  if (!known) return [{ kind: "text", text }];
  const said = Object.entries(dictionary).filter(([word]) => word.trim());
  const pieces = [];
  let from = 0;
  for (const found of text.matchAll(known)) {
    if (found.index > from) pieces.push({ kind: "text", text: text.slice(from, found.index) });
    const which = found.slice(1).findIndex((group) => group !== undefined);
    pieces.push({ kind: "word", text: found[0], say: said[which][1], entry: said[which][0], raw: spelled(found[0]) });
    from = found.index + found[0].length;
  }
  if (from < text.length) pieces.push({ kind: "text", text: text.slice(from) });
  return pieces;
}

/** A script as pieces: texts, marks that keep how they are written, and words of the film's dictionary. */
export function piecesOf(org, dictionary) {
  const pieces = [];
  let text = "";
  const end = () => {
    if (text) pieces.push(...cut(decoded(text), dictionary));
    text = "";
  };
  for (let rest = org; rest;) {
    const found =
      rest[0] === "<" || rest[0] === "["
        ? MARKS.map(([form, read]) => [rest.match(form), read]).find(([match]) => match)
        : null;
    if (found) {
      end();
      pieces.push({ ...found[1](found[0]), raw: found[0][0] });
      rest = rest.slice(found[0][0].length);
    } else {
      text += rest[0];
      rest = rest.slice(1);
    }
  }
  end();
  return pieces;
}

/** A text as a script spells it: whatever would be read as a mark is written so that it is none. */
export const spelled = (text) =>
  text
    .replaceAll("\u200b", "")
    .replaceAll(/&(?=#?\w+;)/g, "&amp;")
    .replaceAll(/<(?=[a-z/!])/gi, "&lt;");

const quoted = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
export const pauseMark = (length) => `[pause ${length}s]`;
export const sayMark = (text, say) => `<span data-say="${quoted(say)}">${quoted(text)}</span>`;
