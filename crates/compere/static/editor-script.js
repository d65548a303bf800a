// The script as it is read: marks are chips, never markup. What is kept is the script's own spelling.
import { make } from "./app.js";

/** Marks in the order they are looked for. Each says what it is from what is written in the script. */
const MARKS = [
  [/^\[pause\s+([\d.]+)\s*(ms|sec|s)?\s*\]/i, ([, number, unit]) => pause(number, unit)],
  [
    /^<span\b[^>]*?\bdata-pause\s*=\s*["']?([\d.]+)\s*(ms|sec|s)?["']?[^>]*?(?:\/>|>[^<]*<\/span\s*>)/i,
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

const seconds = (number, unit) => Number(number) * (unit?.toLowerCase() === "ms" ? 0.001 : 1);
const pause = (number, unit) => ({ kind: "pause", seconds: seconds(number, unit) });

function decoded(text) {
  const probe = document.createElement("textarea");
  probe.innerHTML = text;
  return probe.value;
}

/** A script as pieces: texts, and marks that keep how they are written. */
export function piecesOf(org) {
  const pieces = [];
  let text = "";
  const end = () => {
    if (text) pieces.push({ kind: "text", text: decoded(text) });
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
