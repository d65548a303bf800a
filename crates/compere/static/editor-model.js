// The project as it is being edited. Everything that is not understood here stays as it was.
import { send } from "./app.js";

const PAUSE = 900;

export class Project {
  constructor(id, found) {
    this.id = id;
    this.body = found.body;
    this.revision = found.revision;
    this.judged = found.judged;
    this.scene = 0;
    /** Whose script it is that is written: a further presenter of the scene, or the first one, who needs no name. */
    this.role = "";
    this.clip = null;
    /** All that is chosen; the last one is shown in the panel. */
    this.picked = [];
    this.past = [];
    this.future = [];
    this.listeners = new Set();
    this.saving = null;
    this.dirty = false;
    this.timer = 0;
  }

  get scenes() {
    return this.body.scenes;
  }
  get current() {
    return this.scenes[this.scene] ?? {};
  }
  get clips() {
    return (this.current.clips ??= []);
  }
  get selected() {
    return this.clip === null ? null : (this.clips[this.clip] ?? null);
  }
  get speaker() {
    return speakersOf(this.current).find((who) => roleOf(this.current, who) === this.role) ?? presenterOf(this.current);
  }
  get upright() {
    return this.body.orientation === "portrait";
  }
  get canvas() {
    return this.upright ? [1080, 1920] : [1920, 1080];
  }

  on(listener) {
    this.listeners.add(listener);
  }
  tell(what) {
    for (const listener of this.listeners) listener(what);
  }

  choose(scene, clip = null, picked = clip === null ? [] : this.together(clip, scene)) {
    const at = Math.max(0, Math.min(scene, this.scenes.length - 1));
    if (at !== this.scene) this.role = "";
    this.scene = at;
    this.clip = clip;
    this.picked = picked;
    // Whoever is chosen in the picture is heard below it.
    const who = speakersOf(this.current).find((one) => one && one === this.selected);
    if (who) this.role = roleOf(this.current, who);
    this.tell("choice");
  }

  /** Turns to what another presenter of the scene says. */
  turnTo(role) {
    this.role = role;
    this.tell("speaker");
  }

  /** Stays with somebody who may be known by something else now, or be gone. */
  stayWith(who) {
    this.role = speakersOf(this.current).includes(who) ? roleOf(this.current, who) : "";
  }

  /** One more of the scene's elements, or one less. */
  pick(clip) {
    const group = this.together(clip, this.scene);
    const left = this.picked.filter((one) => !group.includes(one));
    const picked = this.picked.includes(clip) ? left : [...left, ...group];
    this.choose(this.scene, picked.at(-1) ?? null, picked);
  }

  /** Whatever is grouped with an element is chosen along with it, which comes last. */
  together(clip, scene) {
    const clips = this.scenes[scene]?.clips ?? [];
    const group = clips[clip]?.group;
    const others = group ? [...clips.keys()].filter((n) => n !== clip && clips[n].group === group) : [];
    return [...others, clip];
  }

  get chosen() {
    return this.picked.map((n) => this.clips[n]).filter(Boolean);
  }

  /** Changes something. Changes with the same key that follow each other are one step back. */
  change(note, work, key = null) {
    const before = { body: JSON.stringify(this.body), scene: this.scene, clip: this.clip, role: this.role };
    work();
    if (JSON.stringify(this.body) === before.body) return;
    const last = this.past.at(-1);
    if (!(key && last?.key === key && Date.now() - last.at < 1500))
      this.past.push({ ...before, key, at: Date.now(), note });
    else last.at = Date.now();
    if (this.past.length > 200) this.past.shift();
    this.future = [];
    this.touched(note);
  }

  touched(note) {
    this.note = note;
    this.dirty = true;
    this.tell("body");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), PAUSE);
  }

  step(from, to, word) {
    const entry = from.pop();
    if (!entry) return;
    const { scene, clip, role } = this;
    to.push({ body: JSON.stringify(this.body), scene, clip, role, note: entry.note });
    this.body = JSON.parse(entry.body);
    [this.scene, this.clip, this.role] = [entry.scene, entry.clip, entry.role];
    this.picked = entry.clip === null ? [] : [entry.clip];
    this.touched(`${word} ${entry.note}`);
    this.tell("choice");
  }
  undo() {
    this.step(this.past, this.future, "undid:");
  }
  redo() {
    this.step(this.future, this.past, "redid:");
  }

  /** Resolves when everything is kept. */
  async save() {
    clearTimeout(this.timer);
    if (this.saving) {
      await this.saving;
      if (!this.dirty) return;
    }
    if (!this.dirty || this.conflict) return;
    this.dirty = false;
    this.tell("saving");
    this.saving = this.put();
    try {
      await this.saving;
    } finally {
      this.saving = null;
    }
  }

  async put() {
    try {
      const kept = await send("PUT", `/app/projects/${this.id}/body`, {
        revision: this.revision,
        body: this.body,
        note: this.note,
      });
      this.revision = kept.revision;
      this.judged = kept.judged;
      this.tell("saved");
    } catch (error) {
      this.dirty = true;
      if (error.status === 409) {
        this.conflict = true;
        this.tell("conflict");
      } else {
        this.failure = error.message;
        this.tell("unsaved");
        this.timer = setTimeout(() => this.save(), 4000);
      }
    }
  }

  /** Saves over what the server has, which stays among the earlier versions. */
  keep(found) {
    this.revision = found.revision;
    this.conflict = false;
    this.dirty = true;
    return this.save();
  }

  /** Takes what the server has. */
  take(found) {
    this.body = found.body;
    this.revision = found.revision;
    this.judged = found.judged;
    this.dirty = this.conflict = false;
    this.past = [];
    this.future = [];
    this.choose(this.scene);
    this.tell("body");
    this.tell("saved");
  }

  problems(scene) {
    return this.judged.problems.filter((problem) => problem.path.startsWith(`scenes[${scene}]`));
  }
}

/** The id of whoever is put into a scene in which nobody was seen. */
const FIRST = "presenter";

const presents = (clip) => clip.type === "aiModel" && !clip.isDelete;

/** The presenter whose script the scene's script is: the one that it names, else the first. */
export function presenterOf(scene) {
  const all = (scene.clips ?? []).filter(presents);
  const entry = scene.scripts?.[0];
  const named = ({ model }) => model?.ai_name === entry.modelId && model?.emotion === entry.clothId;
  return (entry && all.find(named)) ?? all[0];
}

/** Everybody who may speak in a scene, as they follow each other; the first one is nobody where nobody is seen. */
export function speakersOf(scene) {
  const first = presenterOf(scene);
  return [first, ...(scene.clips ?? []).filter((clip) => presents(clip) && clip !== first)];
}

/** What a speaker is known by from one change to the next, through which elements are not the same objects. */
export const roleOf = (scene, who) => (who === presenterOf(scene) ? "" : idOf(scene, who));

/** The same, also when somebody else is the first one meanwhile. Nobody is called as whoever comes first will be. */
export function idOf(scene, who) {
  if (!who) return FIRST;
  // Other programs may leave names out, or give one twice.
  const isNamed = who.id !== undefined && speakersOf(scene).find((one) => one.id === who.id) === who;
  return isNamed ? String(who.id) : `number ${scene.clips.indexOf(who)}`;
}

/** What is written of what somebody says: an entry, an older project's plain text, or nothing. */
const writtenOf = (scene, who) => (who === presenterOf(scene) ? scene.scripts?.[0] : null) ?? who?.script ?? null;

/** Where that is, as problems name it. */
export function pathOf(scene, number, who = presenterOf(scene)) {
  if (who && (who !== presenterOf(scene) || !scene.scripts?.[0]))
    return `scenes[${number}].clips[${scene.clips.indexOf(who)}].script`;
  return `scenes[${number}].scripts[0]`;
}

export function scriptOf(scene, who = presenterOf(scene)) {
  const found = writtenOf(scene, who);
  return (typeof found === "string" ? found : found?.org) ?? "";
}

/** How somebody says it, to be looked at: empty where nothing was ever said of it. */
export function saidBy(scene, who = presenterOf(scene)) {
  const found = writtenOf(scene, who);
  return found && typeof found === "object" ? found : {};
}

/** Whether another voice than the presenter's speaks; a presenter's own script may leave it to the voice to say so. */
export const isLent = (entry) => Boolean(entry.isTTS ?? entry.tts);

/** What says who speaks how, to be changed: the scene's script, a further presenter's own, or an older project's clip. */
export function entryOf(scene, who = presenterOf(scene)) {
  const isFirst = who === presenterOf(scene);
  if (isFirst && scene.scripts?.[0]) return scene.scripts[0];
  if (who?.script && typeof who.script === "object") return who.script;
  const entry = { org: scriptOf(scene, who), isTTS: false, tts: null };
  if (!isFirst) return (who.script = entry);
  entry.modelId = who?.model?.ai_name ?? "";
  entry.clothId = who?.model?.emotion ?? "";
  if (typeof who?.script === "string") delete who.script;
  scene.scripts = [entry];
  return entry;
}

export function setScript(scene, text, who = presenterOf(scene)) {
  const entry = entryOf(scene, who);
  // Whatever is recorded says what stood there until now.
  if (entry.audio) entry.recordedText ??= entry.org ?? "";
  entry.org = text;
}

/** The address of what is heard in place of the voice. */
export const recordingOf = (scene, who = presenterOf(scene)) => saidBy(scene, who).audio || null;

/** Whoever presents speaks with the own voice, in the language that is written. */
export function ownVoice(scene, who = presenterOf(scene)) {
  const entry = entryOf(scene, who);
  entry.isTTS = false;
  entry.tts = null;
  delete entry.language;
  if (who?.model) delete who.model.language;
}

/**
 * Puts somebody into a scene, in the place of whoever stood there. Somebody else brings a voice along: that of the one
 * before would be a stranger's. Says whether a voice was put away.
 */
export function setPresenter(scene, presenter, outfit, canvas, isAnother, clip = presenterOf(scene)) {
  const entry = clip === presenterOf(scene) ? entryOf(scene) : null;
  const strange = isAnother && isLent(saidBy(scene, clip));
  if (strange) ownVoice(scene, clip);
  const who = clip ?? comeIn(scene, canvas);
  keepingScript(scene, () => {
    who.model = { ...who.model, ai_name: presenter, emotion: outfit };
    if (isAnother) delete who.model.language;
    if (entry) [entry.modelId, entry.clothId] = [presenter, outfit];
  });
  return strange;
}

/** A place for somebody in a scene where nobody was seen. */
function comeIn(scene, [wide, high]) {
  const layer = Math.max(0, ...(scene.clips ?? []).map((one) => Number(one.layer) || 0)) + 1;
  const place =
    wide > high ? { left: 1040, top: 120, width: 800, height: 960 } : { left: 90, top: 620, width: 900, height: 1300 };
  const clip = { id: freshId(scene, FIRST), type: "aiModel", layer, ...place, model: {} };
  (scene.clips ??= []).push(clip);
  return clip;
}

/** Changes who somebody is, or who is there. The scene's script says whose it is by looks, and stays with whoever said it. */
export function keepingScript(scene, work) {
  const owner = presenterOf(scene);
  work();
  const [entry] = scene.scripts ?? [];
  if (!entry || presenterOf(scene) === owner) return;
  // What nobody said who is seen, whoever comes says.
  const says = owner ?? presenterOf(scene);
  [entry.modelId, entry.clothId] = [says.model?.ai_name, says.model?.emotion];
  const taker = presenterOf(scene);
  if (taker === says) return;
  // Of two who look alike it is the first one's.
  scene.clips.splice(scene.clips.indexOf(owner), 1);
  scene.clips.splice(scene.clips.indexOf(taker), 0, owner);
}

/**
 * Takes elements out of a scene. What a presenter says goes along, and each of the others keeps their own: that of the
 * next one becomes the scene's. Where nobody is left the script stays, and is heard alone.
 */
export function takeOut(scene, gone) {
  const first = presenterOf(scene);
  const left = (scene.clips ?? []).filter((clip) => !gone.includes(clip));
  const next = left.find(presents);
  if (gone.includes(first)) {
    if (next) succeed(scene, next, left);
    else if (!scene.scripts?.[0]) hoist(scene, first);
  }
  scene.clips = left;
}

/** Somebody is the first one from now on. Older projects keep all scripts with those who say them, and need none else. */
function succeed(scene, next, left) {
  const isSaid = left.some((clip) => presents(clip) && clip.script);
  if (scene.scripts?.[0] || !isSaid) hoist(scene, next);
}

/** Makes what somebody says the scene's script. */
function hoist(scene, who) {
  const entry = typeof who.script === "object" && who.script ? who.script : { org: who.script ?? "" };
  const lent = isLent(entry);
  delete who.script;
  const named = { modelId: who.model?.ai_name ?? "", clothId: who.model?.emotion ?? "" };
  scene.scripts = [{ ...entry, isTTS: lent, tts: lent ? entry.tts : null, ...named }];
}

/** An element as it is cut out: whoever leaves others behind has what they say with them. */
export function cutOut(scene, clip, gone) {
  const isFirst = clip === presenterOf(scene) && scene.scripts?.[0];
  const others = speakersOf(scene).some((who) => who && !gone.includes(who));
  return isFirst && others ? { ...clip, script: scene.scripts[0] } : clip;
}

export function freshId(scene, base) {
  const taken = new Set((scene.clips ?? []).map((clip) => clip.id));
  if (!taken.has(base)) return base;
  for (let number = 2; ; number += 1) if (!taken.has(`${base}-${number}`)) return `${base}-${number}`;
}

export const freshIndex = (scenes) => Math.max(-1, ...scenes.map((scene) => Number(scene.sceneIdx) || 0)) + 1;

/** A colour as `[#rrggbb, alpha]`. */
export function colour(text) {
  const probe = document.createElement("canvas").getContext("2d");
  probe.fillStyle = "#000001";
  probe.fillStyle = text ?? "";
  const style = probe.fillStyle;
  if (style.startsWith("#")) return [style, 1];
  const [r, g, b, a] = style.match(/[\d.]+/g).map(Number);
  return [`#${[r, g, b].map((part) => part.toString(16).padStart(2, "0")).join("")}`, a];
}

/** As the interface writes it, with the transparency that was there. */
export function written(hex, alpha) {
  if (alpha < 1)
    return (
      hex +
      Math.round(alpha * 255)
        .toString(16)
        .padStart(2, "0")
    );
  const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return `rgb(${parts.join(",")})`;
}
