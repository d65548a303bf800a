// What is being prepared while somebody waits for a frame, and for how long: by how long it took the last times.

/** Before that a picture changes so soon that words would only flicker. */
const PATIENCE = 250;
/** Times remembered of each kind of work. */
const TIMES = 5;
/** Seconds that are usual on a quiet machine of two cores, until this one has shown its own. */
const USUAL = { people: 2, scene: 1 };
const STORE = "compere_making";

/** Who stands in a scene, and how large: each has to be dressed and lit once. */
const peopleOf = (scene) =>
  (scene.clips ?? [])
    .filter((clip) => clip.type === "aiModel" && !clip.isDelete && !clip.voiceOnly)
    .map((clip) =>
      [clip.model?.ai_name, clip.model?.emotion, clip.width, clip.height, clip.scaleX, clip.headOnly].join(" "),
    );

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(STORE)) ?? {};
  } catch {
    return {};
  }
}

export class Making {
  constructor() {
    this.sign = document.getElementById("drawing");
    this.what = document.getElementById("making-what");
    this.long = document.getElementById("making-long");
    this.seen = new Set();
    this.times = remembered();
    this.clock = 0;
  }

  /** Somebody waits from now on. Answers with what is to be called when the wait is over. */
  begin(scene) {
    this.stop();
    const fresh = peopleOf(scene).filter((person) => !this.seen.has(person));
    const kind = fresh.length ? "people" : "scene";
    const from = performance.now();
    const tell = () => this.tell(kind, (performance.now() - from) / 1000);
    this.clock = setTimeout(() => {
      tell();
      this.sign.hidden = false;
      this.clock = setInterval(tell, 1000);
    }, PATIENCE);
    const mine = this.clock;
    this.current = mine;
    return (there) => {
      if (this.current === mine) this.stop();
      if (!there) return;
      for (const person of fresh) this.seen.add(person);
      this.learn(kind, (performance.now() - from) / 1000);
    };
  }

  stop() {
    clearInterval(this.clock);
    clearTimeout(this.clock);
    this.sign.hidden = true;
    this.current = null;
  }

  tell(kind, seconds) {
    const text = kind === "people" ? "Dressing and lighting the presenter" : "Drawing the scene";
    if (this.what.textContent !== text) this.what.textContent = text;
    this.long.textContent = `${Math.floor(seconds)} s of about ${this.usual(kind)} s`;
  }

  usual(kind) {
    const times = [...(this.times[kind] ?? [])].sort((a, b) => a - b);
    return times.length ? Math.max(1, Math.round(times[times.length >> 1])) : USUAL[kind];
  }

  /** Presenters that were dressed before come at once: such times say nothing of the next wait. */
  learn(kind, seconds) {
    if (kind === "people" && seconds < 1) return;
    this.times[kind] = [...(this.times[kind] ?? []), seconds].slice(-TIMES);
    try {
      localStorage.setItem(STORE, JSON.stringify(this.times));
    } catch {
      // Where nothing may be kept, the next page begins anew.
    }
  }
}
