// One document, watched on its way, then straight into the editor.
import { make } from "./app.js";
import { sendWatched } from "./send.js";

const drop = document.getElementById("drop"),
  input = drop.querySelector("input"),
  shelf = document.getElementById("sending");
const wish = document.getElementById("wish");

const ground = document.getElementById("ground"),
  colour = document.getElementById("ground-colour");

wish.addEventListener("submit", (event) => event.preventDefault());
ground.addEventListener("change", () => {
  colour.hidden = ground.value !== "colour";
});

const told = (id, title, texts) =>
  make(
    "li",
    { class: "stack", id },
    make("b", {}, title),
    make("ul", {}, ...texts.map((text) => make("li", {}, text))),
  );

async function take(file) {
  if (!file) return;
  const bar = make("progress", { max: 100, value: 0, "aria-label": `Progress of ${file.name}` });
  const word = make("span", { class: "muted" }, "Sending…");
  shelf.replaceChildren(make("li", {}, make("b", {}, file.name), bar, word));
  drop.inert = true;
  try {
    const where = new URLSearchParams({
      name: file.name,
      workspace: document.getElementById("workspace")?.value ?? "",
    });
    for (const choice of wish.elements) {
      if (!choice.name || (choice.type === "radio" && !choice.checked)) continue;
      where.set(choice.name, choice.type === "checkbox" ? choice.checked : choice.value);
    }
    if (ground.value === "colour") where.set("background", colour.value);
    const done = await sendWatched(`/app/import?${where}`, file, (percent) => {
      bar.value = percent;
      if (percent >= 100) {
        bar.removeAttribute("value");
        word.textContent = "Reading the slides…";
      }
    });
    word.textContent = "Ready";
    const next = done.ready ? `/projects/${done.id}/edit` : `/projects/${done.id}#imported`;
    const renewed = where.get("projectId") && done.ready ? done.changes : [];
    if (!done.warnings.length && !renewed.length) return location.assign(next);
    // What looks otherwise than in the document, or than before, is said before anybody wonders.
    bar.hidden = true;
    if (renewed.length) shelf.append(told("import-changes", "What the new version changed", renewed));
    if (done.warnings.length) shelf.append(told("import-warnings", "Worth knowing", done.warnings));
    shelf.lastElementChild.append(make("a", { class: "button", href: next }, "Open the scenes"));
  } catch (error) {
    bar.hidden = true;
    word.className = "why";
    word.textContent = error.message;
  } finally {
    drop.inert = false;
    input.value = "";
  }
}

input.addEventListener("change", () => take(input.files[0]));
drop.addEventListener("dragover", (event) => {
  event.preventDefault();
  drop.classList.add("over");
});
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  take(event.dataTransfer.files[0]);
});
