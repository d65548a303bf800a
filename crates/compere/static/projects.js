// The grid: live progress, search as one types, actions on one film or many.
import { send, attempt, ask, toast, times, quoted } from "./app.js";
import { live, latest, calmly } from "./live.js";

const grid = document.getElementById("grid");
const chosen = new Set();

const card = (id) => grid?.querySelector(`.film[data-id="${CSS.escape(id)}"]`);

// Films that ended, or that nobody here has seen yet, come from the server as it would draw them.
const refresh = calmly(async () => {
  const page = await latest();
  const fresh = page.getElementById("grid");
  if (!grid || !fresh) {
    if (fresh) location.reload();
    return;
  }
  const list = grid.querySelector(".films"),
    newer = fresh.querySelector(".films");
  if (!list || !newer) {
    grid.replaceChildren(...fresh.childNodes);
    times(grid);
    return;
  }
  const known = new Map([...list.children].map((film) => [film.dataset.id, film]));
  const next = [...newer.children].map((film) => {
    const old = known.get(film.dataset.id);
    if (old && old.outerHTML === film.outerHTML) return old;
    const focused = old?.contains(document.activeElement) ? document.activeElement.className : "";
    film.querySelector(".film-check").checked = chosen.has(film.dataset.id);
    if (focused) queueMicrotask(() => film.getElementsByClassName(focused)[0]?.focus());
    return film;
  });
  list.replaceChildren(...next);
  times(list);
});

live({
  onchange(change) {
    const film = card(change.project);
    if (!film || change.over || !film.classList.contains("busy")) return refresh();
    film.querySelector("progress").value = change.progress;
    film.querySelector(".film-doing").textContent = change.short;
    if (film.dataset.state !== change.state) refresh();
  },
  onagain: refresh,
});

// Imports have no events of their own.
setInterval(
  () => grid?.querySelector('[data-state="importing"]') && document.visibilityState === "visible" && refresh(),
  2000,
);

// Search and filters change what is shown, and the address with it.
const filters = document.getElementById("filters");
let typing = 0;
async function filter() {
  const query = new URLSearchParams([...new FormData(filters)].filter(([, value]) => value));
  history.replaceState(null, "", query.size ? `/projects?${query}` : "/projects");
  const page = await attempt(latest);
  const fresh = page?.getElementById("grid");
  if (fresh) grid.replaceChildren(...fresh.childNodes);
  chosen.clear();
  count();
  times(grid);
}
filters?.addEventListener("input", (event) => {
  clearTimeout(typing);
  typing = setTimeout(filter, event.target.name === "q" ? 250 : 0);
});
filters?.addEventListener("submit", (event) => {
  event.preventDefault();
  filter();
});

// Choosing several.
const bulk = document.getElementById("bulk");
function count() {
  bulk.hidden = chosen.size === 0;
  document.getElementById("bulk-count").textContent = `${chosen.size} selected`;
  grid.classList.toggle("selecting", chosen.size > 0);
}
let last = null;
grid?.addEventListener("click", (event) => {
  const box = event.target.closest(".film-check");
  if (!box) return;
  const films = [...grid.querySelectorAll(".film")];
  const at = films.indexOf(box.closest(".film"));
  const from = event.shiftKey && last !== null ? last : at;
  for (const film of films.slice(Math.min(from, at), Math.max(from, at) + 1)) {
    film.querySelector(".film-check").checked = box.checked;
    if (box.checked) chosen.add(film.dataset.id);
    else chosen.delete(film.dataset.id);
  }
  last = at;
  count();
});
function clear() {
  chosen.clear();
  for (const box of grid.querySelectorAll(".film-check")) box.checked = false;
  count();
}
document.getElementById("bulk-clear")?.addEventListener("click", clear);
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && chosen.size && !document.querySelector("dialog[open], :popover-open")) clear();
});

async function remove(ids, names) {
  const one = ids.length === 1;
  const sure = await ask(
    one ? `Delete ${quoted(names[0])}?` : `Delete ${ids.length} films?`,
    `${one ? "The project, its films and its history are" : "The projects, their films and their histories are"} removed. This cannot be undone.`,
  );
  if (!sure) return;
  const done = await attempt(() => send("POST", "/app/projects/delete", { ids }));
  if (!done) return;
  for (const id of ids) {
    card(id)?.remove();
    chosen.delete(id);
  }
  count();
  toast(done.deleted === 1 ? "Deleted" : `${done.deleted} films deleted`);
  if (!grid.querySelector(".film")) location.assign("/projects");
}

function move(ids) {
  const dialog = document.getElementById("move");
  dialog.returnValue = "no";
  dialog.showModal();
  dialog.addEventListener(
    "close",
    async () => {
      if (dialog.returnValue !== "yes") return;
      const select = dialog.querySelector("select");
      const done = await attempt(() => send("POST", "/app/projects/move", { ids, workspace: select.value }));
      if (done) toast(`Moved to ${select.value ? quoted(select.selectedOptions[0].text) : "no workspace"}`);
      clear();
      refresh();
    },
    { once: true },
  );
}

document.getElementById("bulk-delete")?.addEventListener("click", () =>
  remove(
    [...chosen],
    [...chosen].map((id) => card(id)?.dataset.name),
  ),
);
document.getElementById("bulk-move")?.addEventListener("click", () => move([...chosen]));
document.getElementById("bulk-export")?.addEventListener("click", async (event) => {
  const done = await attempt(
    () => send("POST", "/app/projects/export", { ids: [...chosen], resolution: "1080" }),
    event.currentTarget,
  );
  if (!done) return;
  if (done.problem) toast(done.problem, { bad: true });
  if (done.started) toast(done.started === 1 ? "1 film is on its way" : `${done.started} films are on their way`);
  clear();
  refresh();
});

// The menu of one film.
const menu = document.getElementById("film-menu");
let film = null;
grid?.addEventListener("click", (event) => {
  const button = event.target.closest(".film-more");
  if (!button) return;
  film = button.closest(".film");
  menu.querySelector('[data-do="open"]').href = `/projects/${film.dataset.id}`;
  menu.querySelector('[data-do="edit"]').href = `/projects/${film.dataset.id}/edit`;
  menu.showPopover();
  const at = button.getBoundingClientRect();
  menu.style.left = `${Math.max(8, Math.min(at.right - menu.offsetWidth, innerWidth - menu.offsetWidth - 8))}px`;
  menu.style.top = `${at.bottom + 6 + menu.offsetHeight < innerHeight ? at.bottom + 6 : Math.max(8, at.top - menu.offsetHeight - 6)}px`;
});
menu?.addEventListener("click", async (event) => {
  const what = event.target.closest("[data-do]")?.dataset.do;
  if (!what || !film) return;
  menu.hidePopover();
  const { id, name } = film.dataset;
  if (what === "delete") remove([id], [name]);
  if (what === "move") move([id]);
  if (what === "duplicate" && (await attempt(() => send("POST", `/app/projects/${id}/duplicate`)))) {
    toast("Duplicated");
    refresh();
  }
});
