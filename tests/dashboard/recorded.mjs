// A script that somebody says themselves: sent as a file, recorded before the browser's microphone, in a film, and gone.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { PHONE, fits, launch, taps } from "./browser.mjs";
import { call, film, kept, token, until } from "./service.mjs";

const run = promisify(execFile);
/** A language that a simple voice speaks, so that nobody waits for it. */
const VOICE = "espeak-de";
const PARTS = ["Guten Tag, meine Damen und Herren.", "Heute sprechen wir über das neue Jahr."];
const TEXT = PARTS.join(" ");
/** Seconds between both parts, which no voice would make. */
const SILENCE = 3;

const ffmpeg = (...rest) => run("ffmpeg", ["-v", "error", "-y", ...rest]);

/** Somebody who says the text, with a long silence in it. */
async function spoken(dir) {
  for (const n of [0, 1]) {
    await run(process.env.COMPERE, [
      "--data",
      await kept(),
      "say",
      PARTS[n],
      "--voice",
      VOICE,
      "-o",
      join(dir, `${n}.wav`),
    ]);
  }
  const [first, second, whole] = ["0.wav", "1.wav", "spoken.wav"].map((name) => join(dir, name));
  const filter = `[0]apad=pad_dur=${SILENCE}[a];[a][1]concat=n=2:v=0:a=1,aresample=48000`;
  await ffmpeg("-i", first, "-i", second, "-filter_complex", filter, "-c:a", "pcm_s16le", whole);
  return whole;
}

/** The longest silence inside a film or a sound, in seconds. */
async function silence(file) {
  const { stderr } = await run("ffmpeg", ["-i", file, "-af", "silencedetect=n=-45dB:d=1", "-f", "null", "-"]);
  return Math.max(0, ...[...stderr.matchAll(/silence_duration: ([\d.]+)/g)].map(([, seconds]) => Number(seconds)));
}

export async function recorded(house) {
  const dir = await mkdtemp(join(tmpdir(), "compere-recorded-"));
  const file = await spoken(dir);
  const { page, context, meant } = await house.signedIn(house.service.password);
  const key = await token(house.service.base, page, "Recorded");
  const wanted = film("Recorded", TEXT);
  wanted.scenes[0].scripts[0].tts = { voice: VOICE };
  const made = await call(
    house.service.base,
    "POST",
    "/api/odin/v3/editor/project",
    { ...wanted, isExport: false },
    key,
  );
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const all = { ...house, dir, file, page, meant, id: made.body.data.projectId };
  await sent(all);
  await changed(all);
  await refused(all);
  await exported(all);
  await removed(all);
  all.second = await another(all, key);
  await named(all, key);
  await context.close();
  await spokenHere(all);
  await rm(dir, { recursive: true, force: true });
}

const place = (page) => page.locator("section.recording");
const press = (page, name) =>
  place(page)
    .getByRole("button", { name, exact: typeof name === "string" })
    .click();
const told = (page, text) => page.locator("#recording").getByText(text).first().waitFor();
const give = (page, files) => page.locator("#recording-file").setInputFiles(files);
const bodyOf = async (page, id) => (await (await page.request.get(`/app/projects/${id}/body`)).json()).body;
const script = async (page, id, n = 0) => (await bodyOf(page, id)).scenes[n]?.scripts[0];

async function edit(page, id) {
  await page.goto(`/projects/${id}/edit`);
  await page.locator('#editor[aria-busy="false"]').waitFor();
  await page.locator("#frame:not([hidden])").waitFor({ timeout: 60000 });
}

async function sent({ page, id, file, step, judge }) {
  step("a recording is sent as a file, heard, and takes the voice's place");
  await edit(page, id);
  await told(page, "It is heard in place of the voice.");
  await judge(page);
  const chooser = page.waitForEvent("filechooser");
  await press(page, "Send a file");
  await (await chooser).setFiles(file);
  await told(page, "in place of the voice");
  await told(page, "spoken.wav");
  await until(async () => /^\/media\/a\/.*spoken\.wav$/.test((await script(page, id)).audio ?? ""), 20);
  assert.equal((await script(page, id)).recordedText, TEXT, "what it was recorded of is known");
  await page.locator('[data-key="voice"].rests', { hasText: "Not in use: recorded" }).waitFor();
  // Its own length, which no guess from the text would give.
  await place(page)
    .getByRole("button", { name: /^Play 0:(0[5-9]|1\d)/ })
    .waitFor();
  await page.locator("#script-length", { hasText: /^\d+ s$/ }).waitFor();
  await judge(page);
  await press(page, /^Play/);
  await press(page, "Stop");
  await page.locator("#listen").click();
  await place(page).getByRole("button", { name: "Stop" }).waitFor();
  await place(page).getByRole("button", { name: /^Play/ }).waitFor({ timeout: 20000 });
}

async function changed({ page, id, step, judge }) {
  step("it is undone and done again, stays with its scene's copies, and goes to no new scene");
  await page.locator("#undo").click();
  await place(page).getByRole("button", { name: "Send a file" }).waitFor();
  await until(async () => !("audio" in (await script(page, id))), 20);
  await page.locator("#redo").click();
  await told(page, "spoken.wav");
  const { audio } = await until(async () => ((await script(page, id)).audio ? script(page, id) : null), 20);
  await page.getByRole("button", { name: "Duplicate scene 1" }).click();
  await until(async () => (await script(page, id, 1))?.audio === audio, 20);
  await page.locator("#scene-add").click();
  await until(async () => (await bodyOf(page, id)).scenes.length === 4, 20);
  const fresh = await script(page, id, 2);
  assert.ok(!("audio" in fresh) && !("recordedText" in fresh), JSON.stringify(fresh));
  await page.locator("#undo").click();
  await page.locator("#undo").click();
  await until(async () => (await bodyOf(page, id)).scenes.length === 2, 20);

  step("a script that is changed afterwards is told beside it, and nothing is lost");
  await page.locator('.scene[data-n="0"] .scene-open').click();
  await page.locator("#script").fill(`${TEXT} Und auf Wiedersehen!`);
  await told(page, "The script was changed since this was recorded");
  await judge(page);
  assert.equal((await script(page, id)).audio, audio);
  await page.locator("#script").fill(`${TEXT.replaceAll(",", " –")} [smile]`);
  await place(page).getByText("The script was changed").waitFor({ state: "detached" });
  await page.locator("#script").fill("Guten Tag.");
  await press(page, "It still fits");
  await place(page).getByText("The script was changed").waitFor({ state: "detached" });
  await until(async () => (await script(page, id)).recordedText === "Guten Tag.", 20);
  await page.locator("#script").fill("");
  await told(page, "The script was changed");
  await press(page, "It still fits");
  await told(page, "There is no script to it");
  await page.locator("#script").fill(TEXT);
  await until(async () => (await script(page, id)).org === TEXT, 20);
  assert.equal((await script(page, id)).audio, audio);
}

async function refused({ page, id, dir, step, judge, meant }) {
  step("what is no recording is refused where it was chosen, and nothing of it is kept");
  const before = await files(page);
  const { audio } = await script(page, id);
  const png = await page.screenshot({ clip: { x: 0, y: 0, width: 64, height: 36 } });
  const long = join(dir, "long.mp3");
  await ffmpeg("-f", "lavfi", "-i", "anoisesrc=r=8000:a=0.1", "-t", "1230", "-ac", "1", "-b:a", "8k", long);
  const of = (name, mimeType, buffer) => ({ name, mimeType, buffer });
  for (const [file, why] of [
    [of("words.txt", "text/plain", Buffer.from("only words")), "This is no sound."],
    [of("picture.mp3", "audio/mpeg", png), "This is no sound."],
    [of("empty.wav", "audio/wav", Buffer.alloc(0)), "The file is empty."],
    [of("noise.mp3", "audio/mpeg", Buffer.from("only words")), "none of those that films are made of"],
    [long, "It lasts 20 minutes; a script may be recorded in 20 minutes at most."],
  ]) {
    await give(page, file);
    await place(page).getByRole("alert").filter({ hasText: why }).waitFor();
  }
  await judge(page);
  meant(/415/);
  assert.deepEqual(await files(page), before);
  assert.equal((await script(page, id)).audio, audio, "what was heard before is heard still");
}

async function files(page) {
  const text = await (await page.request.get("/library/files")).text();
  return [...text.matchAll(/data-file="(\w+)"/g)].map(([, id]) => id);
}

async function exported({ page, dir, step }, what = "the film has the recording in place of the voice") {
  step(what);
  await page.locator("#export-open").click();
  await page.locator("#export-form label", { hasText: "480" }).click();
  await page.locator("#export-form button:not([type])").click();
  const video = page.locator("video:not(#watch)");
  await video.waitFor({ timeout: 240000 });
  const whole = join(dir, "film.mp4");
  const source = await video.evaluate((one) => one.currentSrc || one.src || one.querySelector("source").src);
  await writeFile(whole, await (await page.request.get(source)).body());
  const quiet = await silence(whole);
  assert.ok(Math.abs(quiet - SILENCE) < 0.8, `the silence is heard: ${quiet} s`);
}

async function removed({ page, id, step, judge, meant }) {
  step("it is removed, and the voice speaks again; a file that was deleted is missed");
  await edit(page, id);
  await press(page, "Remove");
  await place(page).getByRole("button", { name: "Send a file" }).waitFor();
  await until(async () => !("audio" in (await script(page, id))), 20);
  assert.ok(!("recordedText" in (await script(page, id))));
  assert.equal(await page.locator('[data-key="voice"].rests').count(), 0);
  await page.locator("#undo").click();
  await told(page, "spoken.wav");
  const { audio } = await until(async () => ((await script(page, id)).audio ? script(page, id) : null), 20);
  const csrf = await page.locator('meta[name="csrf"]').getAttribute("content");
  const asset = audio.split("/")[3];
  const gone = await page.request.post(`/app/assets/${asset}/delete`, { headers: { "x-csrf-token": csrf } });
  assert.equal(gone.status(), 200);
  await edit(page, id);
  await told(page, "it was deleted from your files");
  assert.equal(await place(page).getByRole("button", { name: /^Play/ }).count(), 0);
  await judge(page);
  meant(/404/);
  await press(page, "Remove");
  await until(async () => !("audio" in (await script(page, id))), 20);
}

const speaker = (page, name) =>
  page.locator("#speakers").getByRole("button", { name, exact: typeof name === "string" });
const guest = async (page, id) => (await bodyOf(page, id)).scenes[0].clips.find((clip) => clip.id === "guest").script;
const reads = (page, text) => page.locator("#script", { hasText: text }).waitFor();

/** Somebody who asks and is only heard, and a guest who answers, as other programs write it: with a voice of its own. */
function conversation() {
  const wanted = film("Recorded by two", "Was sagen Sie dazu?");
  const [scene] = wanted.scenes;
  scene.scripts[0].tts = { voice: VOICE };
  const place = { type: "aiModel", layer: 5, top: 120, width: 800, height: 960 };
  scene.clips.push(
    { id: "host", left: 80, ...place, voiceOnly: true, model: { ai_name: "nora", emotion: "nora/blazer" } },
    {
      id: "guest",
      left: 1040,
      ...place,
      model: { ai_name: "figure", emotion: "figure/plain" },
      script: { org: TEXT, tts: { voice: VOICE } },
    },
  );
  return wanted;
}

async function another(all, key) {
  const { service, page, file, step, judge, meant } = all;
  step("whoever speaks second has a script and a recording of their own");
  const made = await call(
    service.base,
    "POST",
    "/api/odin/v3/editor/project",
    { ...conversation(), isExport: false },
    key,
  );
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const id = made.body.data.projectId;
  await edit(page, id);
  await reads(page, "Was sagen Sie dazu?");
  assert.deepEqual(await page.locator("#speakers button").allTextContents(), ["Nora", "Figure"]);
  await speaker(page, "Figure").click();
  await reads(page, TEXT);
  await place(page).getByRole("heading", { name: "Your own recording for Figure" }).waitFor();
  await page.locator("#tongue").getByText("German").waitFor();
  await judge(page);
  const png = await page.screenshot({ clip: { x: 0, y: 0, width: 64, height: 36 } });
  await give(page, { name: "picture.mp3", mimeType: "audio/mpeg", buffer: png });
  await place(page).getByRole("alert").filter({ hasText: "This is no sound." }).waitFor();
  await speaker(page, "Nora").click();
  await reads(page, "Was sagen Sie dazu?");
  assert.equal(await place(page).getByRole("alert").count(), 0, "what went wrong is told beside its script alone");
  await speaker(page, "Figure").click();
  await place(page).getByRole("alert").waitFor();
  meant(/415/);
  await give(page, file);
  await told(page, "in place of the voice");
  await told(page, "spoken.wav");
  await speaker(page, /^Figure, recorded$/).waitFor();
  await until(async () => /^\/media\/a\/.*spoken\.wav$/.test((await guest(page, id)).audio ?? ""), 20);
  assert.equal((await guest(page, id)).recordedText, TEXT);
  assert.deepEqual((await guest(page, id)).tts, { voice: VOICE }, "the voice stays for when it is removed");
  assert.ok(!("audio" in (await script(page, id))), "nobody else is recorded");

  step("it is there when the project is opened again, is listened to, undone and done again");
  await edit(page, id);
  await place(page).getByRole("button", { name: "Send a file" }).waitFor();
  // Whoever is chosen in the picture is heard below it.
  await page.locator('.box[data-clip="2"]').click();
  await reads(page, TEXT);
  await told(page, "spoken.wav");
  await page.locator('#panel [data-key="voice"].rests', { hasText: "Not in use: recorded" }).waitFor();
  await place(page)
    .getByRole("button", { name: /^Play 0:(0[5-9]|1\d)/ })
    .waitFor();
  await judge(page);
  await page.locator("#listen").click();
  await press(page, "Stop");
  await page.locator("#script").fill(`${TEXT} Danke!`);
  await told(page, "The script was changed since this was recorded");
  await press(page, "It still fits");
  await place(page).getByText("The script was changed").waitFor({ state: "detached" });
  await until(async () => (await guest(page, id)).recordedText === `${TEXT} Danke!`, 20);
  await page.locator("#script").fill(TEXT);
  await press(page, "It still fits");
  await press(page, "Remove");
  await place(page).getByRole("button", { name: "Send a file" }).waitFor();
  await until(async () => !("audio" in (await guest(page, id))), 20);
  await page.locator("#undo").click();
  await told(page, "spoken.wav");
  await until(async () => (await guest(page, id)).audio, 20);

  const phone = await all.signedIn(service.password, undefined, PHONE);
  await edit(phone.page, id);
  await speaker(phone.page, /^Figure/).click();
  await told(phone.page, "spoken.wav");
  all.flaws.push(...(await fits(phone.page)), ...(await taps(phone.page)));
  await phone.context.close();

  await exported(all, "the film has the second one's recording, behind what the first one says");
  const { data } = (await call(service.base, "GET", `/api/odin/v3/editor/progress/${id}`, undefined, key)).body;
  const captions = await (await page.request.get(data.captionsUrl)).text();
  const times = [...captions.matchAll(/^(\d+):(\d+):([\d.]+) --> /gm)].map(
    ([, h, m, s]) => h * 3600 + m * 60 + Number(s),
  );
  // One of the first, two of the second with the silence between them, one of the next scene.
  assert.ok(times[2] - times[1] > SILENCE, captions);
  return id;
}

/** The scene's script may be of whom it names, and another one's a plain text: looking at it changes nothing. */
async function named({ service, page, file, step }, key) {
  step("a script is whose it says, and one that is plain text may be recorded as well");
  const wanted = conversation();
  const [scene] = wanted.scenes;
  [scene.scripts[0].modelId, scene.scripts[0].clothId] = ["figure", "figure/plain"];
  const [host, guest] = scene.clips.slice(-2);
  host.script = "Ich sage nichts dazu.";
  delete guest.script;
  const body = { ...wanted, isExport: false };
  const made = await call(service.base, "POST", "/api/odin/v3/editor/project", body, key);
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const id = made.body.data.projectId;
  const own = async () => (await bodyOf(page, id)).scenes[0].clips.find((clip) => clip.id === "host").script;
  await edit(page, id);
  await reads(page, "Was sagen Sie dazu?");
  assert.deepEqual(await page.locator("#speakers button").allTextContents(), ["Figure", "Nora"]);
  await speaker(page, "Nora").click();
  await reads(page, "Ich sage nichts dazu.");
  assert.equal(await own(), "Ich sage nichts dazu.");
  await give(page, file);
  await told(page, "spoken.wav");
  await until(async () => (await own()).audio, 20);
  assert.equal((await own()).org, "Ich sage nichts dazu.");
  assert.ok(!("audio" in (await script(page, id))), "nobody else is recorded");
}

/** A page of the editor that may send so many bytes, and whose browser answers so when it is asked for the microphone. */
async function limited(page, id, most, answer) {
  await page.route(`**/projects/${id}/edit`, async (route) => {
    const page = await route.fetch();
    const body = (await page.text()).replace(/data-most="\d+"/, `data-most="${most}"`);
    await route.fulfill({ response: page, body });
  });
  if (answer) {
    await page.addInitScript((name) => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("no", name));
    }, answer);
  }
  await edit(page, id);
}

async function spokenHere(all) {
  const { service, file, id, dir, step, judge } = all;
  const browser = await launch([`--use-file-for-fake-audio-capture=${file}`]);
  const { page } = await all.signedIn(service.password, undefined, undefined, browser);

  step("the browser's microphone is heard, and says how loud it is");
  await edit(page, id);
  await press(page, "Record");
  await told(page, "Read the script aloud.");
  await told(page, "of 20:00");
  await page.waitForFunction(() => document.querySelector("section.recording meter").value > 0.4);
  await judge(page);
  await page.waitForTimeout(9000);
  await press(page, "Stop");
  await told(page, "Not used yet.");
  assert.equal(await place(page).getByRole("alert").count(), 0);
  await judge(page);
  await press(page, /^Play 0:/);
  await press(page, "Stop");
  assert.ok(!("audio" in (await script(page, id))), "nobody has used it yet");

  step("whoever goes to another scene finds what was said where they said it");
  await press(page, "Record again");
  await told(page, "Read the script aloud.");
  await page.waitForTimeout(1200);
  await page.locator('.scene[data-n="1"] .scene-open').click();
  await place(page).getByRole("button", { name: "Record", exact: true }).waitFor();
  await page.locator('.scene[data-n="0"] .scene-open').click();
  await told(page, "Not used yet.");
  await press(page, "Discard");
  await place(page).getByRole("button", { name: "Record", exact: true }).waitFor();

  step("a take is used by keyboard, and is what was said");
  await place(page).getByRole("button", { name: "Record", exact: true }).focus();
  await page.keyboard.press("Enter");
  await told(page, "Read the script aloud.");
  await page.waitForTimeout(10000);
  await page.keyboard.press("Enter");
  await told(page, "Not used yet.");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await told(page, "in place of the voice");
  const { audio } = await until(async () => ((await script(page, id)).audio ? script(page, id) : null), 20);
  await place(page)
    .getByRole("button", { name: /^Play 0:(09|1)/ })
    .waitFor();
  const answer = await page.request.get(audio);
  assert.equal(answer.headers()["content-type"], "audio/webm");
  await writeFile(join(dir, "take.webm"), await answer.body());
  const quiet = await silence(join(dir, "take.webm"));
  assert.ok(Math.abs(quiet - SILENCE) < 1, `the silence is in it: ${quiet} s`);

  step("whoever speaks second is recorded here as well, and a take waits for whose it is");
  await edit(page, all.second);
  await speaker(page, /^Figure/).click();
  await press(page, "Record again");
  await told(page, "Read the script aloud.");
  await page.waitForTimeout(1200);
  await speaker(page, "Nora").click();
  await place(page).getByRole("button", { name: "Record", exact: true }).waitFor();
  await speaker(page, /^Figure/).click();
  await told(page, "Not used yet.");
  await press(page, "Use it");
  await told(page, "Recorded by two, scene 1, Figure.webm");
  await until(async () => /Figure\.webm$/.test(decodeURIComponent((await guest(page, all.second)).audio)), 20);
  await page.context().close();

  step("no microphone, one that is not allowed, and limits are told where they are met");
  for (const [name, why] of [
    ["NotFoundError", "No microphone was found."],
    ["NotAllowedError", "The microphone is not allowed."],
    ["NotReadableError", "another program may have it"],
  ]) {
    const { page, context } = await all.signedIn(service.password, undefined, undefined, browser);
    await limited(page, id, 5e8, name);
    await press(page, "Record again");
    await place(page).getByRole("alert").filter({ hasText: why }).waitFor();
    await told(page, "in place of the voice");
    await context.close();
  }
  const narrow = await all.signedIn(service.password, undefined, undefined, browser);
  await limited(narrow.page, id, 40_000);
  await give(narrow.page, file);
  await place(narrow.page).getByRole("alert").filter({ hasText: "at most 1 MB are taken" }).waitFor();
  await press(narrow.page, "Record again");
  await told(narrow.page, "of 0:02");
  await place(narrow.page).getByRole("alert").filter({ hasText: "It ended by itself after 2 seconds." }).waitFor();
  await press(narrow.page, "Discard");
  await told(narrow.page, "in place of the voice");
  await narrow.context.close();
  await browser.close();
}
