// What happens to films, as it happens. One connection for a page, opened again when it breaks.

export function live({ onchange, onagain }) {
  let source,
    lost = false;
  const again = () => {
    if (source.readyState === EventSource.CLOSED && document.visibilityState !== "hidden") open();
  };
  const open = () => {
    source = new EventSource("/app/events");
    source.addEventListener("change", (event) => onchange(JSON.parse(event.data)));
    source.addEventListener("again", () => onagain());
    source.addEventListener("hello", () => {
      // A film that was being made as the page was written may have been finished before anybody listened.
      if (lost || document.querySelector(".pill.busy")) onagain();
      lost = false;
    });
    source.addEventListener("error", () => {
      lost = true;
      // Refused rather than broken off: too many pages are open, and some will be closed.
      if (source.readyState === EventSource.CLOSED && document.visibilityState !== "hidden") setTimeout(again, 15000);
    });
  };
  open();
  // Browsers allow six connections; a page that nobody looks at needs none.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") return source.close();
    if (source.readyState !== EventSource.CLOSED) return;
    open();
    onagain();
  });
  // A page that is left for another one must not hold a connection.
  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", (event) => {
    if (event.persisted) {
      open();
      onagain();
    }
  });
}

/** The same page as it would be now. */
export async function latest() {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  if (!answer.ok) throw new Error("The page could not be loaded again.");
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

/** Calls at most once in a while, and once more after the last wish. */
export function calmly(work, pause = 400) {
  let waiting = 0,
    again = false;
  const run = async () => {
    again = false;
    try {
      await work();
    } catch {
      // The next event tries again.
    }
    waiting = setTimeout(() => {
      waiting = 0;
      if (again) run();
    }, pause);
  };
  return () => {
    again = true;
    if (!waiting) run();
  };
}
