// One project: progress as it happens, exports, renaming, and the request that would make it.
import { send, make, attempt, ask, toast, times, quoted, copyText } from "./app.js";
import { live, latest, calmly } from "./live.js";
import { watch } from "./watch.js";
import { anchorOf, placeOf, showStops } from "./stops.js";

const { id } = document.getElementById("project").dataset;

// Everything that an export changes; the player stays as it is when its film does.
const PARTS = ["stage", "facts", "aside", "pills", "doings", "history", "warnings", "scene-strip", "mail"];
const refresh = calmly(async () => {
  const page = await latest();
  for (const part of PARTS) {
    const here = document.getElementById(part),
      there = page.getElementById(part);
    if (here && there && told(here) !== told(there)) replace(here, there);
    else if (here && !there) here.remove();
    else if (!here && there) place(part, there);
  }
  times();
  edited();
  watched();
}, 600);

/** Puts a part as it is now in the place of what it was. Whoever watches goes on watching. */
function replace(here, there) {
  const export_ = (part) => part.querySelector("[data-export]")?.dataset.export;
  const player = here.querySelector("#watch");
  if (player && export_(here) === export_(there)) return agree(here, there);
  here.replaceWith(there);
  const film = there.querySelector("video");
  if (!player?.currentTime || !film) return;
  film.currentTime = player.currentTime;
  if (!player.paused) film.play().catch(() => {});
}

/** What stands beside a player says what the rest of the page says, whether or not an event told of it. */
function agree(here, there) {
  for (const name of ["doing", "percent", "left"]) {
    const [now, then] = [here, there].map((part) => part.querySelector(`#${name}`));
    if (now && then && now.textContent !== then.textContent) now.textContent = then.textContent;
  }
  const [bar, next] = [here, there].map((part) => part.querySelector("#progress"));
  if (bar && next) bar.value = next.value;
}

// What is drawn of a film that is being made.
let leave = null;
let at = null;
function watched() {
  const player = document.getElementById("watch");
  if (player === at) return;
  leave?.();
  [at, leave] = [player, null];
  if (!player) return;
  player.addEventListener(
    "loadeddata",
    () => {
      player.hidden = false;
      player.closest(".screen").classList.add("watching");
    },
    { once: true },
  );
  leave = watch(player, player.dataset.stream);
}
watched();

/** Nobody watches what is not made any more: its stream is gone. */
function unwatched() {
  leave?.();
  [at, leave] = [null, null];
}

/** What a part says. Pictures of the strip that have come are not fetched again for nothing. */
function told(part) {
  if (part.id !== "scene-strip") return part.outerHTML;
  return [...part.querySelectorAll(".strip-open")]
    .map((scene) => `${scene.dataset.seek} ${scene.textContent}`)
    .join("\n");
}

/** Puts a part that was not there yet behind the one that comes before it. */
function place(part, element) {
  const order = ["warnings", "scene-strip", "history", "mail"];
  const before = order
    .slice(0, order.indexOf(part))
    .reverse()
    .map((one) => document.getElementById(one))
    .find(Boolean);
  if (before) before.after(element);
  else document.querySelector(".sections").prepend(element);
}

live({
  onchange(change) {
    if (change.project !== id) return;
    const screen = document.querySelector(`[data-export="${CSS.escape(change.export)}"]`);
    if (change.over) unwatched();
    if (change.over || !screen) return refresh();
    const pill = document.getElementById("state-pill");
    [pill.textContent, pill.className] = [change.pill, `pill ${change.tone}`];
    document.getElementById("progress").value = change.progress;
    document.getElementById("percent").textContent = Math.floor(change.progress);
    const doing = document.getElementById("doing");
    if (doing.textContent !== change.words) doing.textContent = change.words;
    left(change.progress);
  },
  onagain: refresh,
});

// How much longer, from the pace since the page was opened.
let began = null;
function left(progress) {
  began ??= { at: Date.now(), progress };
  const done = progress - began.progress,
    seconds = (Date.now() - began.at) / 1000;
  if (done < 4 || seconds < 3) return;
  const rest = Math.round((seconds * (100 - progress)) / done);
  document.getElementById("left").textContent =
    `about ${Math.floor(rest / 60)}:${String(rest % 60).padStart(2, "0")} left`;
}

// An import has no events of its own.
const importing = setInterval(() => {
  if (document.querySelector("[data-importing]")) refresh();
  else clearInterval(importing);
}, 1500);

/** Who came from an import wants to see its scenes: the editor opens when they are there. */
function edited() {
  const ready = !document.querySelector("[data-importing]") && document.querySelector("#doings a[href$='/edit']");
  if (location.hash === "#imported" && ready) location.replace(`/projects/${id}/edit`);
}
edited();

async function exported(wanted, button) {
  button.disabled = true;
  try {
    await send("POST", `/app/projects/${id}/export`, wanted);
    toast("Your film is on its way");
    began = null;
    refresh();
  } catch (error) {
    refused(error);
  }
  button.disabled = false;
  document.getElementById("export").close();
}

/** Why no film can be made: each reason leads to its place in the editor. */
function refused(error) {
  if (!error.details?.length) return toast(error.message, { bad: true });
  const link = ({ path }) => make("a", { href: `/projects/${id}/edit${anchorOf(placeOf(path))}` });
  showStops(error.details, link);
}

document.addEventListener("submit", async (event) => {
  if (event.target.id !== "share-form") return;
  event.preventDefault();
  const days = Number(event.target.elements.namedItem("days").value);
  const button = event.target.querySelector("button");
  const shared = await attempt(() => send("POST", `/app/projects/${id}/share`, { days }), button);
  if (!shared) return;
  document.getElementById("shared-link").value = shared.link;
  document.getElementById("shared-until").dateTime = shared.until;
  document.getElementById("shared").hidden = false;
  times();
  await copyText(shared.link, event.target);
  toast("Copied: a link to this film");
});

document.getElementById("export-form").addEventListener("submit", (event) => {
  event.preventDefault();
  exported(Object.fromEntries(new FormData(event.target)), event.target.querySelector("button:not([type])"));
});

document.getElementById("rename-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const wanted = event.target.elements.namedItem("name").value;
  const done = await attempt(
    () => send("POST", `/app/projects/${id}/rename`, { name: wanted }),
    event.target.querySelector("button:not([type])"),
  );
  if (!done) return;
  document.getElementById("rename").close();
  document.getElementById("name").textContent = done.name;
  document.title = `${done.name} · Compere`;
});

// The strip leads through the film.
document.addEventListener("click", (event) => {
  const scene = event.target.closest("[data-seek]");
  const player = document.querySelector("#stage video, #stage audio");
  if (!scene || !player) return;
  player.currentTime = Number(scene.dataset.seek) + 0.02;
  player.play().catch(() => {});
  player.scrollIntoView({ block: "nearest", behavior: "smooth" });
});
document.addEventListener(
  "timeupdate",
  (event) => {
    const now = event.target.currentTime;
    const scenes = [...document.querySelectorAll("[data-seek]")];
    const current = scenes.findLast((scene) => Number(scene.dataset.seek) <= now);
    for (const scene of scenes) {
      if (scene === current) scene.setAttribute("aria-current", "true");
      else scene.removeAttribute("aria-current");
    }
  },
  true,
);

document.addEventListener("click", async (event) => {
  const button = event.target.closest("#cancel, #sound-only, [data-replay], [data-do]");
  if (!button) return;
  if (
    button.id === "cancel" &&
    (await ask(
      "Stop making this film?",
      "What is finished of it is thrown away. No credits are used.",
      "Stop it",
      "Go on",
    ))
  ) {
    unwatched();
    if (await attempt(() => send("POST", `/app/projects/${id}/cancel`), button)) toast("Stopping…");
    refresh();
  }
  if (button.id === "sound-only") exported({ resolution: "1080", format: "wav" }, button);
  if (
    button.dataset.replay &&
    (await attempt(() => send("POST", `/app/deliveries/${button.dataset.replay}/replay`), button))
  ) {
    toast("The webhook is sent again");
    setTimeout(refresh, 1500);
  }
  const what = button.dataset.do;
  if (what) document.getElementById("project-menu").hidePopover();
  if (what === "rename") document.getElementById("rename").showModal();
  if (what === "duplicate") {
    const copy = await attempt(() => send("POST", `/app/projects/${id}/duplicate`));
    if (copy) location.assign(`/projects/${copy.id}`);
  }
  if (
    what === "delete" &&
    (await ask(
      `Delete ${quoted(document.getElementById("name").textContent)}?`,
      "The project, its films and its history are removed. This cannot be undone.",
    ))
  ) {
    if (await attempt(() => send("POST", "/app/projects/delete", { ids: [id] }))) location.assign("/projects");
  }
});

// The request is long and rarely wanted: it comes when somebody looks.
document.getElementById("code").addEventListener("toggle", async (event) => {
  if (!event.target.open || document.getElementById("curl").textContent) return;
  const found = await attempt(() => send("GET", `/app/projects/${id}/body`));
  if (!found) return;
  const json = JSON.stringify(found.body, null, 2);
  document.getElementById("json").textContent = json;
  const curl = document.getElementById("curl");
  // All of it, so that it can be pasted as it is. No line of the body is the word that ends it.
  curl.textContent = `curl -s ${curl.dataset.base}/api/odin/v3/editor/project \\\n  -H "Authorization: $TOKEN" \\\n  -H "Content-Type: application/json" \\\n  --data-binary @- <<'JSON'\n${json}\nJSON\n`;
});
