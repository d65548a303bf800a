// Contact sheets, samples of voices, files.
import { ask, attempt, icon, make, quoted, send, toast } from "./app.js";
import { sendWatched } from "./send.js";
import { Player } from "./sounds.js";

document.addEventListener("click", async (event) => {
  const sheet = event.target.closest("[data-sheet]");
  if (sheet) {
    const dialog = document.getElementById("sheet"),
      picture = document.getElementById("sheet-picture");
    document.getElementById("sheet-title").textContent = sheet.dataset.title;
    picture.removeAttribute("src");
    picture.src = sheet.dataset.sheet;
    dialog.showModal();
  }
  const voice = event.target.closest("[data-play]");
  if (voice) player.turn(voice.dataset.play).catch(() => toast("This voice cannot be heard right now.", { bad: true }));
  const file = event.target.closest("[data-delete-file]");
  if (file)
    await remove(file, `/app/assets/${file.dataset.deleteFile}`, "Projects that use it cannot be exported any more.");
  const font = event.target.closest("[data-delete-font]");
  if (font)
    await remove(
      font,
      `/app/fonts/${font.dataset.deleteFont}`,
      "Texts that name it are written with another font from now on.",
    );
});

/** Asks, and deletes what the button's line or row shows. */
async function remove(button, where, then) {
  const sure = await ask(`Delete ${quoted(button.dataset.name)}?`, `Films that were made with it stay. ${then}`);
  if (!sure || !(await attempt(() => send("POST", `${where}/delete`), button))) return;
  button.closest("li, tr").remove();
  toast("Deleted");
}

// There are some hundred voices: the page names them, and their buttons are made here.
for (const line of document.querySelectorAll("li[data-voice]")) {
  const { voice, note } = line.dataset;
  const name = line.textContent;
  line.dataset.name = name;
  line.replaceChildren(
    make(
      "button",
      {
        class: "button quiet square",
        type: "button",
        "data-play": `/app/voices/${voice}/sample.wav`,
        "aria-label": `Play ${name}`,
      },
      icon("play"),
    ),
    make("span", { class: "grow" }, make("b", {}, name), make("small", {}, note)),
    make(
      "button",
      {
        class: "button bare small square",
        type: "button",
        "data-copy": voice,
        "aria-label": `Copy the id ${voice}`,
        title: voice,
      },
      icon("copy"),
    ),
  );
}

const player = new Player(() => {
  for (const one of document.querySelectorAll("[data-play]"))
    one.classList.toggle("playing", player.plays(one.dataset.play));
});

document.getElementById("voice-search")?.addEventListener("input", (event) => {
  const wish = event.target.value.trim().toLowerCase();
  let any = false;
  for (const language of document.querySelectorAll(".language")) {
    const all = language.dataset.language.toLowerCase().includes(wish);
    let some = false;
    for (const line of language.querySelectorAll("[data-voice]")) {
      line.hidden = !(all || `${line.dataset.name} ${line.dataset.voice}`.toLowerCase().includes(wish));
      some ||= !line.hidden;
    }
    language.hidden = !some;
    any ||= some;
  }
  document.getElementById("no-voice").hidden = any;
});

const drop = document.querySelector('#drop[data-kind="asset"], #drop[data-kind="font"]');
if (drop) {
  const input = drop.querySelector("input");
  drop.addEventListener("dragover", (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    all([...event.dataTransfer.files]);
  });
  input.addEventListener("change", () => {
    all([...input.files]);
    // The same file may be chosen once more.
    input.value = "";
  });
}

// Of fonts only: what is said of them goes along.
const mayUse = document.getElementById("may-use");

function address(file) {
  const name = `name=${encodeURIComponent(file.name)}`;
  return mayUse ? `/app/fonts?${name}&licence=${mayUse.checked}` : `/app/assets?${name}`;
}

async function all(files) {
  if (mayUse && !mayUse.checked) {
    mayUse.focus();
    toast("Say first that you may use the fonts.", { bad: true });
    return;
  }
  let sent = 0;
  for (const file of files) {
    const bar = make("progress", { max: 100, value: 0, "aria-label": `Progress of ${file.name}` });
    const word = make("span", { class: "muted" }, "Sending…");
    const line = make("li", {}, make("b", {}, file.name), bar, word);
    document.getElementById("sending").append(line);
    try {
      await sendWatched(address(file), file, (percent) => (bar.value = percent));
      word.textContent = "Ready";
      sent += 1;
    } catch (error) {
      bar.hidden = true;
      word.textContent = error.message;
      word.className = "why";
    }
  }
  if (sent === files.length) location.reload();
}
