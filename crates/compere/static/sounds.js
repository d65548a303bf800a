// Sounds that a page plays: how long one is, and one at a time.

/** Milliseconds that a sound has to say how long it is. */
const PATIENCE = 20_000;
/** Seconds further than any sound goes on. */
const BEYOND = 1e7;

/** Seconds of a sound; nothing where this browser cannot tell. */
export function lengthOf(url) {
  const probe = new Audio();
  probe.preload = "metadata";
  return new Promise((settle) => {
    const end = (seconds) => {
      clearTimeout(late);
      probe.onloadedmetadata = probe.ondurationchange = probe.onerror = null;
      probe.removeAttribute("src");
      settle(seconds);
    };
    const late = setTimeout(() => end(null), PATIENCE);
    // What was recorded in a browser says how long it is only to whoever goes to its end.
    const look = () => (Number.isFinite(probe.duration) ? end(probe.duration) : (probe.currentTime = BEYOND));
    probe.onloadedmetadata = look;
    probe.ondurationchange = () => Number.isFinite(probe.duration) && end(probe.duration);
    probe.onerror = () => end(null);
    probe.src = url;
  });
}

export class Player {
  /** `changed` is told whenever it begins or ends. */
  constructor(changed) {
    this.changed = changed;
    this.sound = null;
    this.url = null;
  }

  plays(url) {
    return this.url === url;
  }

  /** Plays a sound from its beginning, or ends it where it plays. Rejects where it cannot be played. */
  async turn(url) {
    const again = this.plays(url);
    this.quiet();
    if (again) return;
    const sound = new Audio(url);
    [this.sound, this.url] = [sound, url];
    sound.onended = () => this.sound === sound && this.quiet();
    this.changed();
    try {
      await sound.play();
      // What breaks off later ends, too.
      sound.onerror = sound.onended;
    } catch (error) {
      if (this.sound !== sound) return;
      this.quiet();
      throw error;
    }
  }

  quiet() {
    if (!this.sound) return;
    this.sound.pause();
    this.sound = this.url = null;
    this.changed();
  }
}
