// Small pictures of scenes. A picture belongs to what a scene shows, not to its place in the list: a new scene never
// wears that of another one, and what was moved, duplicated or undone has its own at once.

/** What a picture of a scene depends on; where the scene stands is none of it. */
export function lookOf(body, scene) {
  const { sceneIdx, thumbnailUrl, ...shown } = scene;
  return JSON.stringify([body.orientation ?? "", shown]);
}

/** The project with one scene only, for a frame of it. */
export function alone(body, scene) {
  const { orientation, dictionary, onAssetError, language } = body;
  return { orientation, dictionary, onAssetError, language, scenes: [scene] };
}

/** Asks for a frame. Resolves to its address inside this page; rejects with a sentence for people. */
export const draw = async (wish, signal) => (await drawn(wish, signal)).url;

/** The same, with whether somebody in it is only a likeness of what is being made. */
export async function drawn(wish, signal) {
  const answer = await fetch("/app/still", {
    method: "POST",
    signal,
    body: JSON.stringify(wish),
    headers: {
      "content-type": "application/json",
      accept: "image/jpeg",
      "x-csrf-token": document.querySelector('meta[name="csrf"]').content,
    },
  });
  if (!answer.ok) throw new Error((await answer.json()).error);
  return { url: URL.createObjectURL(await answer.blob()), sketched: answer.headers.has("x-sketched") };
}

/** Pictures that a page holds at once. */
const MOST = 120;

export class Pictures {
  /** `busy` says whether a frame is being drawn that somebody waits for; `ready` is told of each picture that came. */
  constructor(project, busy, ready) {
    this.project = project;
    this.busy = busy;
    this.ready = ready;
    this.have = new Map();
    this.failed = new Set();
    this.wanted = new Map();
    this.coming = null;
    this.sight = new IntersectionObserver((seen) => this.seen(seen), { rootMargin: "120px" });
  }

  of(scene) {
    return this.have.get(lookOf(this.project.body, scene)) ?? null;
  }

  keep(look, url) {
    if (this.have.has(look)) return URL.revokeObjectURL(url);
    this.have.set(look, url);
    for (const [oldest, address] of this.have) {
      if (this.have.size <= MOST) break;
      this.have.delete(oldest);
      URL.revokeObjectURL(address);
    }
  }

  /** A place in the list that waits for a picture. */
  watch(place, scene) {
    place.scene = scene;
    this.sight.observe(place);
  }

  seen(entries) {
    for (const { target, isIntersecting } of entries) {
      const look = lookOf(this.project.body, target.scene);
      if (!target.isConnected) this.sight.unobserve(target);
      if (isIntersecting && target.isConnected && !this.failed.has(look)) this.wanted.set(look, target.scene);
      else this.wanted.delete(look);
    }
    this.next();
  }

  /** One at a time, and none while a frame is drawn that is being edited. */
  async next() {
    if (this.coming || this.busy()) return;
    const now = new Set(this.project.scenes.map((scene) => lookOf(this.project.body, scene)));
    const [look, scene] = [...this.wanted].find(([look]) => now.has(look) && !this.have.has(look)) ?? [];
    if (!look) return;
    this.wanted.delete(look);
    this.coming = new AbortController();
    try {
      const wish = { project: alone(this.project.body, scene), width: 480, list: true };
      this.keep(look, await draw(wish, this.coming.signal));
      this.ready(look);
    } catch (error) {
      if (error.name === "AbortError") this.wanted.set(look, scene);
      else this.failed.add(look);
    }
    this.coming = null;
    this.next();
  }

  /** A frame is wanted now: whatever is drawn for the list can wait. */
  yield() {
    this.coming?.abort();
  }
}
