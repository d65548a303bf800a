// How near the picture is looked at: it grows inside its room, which then scrolls.
const STEPS = [1, 1.5, 2, 3, 4];

export class View {
  constructor(canvas) {
    this.canvas = canvas;
    this.room = document.getElementById("canvas-room");
    this.at = 0;
    const button = (id, work) => {
      const found = document.getElementById(id);
      found.addEventListener("click", work);
      return found;
    };
    this.less = button("zoom-out", () => this.zoom(this.at - 1));
    this.whole = button("zoom-whole", () => this.zoom(0));
    this.more = button("zoom-in", () => this.zoom(this.at + 1));
    this.room.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        this.zoom(this.at + (event.deltaY < 0 ? 1 : -1), event);
      },
      { passive: false },
    );
    this.zoom(0);
  }

  /** Keeps what is under the pointer where it is; without one, what is chosen comes to the middle, or the middle stays. */
  zoom(to, pointer) {
    this.at = Math.max(0, Math.min(STEPS.length - 1, to));
    const factor = STEPS[this.at];
    const { room } = this;
    const screen = this.canvas.room;
    const before = screen.getBoundingClientRect();
    const frame = room.getBoundingClientRect();
    const middle = (rect) => [rect.left + rect.width / 2, rect.top + rect.height / 2];
    const [x, y] = pointer ? [pointer.clientX, pointer.clientY] : middle(frame);
    const chosen = pointer ? null : screen.querySelector(".box.chosen");
    const [from, below] = chosen ? middle(chosen.getBoundingClientRect()) : [x, y];
    const [u, v] = [(from - before.left) / before.width, (below - before.top) / before.height];
    if (this.at && !room.classList.contains("near")) {
      room.style.height = `${before.height}px`;
      this.width = before.width;
    }
    room.classList.toggle("near", this.at > 0);
    screen.style.width = this.at ? `${this.width * factor}px` : "";
    if (!this.at) room.style.height = "";
    const after = screen.getBoundingClientRect();
    room.scrollLeft += after.left + u * after.width - x;
    room.scrollTop += after.top + v * after.height - y;
    this.whole.textContent = `${factor * 100} %`;
    this.whole.setAttribute("aria-label", `${factor * 100} percent, see all`);
    [this.less.disabled, this.more.disabled] = [this.at === 0, this.at === STEPS.length - 1];
    this.canvas.finer(factor > 1);
  }
}
