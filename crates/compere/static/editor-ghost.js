// The pixels of an element while it is moved: its frame without the element is drawn once, when the element is chosen,
// and what differs between the two is the element. Moving it then costs nothing, however long it takes to draw.
import { alone, draw, lookOf } from "./editor-pictures.js";

/** Differences of a colour that are no difference: pictures are JPEG. */
const NOISE = 10;
/** From here on a pixel is all element. */
const SOLID = 40;
/** Of the size of an element, how far it may reach out of its place. */
const OUT = 0.12;

export class Ghost {
  constructor(project, frame) {
    this.project = project;
    this.frame = frame;
    this.screen = document.getElementById("ghost");
    this.bare = null;
  }

  /** Asks for the frame without the chosen elements, unless it is there. Needs the frame with them on the screen. */
  async prepare(chosen, at, width) {
    const { project, frame } = this;
    const scene = project.current;
    const without = { ...scene, clips: scene.clips.filter((_, n) => !chosen.includes(n)) };
    const look = `${at} ${lookOf(project.body, without)}`;
    if ((this.bare?.look === look && this.bare.picture.naturalWidth === width) || !frame.complete || frame.hidden)
      return;
    this.coming?.abort();
    const coming = (this.coming = new AbortController());
    try {
      const url = await draw({ project: alone(project.body, without), at, width, list: true, soon: true }, coming.signal);
      const picture = new Image();
      picture.src = url;
      await picture.decode();
      URL.revokeObjectURL(url);
      this.bare = { look, picture };
    } catch {
      // Without it the box alone follows the hand.
    }
  }

  /**
   * The elements leave the picture and hang in the hand. `place` is where they are, with the angle of a single one and what
   * they reach to when turned; `fresh` says that the frame shows them there. Those that hang there already, because their frame is still being drawn, are taken hold of again.
   */
  lift(chosen, at, canvas, place, fresh) {
    const { project, frame } = this;
    if (this.lifted && this.held === String(chosen)) return true;
    const scene = project.current;
    const without = { ...scene, clips: scene.clips.filter((_, n) => !chosen.includes(n)) };
    const ready = fresh && this.bare?.look === `${at} ${lookOf(project.body, without)}` && frame.naturalWidth;
    if (!ready || this.bare.picture.naturalWidth !== frame.naturalWidth) return false;
    const [wide, high] = [frame.naturalWidth, frame.naturalHeight];
    this.scale = wide / canvas[0];
    const around = reach(place.reach, this.scale, wide, high);
    this.cut = cutOut(pixels(frame, around), pixels(this.bare.picture, around));
    // Elsewhere the frame stays as it is: without the element a presenter would stand there another way.
    this.ground = new OffscreenCanvas(wide, high);
    const paint = this.ground.getContext("2d");
    paint.drawImage(frame, 0, 0);
    paint.drawImage(this.bare.picture, ...around, ...around);
    this.around = around;
    this.held = String(chosen);
    this.from = place;
    this.screen.width = wide;
    this.screen.height = high;
    this.screen.hidden = false;
    return true;
  }

  /** Draws them where they are now, as large as they are now, in units of the canvas. */
  move(to) {
    const { screen, scale, cut, from } = this;
    const paint = screen.getContext("2d");
    const angle = (from.angle * Math.PI) / 180;
    paint.drawImage(this.ground, 0, 0);
    paint.save();
    // What is turned grows along its own sides, and turns about its left top corner.
    paint.translate(to.left * scale, to.top * scale);
    paint.rotate(angle);
    paint.scale(to.width / from.width, to.height / from.height);
    paint.rotate(-angle);
    paint.drawImage(cut, this.around[0] - from.left * scale, this.around[1] - from.top * scale);
    paint.restore();
  }

  /** The place where they stood, without them. */
  clear() {
    this.screen.getContext("2d").drawImage(this.ground, 0, 0);
  }

  drop() {
    this.screen.hidden = true;
    this.cut = null;
  }

  /** Until the new frame is there what was moved stays where it was put. */
  get lifted() {
    return !this.screen.hidden;
  }
}

/** Where pixels of elements may be, as `[x, y, width, height]`: shadows and hands reach out of their places. */
function reach({ left, top, width, height }, scale, wide, high) {
  const [dx, dy] = [width * OUT, height * OUT];
  const from = (value, most) => Math.max(0, Math.min(most, Math.floor(value * scale)));
  const [x, y] = [from(left - dx, wide), from(top - dy, high)];
  const [right, bottom] = [from(left + width + dx, wide), from(top + height + dy, high)];
  return [x, y, Math.max(1, right - x), Math.max(1, bottom - y)];
}

function pixels(picture, [x, y, width, height]) {
  const paint = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  paint.drawImage(picture, x, y, width, height, 0, 0, width, height);
  return paint.getImageData(0, 0, width, height);
}

/** What of `full` is not in `bare`, as a picture with transparency. */
function cutOut(full, bare) {
  const { data, width, height } = full;
  for (let at = 0; at < data.length; at += 4) {
    const apart = Math.max(
      Math.abs(data[at] - bare.data[at]),
      Math.abs(data[at + 1] - bare.data[at + 1]),
      Math.abs(data[at + 2] - bare.data[at + 2]),
    );
    data[at + 3] = apart <= NOISE ? 0 : apart >= SOLID ? 255 : ((apart - NOISE) / (SOLID - NOISE)) * 255;
  }
  const sheet = new OffscreenCanvas(width, height);
  sheet.getContext("2d").putImageData(full, 0, 0);
  return sheet;
}
