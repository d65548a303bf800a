// One project: progress as it happens, exports, renaming, and the request that would make it.
import { send, attempt, ask, toast, times } from "./app.js";
import { live, latest, calmly } from "./live.js";

const { id, name } = document.getElementById("project").dataset;

// Everything that an export changes; the player stays as it is when its film does.
const PARTS = ["stage", "facts", "aside", "state-pill", "history", "warnings", "mail"];
const refresh = calmly(async () => {
  const page = await latest();
  for (const part of PARTS) {
    const here = document.getElementById(part), there = page.getElementById(part);
    if (here && there && here.outerHTML !== there.outerHTML) here.replaceWith(there);
    else if (here && !there) here.remove();
    else if (!here && there) document.querySelector(".sections").prepend(there);
  }
  times();
}, 600);

live({
  onchange(change) {
    if (change.project !== id) return;
    const screen = document.querySelector(`[data-export="${CSS.escape(change.export)}"]`);
    if (change.over || !screen) return refresh();
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
  const done = progress - began.progress, seconds = (Date.now() - began.at) / 1000;
  if (done < 4 || seconds < 3) return;
  const rest = Math.round((seconds * (100 - progress)) / done);
  document.getElementById("left").textContent = `about ${Math.floor(rest / 60)}:${String(rest % 60).padStart(2, "0")} left`;
}

// An import has no events of its own.
const importing = setInterval(() => {
  if (document.querySelector("[data-importing]")) refresh();
  else clearInterval(importing);
}, 1500);

async function exported(wanted, button) {
  const done = await attempt(() => send("POST", `/app/projects/${id}/export`, wanted), button);
  if (!done) return;
  document.getElementById("export").close();
  toast("Your film is on its way");
  began = null;
  refresh();
}

document.getElementById("export-form").addEventListener("submit", (event) => {
  event.preventDefault();
  exported(Object.fromEntries(new FormData(event.target)), event.target.querySelector("button:not([type])"));
});

document.getElementById("rename-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const wanted = event.target.elements.namedItem("name").value;
  const done = await attempt(() => send("POST", `/app/projects/${id}/rename`, { name: wanted }), event.target.querySelector("button:not([type])"));
  if (!done) return;
  document.getElementById("rename").close();
  document.getElementById("name").textContent = done.name;
  document.title = `${done.name} · Compere`;
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("#cancel, #sound-only, [data-replay], [data-do]");
  if (!button) return;
  if (button.id === "cancel" && (await ask("Cancel this export?", "What is finished of it is thrown away. No credits are used.", "Cancel it"))) {
    if (await attempt(() => send("POST", `/app/projects/${id}/cancel`), button)) toast("Stopping…");
    refresh();
  }
  if (button.id === "sound-only") exported({ resolution: "1080", format: "wav" }, button);
  if (button.dataset.replay && (await attempt(() => send("POST", `/app/deliveries/${button.dataset.replay}/replay`), button))) {
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
  if (what === "delete" && (await ask(`Delete “${name}”?`, "The project, its films and its history are removed. This cannot be undone."))) {
    if (await attempt(() => send("POST", "/app/projects/delete", { ids: [id] }))) location.assign("/projects");
  }
});

// The request is long and rarely wanted: it comes when somebody looks.
document.getElementById("code").addEventListener("toggle", async (event) => {
  if (!event.target.open || document.getElementById("curl").textContent) return;
  const found = await attempt(() => send("GET", `/app/projects/${id}/body`));
  if (!found) return;
  document.getElementById("json").textContent = JSON.stringify(found.body, null, 2);
  const curl = document.getElementById("curl");
  curl.textContent = `curl -s ${curl.dataset.base}/api/odin/v3/editor/project \\\n  -H "Authorization: $TOKEN" \\\n  -H "Content-Type: application/json" \\\n  -d @project.json`;
});
