// A presenter of one's own footage: camera, checks, takes one by one, and how making it gets on.
import { ask, attempt, icon, make, send, toast } from "./app.js";
import { PLAIN, ear } from "./microphone.js";
import { prompter } from "./prompter.js";
import { sendWatched } from "./send.js";

const room = document.getElementById("own");
let own = JSON.parse(room.dataset.own);
/** Where the person takes the presenter away: told once, by the answer that gave out the text. */
let link = null;
const at = (path = "") => `/app/own/${own.id}${path}`;
const byId = (id) => document.getElementById(id);

/** Seconds of a take: silence and consent are as long as they are meant to be, lines until somebody stops. */
const LONGEST = { idle: 20, talk: 40, consent: 60, line: 30 };
/** Of one long take: for each line, and never more than a film may last. */
const LONG = { line: 12, most: 870 };
/** Bits of video in a second, at most. */
const SHARP = 12_000_000;
/** Kinds that browsers record, best first. */
const KINDS = ["video/mp4;codecs=avc1,mp4a.40.2", "video/webm;codecs=vp9,opus", "video/webm;codecs=vp8,opus", "video/webm"];

// --- Camera -----------------------------------------------------------------------------------------------------------

let stream = null,
  recording = null;
const camera = byId("camera");

byId("camera-on")?.addEventListener("click", async (event) => {
  if (stream) return;
  if (!navigator.mediaDevices?.getUserMedia) {
    return toast("This browser gives no camera to this page: that needs HTTPS or this very machine. Send files instead.", {
      bad: true,
    });
  }
  const got = await attempt(
    () =>
      navigator.mediaDevices
        .getUserMedia({
          video: { width: { ideal: 1920 }, height: { ideal: 1080 }, frameRate: { ideal: 30 } },
          audio: PLAIN,
        })
        .catch((error) => {
          throw new Error(`The camera cannot be used: ${error.message}. Allow it in the browser, or send files.`);
        }),
    event.target,
  );
  if (!got) return;
  stream = got;
  camera.srcObject = stream;
  await camera.play();
  event.target.hidden = true;
  byId("camera-why").textContent = "Sit so that eyes are on the line and the chin is inside the box.";
  watchSound();
  setInterval(watchPicture, 500);
  show();
});

function check(id, word, good) {
  const place = byId(id);
  place.textContent = word;
  place.className = good ? "good" : "bad";
}

/** Size, rate and light of what the camera gives, in the middle, where the face should be. */
const small = make("canvas", { width: 64, height: 36 });
let lights = [];
function watchPicture() {
  const track = stream.getVideoTracks()[0].getSettings();
  const [width, height, rate] = [camera.videoWidth, camera.videoHeight, Math.round(track.frameRate ?? 0)];
  const fine = Math.min(width, height) >= 720 && rate >= 24;
  check("check-picture", `${width} × ${height}, ${rate} a second${fine ? "" : ": 720 lines and 24 are the least"}`, fine);
  const pen = small.getContext("2d", { willReadFrequently: true });
  pen.drawImage(camera, 0, 0, 64, 36);
  const { data } = pen.getImageData(22, 8, 20, 20);
  let sum = 0;
  for (let n = 0; n < data.length; n += 4) sum += 0.299 * data[n] + 0.587 * data[n + 1] + 0.114 * data[n + 2];
  const light = sum / (data.length / 4);
  lights = [...lights.slice(-19), light];
  const [least, most] = [Math.min(...lights), Math.max(...lights)];
  const steady = most - least < 0.25 * Math.max(most, 1);
  if (light < 60) check("check-light", "too dark: more light from the front", false);
  else if (light > 215) check("check-light", "too bright", false);
  else check("check-light", steady ? "fine" : "it changes: switch automatic exposure off", steady);
}

/** How loud it is now, and how quiet the room was, in decibels. */
const hearing = { now: -90, room: -90 };

/** Speech over the room, in decibels, from the loudest and the quietest of the last seconds. */
function watchSound() {
  const { listen } = ear(stream);
  let levels = [];
  setInterval(() => {
    levels = [...levels.slice(-99), listen()];
    const sorted = [...levels].sort((a, b) => a - b);
    const over = sorted[Math.floor(sorted.length * 0.95)] - sorted[Math.floor(sorted.length * 0.1)];
    hearing.now = levels.at(-1);
    hearing.room = sorted[Math.floor(sorted.length * 0.1)];
    const words = over > 25 ? "fine" : over > 15 ? "a bit near to the room's noise" : "say something; speech has to stand out";
    check("check-sound", `${Math.round(over)} dB above the room: ${words}`, over > 15);
  }, 100);
}

/** Chromium says of every WebM that it may be transparent (AlphaMode is 1), and such footage is refused. A camera's is not. */
async function solid(film) {
  const HEAD = 4096;
  const head = new Uint8Array(await film.slice(0, HEAD).arrayBuffer());
  const at = head.findIndex((_, n) => [0x53, 0xc0, 0x81, 0x01].every((byte, k) => head[n + k] === byte));
  if (!film.type.startsWith("video/webm") || at < 0) return film;
  head[at + 3] = 0;
  return new Blob([head, film.slice(HEAD)], { type: film.type });
}

/** Records until `stop` is called, or for so long; resolves to a file. */
function record(longest, onsecond) {
  const kind = KINDS.find((one) => MediaRecorder.isTypeSupported(one));
  // A long take has to be small enough to be sent.
  const videoBitsPerSecond = Math.min(SHARP, Math.floor((Number(room.dataset.most) * 8 * 0.85) / longest));
  const recorder = new MediaRecorder(stream, { mimeType: kind, videoBitsPerSecond });
  const parts = [];
  recorder.addEventListener("dataavailable", (event) => parts.push(event.data));
  const ended = new Promise((settle) =>
    recorder.addEventListener("stop", () => settle(solid(new Blob(parts, { type: recorder.mimeType })))),
  );
  const began = Date.now();
  recorder.start(1000);
  const clock = setInterval(() => {
    const seconds = (Date.now() - began) / 1000;
    onsecond(Math.ceil(longest - seconds));
    if (seconds >= longest) stop();
  }, 200);
  const stop = () => {
    clearInterval(clock);
    if (recorder.state !== "inactive") recorder.stop();
  };
  return { ended, stop };
}

// --- Takes ------------------------------------------------------------------------------------------------------------

const NAMED = {
  idle: "the base take",
  talk: "the free talk",
  all: "the long film",
  consent: "the consent",
  photo: "the photo",
  model: "the model",
};
const name = (key) => (key in NAMED ? key : String(key).padStart(2, "0"));
const about = (key) => NAMED[key] ?? name(key);
const query = (key) => (key === "consent" ? "consent=1" : `prompt=${key}`);

async function deliver(key, file, line, read) {
  const bar = make("progress", { max: 100, value: 0, "aria-label": `Sending ${name(key)}` });
  line.append(bar);
  try {
    const text = read ? `&text=${encodeURIComponent(read.join("\n"))}` : "";
    own = await sendWatched(at(`/takes?${query(key)}${text}`), file, (percent) => (bar.value = percent));
  } catch (error) {
    toast(error.message, { bad: true });
  }
  show();
}

async function film(key, said, line, button) {
  if (recording) return recording.stop();
  const lines = key === "all" ? unread() : null;
  const longest = lines ? Math.min(LONG.most, 20 + LONG.line * lines.length) : (LONGEST[key] ?? LONGEST.line);
  const words = byId("own-line");
  words.textContent = said;
  words.lang = Number.isInteger(key) || lines ? tongue() : "";
  byId("own-camera").scrollIntoView({ block: "center" });
  button.replaceChildren(icon("stop"), "Stop");
  // It says for how long, and is drawn anew afterwards.
  button.removeAttribute("aria-label");
  const turns = byId("own-turns"),
    stop = byId("own-stop");
  recording = record(longest, (left) => {
    button.lastChild.textContent = `Stop (${left})`;
    stop.lastChild.textContent = `Stop recording (${left})`;
  });
  turns.hidden = false;
  byId("own-one").hidden = true;
  const reading = lines && prompter(lines, hearing, recording.stop);
  const file = await recording.ended;
  recording = null;
  const read = reading?.end();
  words.textContent = "";
  turns.hidden = true;
  if (read && !read.length) {
    toast("No line was read, so nothing was kept.", { bad: true });
    return show();
  }
  await deliver(key, file, line, read);
}

byId("own-stop")?.addEventListener("click", () => recording?.stop());

/** Lines that nobody has read alone; all of them when none is left. */
function unread() {
  const lines = [...document.querySelectorAll("[data-prompt]")];
  const alone = (line) => own.takes.some((one) => one.name === name(Number(line.dataset.prompt)));
  const left = lines.filter((line) => !alone(line));
  return (left.length ? left : lines).map((line) => line.dataset.said);
}

/** The first line that was not read yet, whose turn it is. */
function upcoming() {
  const whole = own.takes.find((one) => one.name === "all")?.text.split("\n") ?? [];
  const is = (line) => own.takes.some((one) => one.name === name(Number(line.dataset.prompt)));
  return [...document.querySelectorAll("[data-prompt]")].find((line) => !is(line) && !whole.includes(line.dataset.said));
}

byId("own-one")?.addEventListener("click", () => {
  const line = upcoming();
  line?.querySelector("[data-record]").click();
});

/** What the camera sees now, as a picture. */
async function snap(line) {
  const whole = make("canvas", { width: camera.videoWidth, height: camera.videoHeight });
  whole.getContext("2d").drawImage(camera, 0, 0);
  const file = await new Promise((settle) => whole.toBlob(settle, "image/jpeg", 0.95));
  await deliver("photo", file, line);
}

function remover(take, label) {
  const button = make(
    "button",
    { class: "button bare small square warnish", type: "button", "aria-label": `Delete ${label}` },
    icon("trash"),
  );
  button.addEventListener("click", async () => {
    const got = await attempt(() => send("POST", at(`/takes/${take.name}/delete`)), button);
    if (got) own = got;
    show();
  });
  return button;
}

/** What lines and consent are in. */
const tongue = () => byId("take-prompts")?.dataset.tongue ?? byId("consent-text").lang;

/** One line of the list: what is read, what was found, and how to record or send it. */
function row(line, key, said, label) {
  const take = own.takes.find((one) => one.name === name(key));
  const findings = own.findings.filter((one) => one.about === about(key));
  const bad = findings.some((one) => one.refused);
  const tone = !take ? "" : bad ? "bad" : findings.length ? "warn" : "good";
  const photo = key === "photo",
    model = key === "model",
    spare = key === "all" || key === "talk";
  // What is read in the long film need not be read again.
  const whole = own.takes.find((one) => one.name === "all")?.text.split("\n") ?? [];
  const inside = Number.isInteger(key) && whole.includes(said);
  const again = photo || model ? "not this one" : key === "talk" ? "talk again" : "read again";
  const lacking = inside ? "in the long film" : spare ? "if you like" : "missing";
  const word = !take ? lacking : bad ? again : findings.length ? "usable" : "there";
  const accept = model ? ".glb,.vrm,model/gltf-binary" : photo ? "image/jpeg,image/png,image/webp,image/avif" : "video/*";
  const choose = make("input", { type: "file", accept, class: "hide", "aria-label": `File of ${label}` });
  choose.addEventListener("change", () => choose.files[0] && deliver(key, choose.files[0], line));
  const button = make(
    "button",
    {
      class: "button quiet small",
      type: "button",
      disabled: !stream,
      "data-record": "",
      "aria-label": `${take ? "Again" : photo ? "Take" : "Record"} ${label}`,
    },
    icon(photo ? "image" : "film"),
    take ? "Again" : photo ? "Take" : "Record",
  );
  button.addEventListener("click", () => (photo ? snap(line) : film(key, said, line, button)));
  const actions = make(
    "span",
    { class: "row" },
    make("span", { class: `pill ${tone}` }, word),
    own.open && !model && button,
    own.open && make("label", { class: "button quiet small" }, icon("upload"), "File", choose),
    take &&
      make(
        "a",
        { class: "button bare small", href: at(`/takes/${take.name}`), target: "_blank", "aria-label": `Look at ${label}` },
        icon("play"),
      ),
    take && own.open && remover(take, label),
  );
  line.replaceChildren(
    make("span", Number.isInteger(key) ? { class: "grow", lang: tongue() } : { class: "grow" }, said),
    actions,
    ...findings.map((one) => make("small", { class: one.refused ? "why" : "muted" }, `${one.what}; ${one.advice}.`)),
  );
}

// --- What is shown ----------------------------------------------------------------------------------------------------

function cover() {
  const { coverage } = own;
  byId("cover").value = coverage.sounds;
  const part = `${Math.round(coverage.sounds * 100)} % of the sounds, about ${Math.round(coverage.seconds)} s of speech`;
  const verdict = coverage.plenty ? "plenty" : coverage.enough ? "enough; more is better" : "not enough yet";
  byId("cover-text").textContent = `${coverage.prompts} of 40 lines, ${part}: ${verdict}`;
}

const WORDS = {
  queued: "It waits for its turn.",
  building: "It is being made.",
  waiting: "It is made. An operator looks at it before it may present.",
  ready: "It is in the list of presenters: films of your account may show it.",
  refused: "It cannot be made of this yet. Mend what is said below and make it again.",
};

function result() {
  const { state } = own;
  byId("own-state").textContent = own.word;
  byId("own-state").className = `pill ${own.tone}`;
  byId("own-result").hidden = !(state in WORDS);
  byId("result-text").textContent = WORDS[state] ?? "";
  const bar = byId("result-progress");
  bar.hidden = state !== "building";
  bar.value = own.progress;
  const picture = byId("result-picture");
  picture.hidden = !own.picture;
  if (own.picture && !picture.src.endsWith(own.picture)) picture.src = own.picture;
  byId("own-cancel").hidden = !["queued", "building"].includes(state);
  byId("own-findings").replaceChildren(
    ...own.findings.map((one) =>
      make("li", { class: one.refused ? "why" : "muted" }, `${one.about}: ${one.what}; ${one.advice}.`),
    ),
  );
}

function show() {
  const text = byId("consent-text");
  text.hidden = !own.consent;
  text.textContent = own.consent ?? "";
  byId("consent-form").hidden = !own.open;
  if (byId("consent-link")) {
    byId("consent-link").hidden = !link;
    byId("withdrawal-link").textContent = link ?? "";
    byId("consent-linked").hidden = Boolean(link) || !own.hasLink;
  }
  const line = (id) => byId(id).firstElementChild ?? byId(id).appendChild(make("li"));
  if (own.kind === "model") {
    row(line("take-model"), "model", "GLB or VRM", "the model");
    byId("model-licence").hidden = !own.licence;
    byId("model-licence").textContent = `What the file says of its licence: ${own.licence}.`;
  } else {
    byId("take-consent").hidden = !own.consent;
    row(line("take-consent"), "consent", "The text above, read exactly", "the consent");
    if (own.consent) line("take-consent").dataset.take = "consent";
    if (own.kind === "photo") row(line("take-photo"), "photo", "One person who looks into the lens", "the photo");
    else {
      row(line("take-idle"), "idle", "Silence", "the silence");
      const freely = "Half a minute of free talk, as to a friend: what you did last weekend, or what you like about your work";
      row(line("take-talk"), "talk", freely, "the free talk");
      const said = "All lines in one film, in their order, with a second of silence between them";
      row(line("take-all"), "all", said, "the long film");
    }
  }
  for (const key of ["idle", "talk", "all", "photo", "model"]) if (byId(`take-${key}`)) line(`take-${key}`).dataset.take = key;
  for (const one of document.querySelectorAll("[data-prompt]")) {
    row(one, Number(one.dataset.prompt), one.dataset.said, `line ${one.dataset.prompt}`);
  }
  if (own.kind === "footage") {
    cover();
    const line = upcoming();
    byId("own-one").hidden = !stream || !own.open || !line || Boolean(recording);
    if (line) byId("own-one").lastChild.textContent = `Record line ${line.dataset.prompt}`;
  }
  result();
  byId("own-build").disabled = !own.open || own.missing.length > 0;
  if (byId("own-background")) byId("own-background").disabled = !own.open;
}

byId("consent-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const asked = Object.fromEntries(new FormData(form));
  const got = await attempt(() => send("POST", at("/consent"), asked), event.submitter);
  if (got) {
    own = got;
    link = got.withdrawalLink;
    show();
  }
});

byId("own-build").addEventListener("click", async (event) => {
  if (own.kind === "footage" && !own.coverage.enough) {
    const why = "There is less than a minute of speech, or sounds are missing. It will probably be refused.";
    if (!(await ask("Make it of so little?", why, "Make it"))) return;
  }
  const behind = byId("own-background")?.value;
  const got = await attempt(() => send("POST", at(behind ? `/build?background=${behind}` : "/build")), event.target);
  if (got) own = got;
  show();
  byId("own-result").scrollIntoView({ block: "center" });
});

byId("own-cancel").addEventListener("click", async (event) => {
  const got = await attempt(() => send("POST", at("/cancel")), event.target);
  if (got) own = got;
  show();
});

byId("own-withdraw").addEventListener("submit", async (event) => {
  event.preventDefault();
  const why = "Presenter, takes and consent go for good. Projects that show it cannot be exported any more.";
  if (await ask("Take it away?", why, "Take it away")) event.target.submit();
});

setInterval(async () => {
  if (recording || !["queued", "building", "waiting"].includes(own.state)) return;
  const state = own.state;
  try {
    own = await send("GET", at());
  } catch {
    return;
  }
  // Takes are drawn anew only where something changed: somebody may be reading them.
  if (own.state === state) result();
  else show();
}, 1500);

show();
