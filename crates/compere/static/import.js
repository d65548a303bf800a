// One document, watched on its way, then straight into the editor.
import { make } from "./app.js";
import { sendWatched } from "./send.js";

const drop = document.getElementById("drop"), input = drop.querySelector("input"), shelf = document.getElementById("sending");

async function take(file) {
  if (!file) return;
  const bar = make("progress", { max: 100, value: 0, "aria-label": `Progress of ${file.name}` });
  const word = make("span", { class: "muted" }, "Sending…");
  shelf.replaceChildren(make("li", {}, make("b", {}, file.name), bar, word));
  drop.inert = true;
  try {
    const where = new URLSearchParams({ name: file.name, workspace: document.getElementById("workspace")?.value ?? "" });
    const done = await sendWatched(`/app/import?${where}`, file, (percent) => {
      bar.value = percent;
      if (percent >= 100) {
        bar.removeAttribute("value");
        word.textContent = "Reading the slides…";
      }
    });
    word.textContent = "Ready";
    location.assign(done.ready ? `/projects/${done.id}/edit` : `/projects/${done.id}`);
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
