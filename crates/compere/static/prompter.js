// Lines that are read in one go, shown one after the other.
import { icon } from "./app.js";

const byId = (id) => document.getElementById(id);

/** Milliseconds: how often it listens, and how long nobody has to say anything before the next line comes. */
const TICK = 100,
  PAUSE = 1200;
/** Decibels above the room that are a voice, and what a quiet room is taken for. */
const VOICE = 12,
  ROOM = -65;
/** Milliseconds that a word takes at least. */
const WORD = 160;

/**
 * Shows lines in turn: the next one when this one was heard and silence followed, or when somebody asks for it. `ended` is
 * called after the last. What it gives back ends it, and says which were read.
 */
export function prompter(lines, hearing, ended) {
  const words = byId("own-line"),
    turn = byId("own-turn"),
    button = byId("own-next");
  const read = [];
  let at = -1,
    heard = 0,
    quiet = 0;

  function show() {
    at += 1;
    heard = 0;
    quiet = 0;
    if (at === lines.length) return ended();
    words.textContent = lines[at];
    turn.textContent = `Line ${at + 1} of ${lines.length}. The next one comes when you pause.`;
  }
  function next() {
    if (at < lines.length) read.push(lines[at]);
    show();
  }
  /** Whether so much was heard that it may have been all of the line. */
  const isWhole = () => heard >= Math.max(600, WORD * lines[at].split(" ").length);
  const listening = setInterval(() => {
    if (at >= lines.length) return;
    const speaks = hearing.now > Math.max(hearing.room, ROOM) + VOICE;
    heard += speaks ? TICK : 0;
    quiet = speaks ? 0 : quiet + TICK;
    if (isWhole() && quiet >= PAUSE) next();
  }, TICK);
  const key = (event) => {
    if (event.key !== "ArrowRight" || event.target.matches("input, select, textarea")) return;
    event.preventDefault();
    next();
  };
  button.replaceChildren("Next line", icon("right"));
  button.hidden = false;
  button.addEventListener("click", next);
  document.addEventListener("keydown", key);
  show();

  const end = () => {
    clearInterval(listening);
    button.removeEventListener("click", next);
    document.removeEventListener("keydown", key);
    button.hidden = true;
    turn.textContent = "";
    // Who stops in the middle of a pause has read it; who stops before a word has not.
    if (at < lines.length && isWhole()) read.push(lines[at]);
    return read;
  };
  return { end };
}
