// The queue as it is now. It concerns everybody's films, so it is asked for rather than told.
import { times } from "./app.js";
import { latest, calmly } from "./live.js";

const look = calmly(async () => {
  const page = await latest();
  const here = document.getElementById("queue"),
    there = page.getElementById("queue");
  if (here && there && here.outerHTML !== there.outerHTML) {
    here.replaceWith(there);
    times(there);
  }
});
setInterval(() => document.visibilityState === "visible" && look(), 2000);
