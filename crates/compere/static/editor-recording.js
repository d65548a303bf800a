// A script of a scene as somebody says it: recorded here or sent as a file, heard in place of the voice.
//
// What is recorded stays in the page until it is used; then it is sent like every other file and belongs to the account.
import { icon, make, send } from "./app.js";
import { entryOf, idOf, pathOf, recordingOf, saidBy, scriptOf, speakersOf } from "./editor-model.js";
import { piecesOf } from "./editor-script.js";
import { SHARP, microphone, record } from "./microphone.js";
import { sendWatched } from "./send.js";
import { Player, lengthOf } from "./sounds.js";

/** Seconds that a recording of one script may last. */
const LONGEST = 1200;
/** Decibels below which nobody spoke. */
const SILENCE = -55;
/** Seconds that are no recording yet. */
const SHORTEST = 0.3;

const at = (name) => document.getElementById(name);
const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
const size = (bytes) => `${Math.max(1, Math.round(bytes / 1e6)).toLocaleString("en")} MB`;
const minutes = (seconds) =>
  seconds >= 120 ? `${Math.floor(seconds / 60)} minutes` : `${Math.floor(seconds)} seconds`;

/** What of a script is said, whatever marks, pauses and stops are in it. */
function wordsOf(org) {
  const said = piecesOf(org).map(({ kind, text }) => (kind === "text" || kind === "say" ? text : " "));
  return (
    said
      .join("")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(" ") ?? ""
  );
}

const nameOf = (url) => {
  const last = url.split(/[?#]/)[0].split("/").at(-1);
  try {
    return decodeURIComponent(last) || url;
  } catch {
    return last;
  }
};
/** Pages play what comes from the service itself, and nothing else. */
const isHere = (url) => new URL(url, location).origin === location.origin;

export const isOfRecording = (problem) => problem.path.endsWith(".audio");

/** A script of a scene, wherever that is moved to and whoever else leaves it: whose it is there. */
const partOf = (scene, who) => `${scene.sceneIdx} ${idOf(scene, who)}`;

export class Recording {
  /** `measured` is told when it is known how long a recording is. */
  constructor(project, speakers, measured) {
    this.project = project;
    this.speakers = speakers;
    this.measured = measured;
    this.place = at("recording");
    this.input = at("recording-file");
    this.most = Number(at("editor").dataset.most);
    this.longest = Math.min(LONGEST, Math.floor((this.most * 8 * 0.9) / SHARP));
    /** By their parts: takes that nobody has used yet, and what went wrong. */
    this.takes = new Map();
    this.wrongs = new Map();
    /** By their addresses: how long recordings are, and which are there no more. */
    this.lengths = new Map();
    this.lost = new Set();
    /** What is going on, and in which part: the browser is asked, somebody speaks, something is sent. */
    this.busy = null;
    this.player = new Player(() => this.draw());
    this.input.addEventListener("change", () => this.chosen(this.input.files[0]));
  }

  /** The script that is shown. */
  get part() {
    return partOf(this.project.current, this.project.speaker);
  }

  get url() {
    return recordingOf(this.project.current, this.project.speaker);
  }

  /** Seconds of what is heard in place of the voice; nothing where there is none, or nobody knows. */
  get seconds() {
    return (this.url && this.lengths.get(this.url)) ?? null;
  }

  /** Seconds of all recordings of the scene, and whether nothing else is heard in it. */
  get whole() {
    const scene = this.project.current;
    const speaks = speakersOf(scene).filter((who) => recordingOf(scene, who) || scriptOf(scene, who));
    const lengths = speaks.map((who) => this.lengths.get(recordingOf(scene, who)) ?? null);
    return { seconds: lengths.reduce((sum, one) => sum + (one ?? 0), 0), all: !lengths.includes(null) };
  }

  /** Whether something is lost when the page is left. */
  get unfinished() {
    return this.takes.size > 0 || this.busy !== null;
  }

  /** The text is another one than was recorded, as far as anybody knows which that was. */
  get outdated() {
    const { current, speaker } = this.project;
    if (!this.url) return false;
    const then = wordsOf(saidBy(current, speaker).recordedText ?? "");
    return then !== "" && then !== wordsOf(scriptOf(current, speaker));
  }

  // --- What is shown ----------------------------------------------------------------------------------------------------

  draw() {
    this.leave();
    const { current } = this.project;
    for (const who of speakersOf(current)) this.measure(recordingOf(current, who));
    const shown = this.shown();
    const told = JSON.stringify(shown);
    if (this.told === told) return;
    this.told = told;
    const focus = document.activeElement;
    // While nothing can be pressed, the focus waits.
    const held = this.place.contains(focus) || (this.owed && focus === document.body);
    const key = focus?.dataset.key;
    at("script-hint").hidden = shown.url !== null;
    at("recording-title").textContent = shown.who ? `Your own recording for ${shown.who}` : "Your own recording";
    this.place.replaceChildren(...this.parts(shown));
    const next = held && (this.place.querySelector(`[data-key="${key}"]`) ?? this.place.querySelector("button"));
    if (next) next.focus();
    this.owed = held && !next;
  }

  /** All that the place depends on. */
  shown() {
    const { part, url, project } = this;
    const { current, speaker } = project;
    const busy = this.busy?.part === part ? this.busy.doing : null;
    const take = this.takes.get(part);
    const path = `${pathOf(current, project.scene, speaker)}.audio`;
    return {
      part,
      who: this.speakers.chosen,
      state: busy ?? (take ? "take" : url ? "used" : "none"),
      elsewhere: this.busy !== null && !busy,
      url,
      take: take?.url,
      playing: this.player.url,
      wrong: this.wrongs.get(part),
      seconds: this.seconds,
      outdated: this.outdated,
      lost: this.lost.has(url) ? GONE : project.problems(project.scene).find((problem) => problem.path === path)?.text,
      silent: !wordsOf(scriptOf(current, speaker)),
    };
  }

  parts(shown) {
    const state = { none, asking, speaking, take, sending, used }[shown.state];
    const wrong =
      shown.wrong && make("p", { class: "note bad", role: "alert" }, icon("warn"), make("span", {}, shown.wrong));
    return [...state(this, shown), wrong].filter(Boolean);
  }

  say(words) {
    at("recording-told").textContent = words;
  }

  fail(part, words) {
    this.wrongs.set(part, words);
    this.draw();
  }

  /** How long what is used is, once. */
  async measure(url) {
    if (!url || this.lengths.has(url) || !isHere(url)) return;
    this.lengths.set(url, null);
    // Browsers keep what they have heard, also of files that were deleted.
    const found = await fetch(url, { method: "HEAD", cache: "no-store" }).catch(() => null);
    if (found?.status === 404) this.lost.add(url);
    else this.lengths.set(url, await lengthOf(url));
    this.measured();
    this.draw();
  }

  /** Whoever goes to another scene, or to another one's script, ends what they were saying here; it waits for them. */
  leave() {
    if (this.busy?.doing === "speaking" && this.busy.part !== this.part) this.busy.stop();
    const own = [this.url, this.takes.get(this.part)?.url];
    if (this.player.url && !own.includes(this.player.url)) this.player.quiet();
  }

  // --- What is done -----------------------------------------------------------------------------------------------------

  async play(url) {
    const { part } = this;
    this.wrongs.delete(part);
    try {
      await this.player.turn(url);
    } catch {
      this.fail(part, "This browser cannot play it. In the film it may be heard all the same.");
    }
  }

  async record() {
    const { part } = this;
    this.player.quiet();
    this.wrongs.delete(part);
    this.busy = { part, doing: "asking" };
    this.say("The browser asks whether it may use the microphone");
    this.draw();
    try {
      const stream = await microphone();
      if (part === this.part) return await this.listen(part, stream);
      for (const track of stream.getTracks()) track.stop();
      this.busy = null;
      this.draw();
    } catch (error) {
      this.busy = null;
      this.fail(part, error.message);
    }
  }

  async listen(part, stream) {
    const recording = record(stream, this.longest, (seconds, level) => this.heard(seconds, level));
    this.busy = { part, doing: "speaking", stop: recording.stop };
    this.say("Recording");
    this.draw();
    const { sound, ending, seconds, loudest } = await recording.ended;
    this.busy = null;
    if (seconds < SHORTEST)
      return this.fail(part, "That was too short to be a recording. Record until you have said it all.");
    this.drop(part);
    this.takes.set(part, { sound, ending, seconds, url: URL.createObjectURL(sound) });
    if (loudest < SILENCE)
      this.wrongs.set(part, "Nothing was heard. Is it the right microphone, and is it switched on?");
    else if (seconds >= this.longest) this.wrongs.set(part, `It ended by itself after ${minutes(this.longest)}.`);
    this.say(`Recorded, ${Math.round(seconds)} seconds`);
    this.draw();
  }

  /** Ten times a second, without drawing anything anew. */
  heard(seconds, level) {
    const [meter, time] = [this.place.querySelector("meter"), this.place.querySelector("time")];
    if (!meter) return;
    meter.value = level;
    time.textContent = clock(seconds);
  }

  /** Puts a take away that was not used. */
  drop(part) {
    const take = this.takes.get(part);
    if (!take) return;
    if (this.player.plays(take.url)) this.player.quiet();
    URL.revokeObjectURL(take.url);
    this.takes.delete(part);
  }

  discard() {
    this.wrongs.delete(this.part);
    this.drop(this.part);
    this.draw();
  }

  async use() {
    const { part, project } = this;
    const { sound, ending } = this.takes.get(part);
    const film = (project.body.name ?? "Recording").slice(0, 80);
    const name = [film, `scene ${project.scene + 1}`, this.speakers.chosen].filter(Boolean).join(", ");
    if (await this.send(part, sound, `${name}.${ending}`)) this.drop(part);
    this.draw();
  }

  choose() {
    this.input.value = "";
    this.input.click();
  }

  async chosen(file) {
    if (!file) return;
    const { part } = this;
    this.player.quiet();
    this.wrongs.delete(part);
    this.draw();
    const wrong = await this.unfit(file);
    if (wrong) return this.fail(part, wrong);
    if (await this.send(part, file, file.name)) this.drop(part);
    this.draw();
  }

  /** What is known to be wrong with a file before it is sent. */
  async unfit(file) {
    if (/^(image|text|font)\/|^application\/(pdf|zip|json|msword|vnd)/.test(file.type)) return NO_SOUND;
    if (!file.size) return "The file is empty.";
    if (file.size > this.most) return `The file has ${size(file.size)}; at most ${size(this.most)} are taken.`;
    const url = URL.createObjectURL(file);
    const seconds = await lengthOf(url);
    URL.revokeObjectURL(url);
    if (seconds > LONGEST)
      return `It lasts ${minutes(seconds)}; a script may be recorded in ${minutes(LONGEST)} at most.`;
    return null;
  }

  /** Sends a sound and puts it in place of the voice. Says whether that went well. */
  async send(part, file, name) {
    this.player.quiet();
    this.wrongs.delete(part);
    this.busy = { part, doing: "sending" };
    this.say("Sending");
    this.draw();
    const sent = (percent) => {
      const bar = this.place.querySelector("progress");
      if (bar) bar.value = percent;
    };
    try {
      const asset = await sendWatched(`/app/assets?name=${encodeURIComponent(name)}`, file, sent);
      if (!/^(audio|video)\//.test(asset.type)) {
        await send("POST", `/app/assets/${asset.id}/delete`);
        throw new Error(NO_SOUND);
      }
      this.busy = null;
      this.set(part, asset.url);
      return true;
    } catch (error) {
      this.busy = null;
      this.fail(part, error.message);
      return false;
    }
  }

  /** In the scene that it was made for, wherever that is now, and in place of the same voice. */
  set(part, url) {
    const { project } = this;
    const all = project.scenes.flatMap((scene) => speakersOf(scene).map((who) => [scene, who]));
    const [scene, who] = all.find(([scene, who]) => partOf(scene, who) === part) ?? [];
    if (!scene) return;
    project.change("set a recording", () => {
      const entry = entryOf(scene, who);
      entry.audio = url;
      entry.recordedText = scriptOf(scene, who);
    });
    this.say("The recording is heard in place of the voice");
  }

  /** The text was changed, and the recording says it all the same. */
  fits() {
    const { project } = this;
    const { current, speaker } = project;
    project.change("said that a recording fits", () => {
      entryOf(current, speaker).recordedText = scriptOf(current, speaker);
    });
  }

  remove() {
    const { project } = this;
    const { current, speaker } = project;
    this.wrongs.delete(this.part);
    this.player.quiet();
    project.change("removed a recording", () => {
      const entry = entryOf(current, speaker);
      delete entry.audio;
      delete entry.recordedText;
    });
    this.say("Removed: the voice speaks again");
  }
}

const GONE = "it was deleted from your files";
const NO_SOUND = "This is no sound. WAV, MP3, M4A, OGG, FLAC and films with sound are taken.";

// --- Its states -------------------------------------------------------------------------------------------------------

const button = (key, sign, words, onclick, more = {}) =>
  make(
    "button",
    { type: "button", "data-key": key, onclick, ...more, class: `button quiet small ${more.class ?? ""}` },
    icon(sign),
    words,
  );
const line = (...parts) => make("div", { class: "row" }, ...parts);
const words = (text) => make("small", { class: "muted" }, text);

/** Beginning anew, with the microphone or a file. */
const beginnings = (recording, shown, [spoken, file]) => [
  button("record", "mic", spoken, () => recording.record(), { disabled: shown.elsewhere }),
  button("file", "upload", file, () => recording.choose(), { disabled: shown.elsewhere }),
];

function listener(recording, shown, url, seconds) {
  const plays = shown.playing === url;
  const length = seconds ? ` ${clock(seconds)}` : "";
  return button("play", plays ? "stop" : "play", plays ? "Stop" : `Play${length}`, () => recording.play(url));
}

function none(recording, shown) {
  const hint = `Say the script yourself, or send a sound of it: up to ${minutes(LONGEST)}. It is heard in place of the voice.`;
  return [line(...beginnings(recording, shown, ["Record", "Send a file"])), words(hint)];
}

function asking() {
  return [
    line(make("span", { class: "spin" }), make("span", {}, "The browser asks whether it may use the microphone.")),
  ];
}

function speaking(recording) {
  const limit = clock(recording.longest);
  return [
    line(
      button("stop", "stop", "Stop", () => recording.busy.stop(), { class: "speaking" }),
      make("span", { class: "number" }, make("time", {}, "0:00"), ` of ${limit}`),
      make("meter", { min: "0", max: "1", value: "0", class: "grow", "aria-label": "Level" }),
    ),
    words("Read the script aloud. Pauses in the film are those that you make."),
  ];
}

function take(recording, shown) {
  const { seconds } = recording.takes.get(shown.part);
  return [
    line(
      listener(recording, shown, shown.take, seconds),
      button("use", "check", "Use it", () => recording.use(), { class: "first", disabled: shown.elsewhere }),
      button("record", "mic", "Record again", () => recording.record(), { disabled: shown.elsewhere }),
      button("discard", "trash", "Discard", () => recording.discard(), { class: "warnish" }),
    ),
    words(`Not used yet.${shown.url ? " Until then the recording from before is heard." : ""}`),
  ];
}

function sending() {
  return [words("Sending…"), make("progress", { max: 100, value: 0, "aria-label": "Sending the recording" })];
}

function used(recording, shown) {
  const note = (...inside) =>
    make("div", { class: "note warn" }, icon("warn"), make("div", { class: "stack" }, ...inside));
  const here = isHere(shown.url) && !shown.lost;
  const outdated = note(
    make(
      "span",
      {},
      "The script was changed since this was recorded: lips and captions follow the script, and the sound does not.",
    ),
    line(button("fits", "check", "It still fits", () => recording.fits())),
  );
  const lost = note(
    make("span", {}, `The recording cannot be had: ${shown.lost}. Record it again, send another file, or remove it.`),
  );
  const silent = words("There is no script to it: the mouth follows how loud it is, and there are no captions.");
  return [
    line(
      make("span", { class: "pill good" }, "in place of the voice"),
      make("small", { class: "file-name grow" }, nameOf(shown.url)),
    ),
    line(
      here && listener(recording, shown, shown.url, shown.seconds),
      ...beginnings(recording, shown, ["Record again", "Another file"]),
      button("remove", "trash", "Remove", () => recording.remove(), { class: "warnish" }),
    ),
    shown.lost ? lost : shown.outdated ? outdated : shown.silent && silent,
  ].filter(Boolean);
}
