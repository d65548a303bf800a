// One long take, recorded in the browser: the lines are shown in turn, the camera sees somebody who reads them, and the film
// is cut where each line is found.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { launch } from "./browser.mjs";
import { filmed, said } from "./own.mjs";

const run = promisify(execFile);
/** Lines that the person before the camera reads. */
const READ = 3;

/** A camera that shows these films, one after the other, and hears them: then nothing any more. */
async function camera(dir, films) {
  const [list, film, seen, heard] = ["order.txt", "seen.mp4", "seen.mjpeg", "heard.wav"].map((name) => join(dir, name));
  await writeFile(list, films.map((film) => `file '${film}'\n`).join(""));
  const ffmpeg = (...rest) => run("ffmpeg", ["-v", "error", "-y", ...rest]);
  await ffmpeg("-f", "concat", "-safe", "0", "-i", list, "-preset", "veryfast", "-crf", "16", film);
  await ffmpeg("-i", film, "-an", "-r", "30", "-c:v", "mjpeg", "-q:v", "2", "-f", "mjpeg", seen);
  await ffmpeg("-i", film, "-vn", "-ar", "48000", "-ac", "1", "-c:a", "pcm_s16le", heard);
  return [`--use-file-for-fake-video-capture=${seen}`, `--use-file-for-fake-audio-capture=${heard}%noloop`];
}

export async function long(house) {
  const { service, step, judge } = house;
  const dir = await mkdtemp(join(tmpdir(), "compere-long-"));

  step("one long take: somebody sits before the camera");
  const first = await house.signedIn(service.password);
  await first.page.goto("/library/own");
  await first.page.getByLabel("Name", { exact: true }).fill("Long Example");
  await first.page.getByRole("button", { name: "Begin" }).click();
  await first.page.getByRole("heading", { name: "Long Example" }).waitFor();
  const lines = await first.page.locator("[data-prompt]").evaluateAll((all) => all.map((one) => one.dataset.said));
  const idle = await filmed(dir, "idle", "");
  const read = [];
  for (let n = 0; n < READ; n += 1) read.push(await filmed(dir, `line${n}`, lines[n]));
  const browser = await launch(await camera(dir, [idle, idle, ...read.flatMap((film) => [film, idle])]));
  const { page } = await house.signedIn(service.password, undefined, undefined, browser);
  await page.goto(new URL(first.page.url()).pathname);
  await first.context.close();

  step("the lines are shown in turn while it is recorded");
  await page.getByRole("button", { name: "Use the camera" }).click();
  const all = page.locator("[data-take=all]");
  await all.getByRole("button", { name: "Record the long film" }).click();
  const shown = page.locator("#own-line");
  const turn = page.locator("#own-turn");
  await turn.getByText("Line 1 of 40.").waitFor();
  assert.equal(await shown.textContent(), lines[0]);
  // Nobody touches anything: the next line comes when this one was heard and silence followed.
  for (let n = 1; n <= READ; n += 1) {
    await turn.getByText(`Line ${n + 1} of 40.`).waitFor();
    assert.equal(await shown.textContent(), lines[n]);
  }
  await judge(page);
  await page.getByRole("button", { name: /^Stop recording/ }).click();
  await all.locator(".pill", { hasText: "there" }).waitFor();
  await page.locator("#own-turns").waitFor({ state: "hidden" });
  await page.locator("#cover-text", { hasText: `${READ} of 40 lines` }).waitFor();
  for (let n = 1; n <= READ + 1; n += 1) {
    await page.locator(`[data-prompt="${n}"] .pill`, { hasText: n > READ ? "missing" : "in the long film" }).waitFor();
  }
  await page.getByRole("button", { name: `Record line ${READ + 1}`, exact: true }).first().waitFor();
  await judge(page);

  step("it is sent whole, and played");
  const id = page.url().split("/").at(-1);
  const kept = join(dir, "kept");
  await writeFile(kept, await (await page.request.get(`/app/own/${id}/takes/all`)).body());
  const { stdout } = await run("ffprobe", ["-v", "error", "-show_entries", "stream=codec_type", "-of", "csv=p=0", kept]);
  assert.deepEqual(stdout.trim().split("\n").sort(), ["audio", "video"]);

  step("a key asks for the next line, and who says nothing sends nothing");
  await all.getByRole("button", { name: "Again the long film" }).click();
  await turn.getByText("Line 1 of 40.").waitFor();
  await page.getByRole("button", { name: /^Stop recording/ }).click();
  await page.getByText("No line was read, so nothing was kept.").waitFor();
  await all.locator(".pill", { hasText: "there" }).waitFor();

  step("it is cut where each line is found");
  const give = (row, file) => row.locator('input[type="file"]').setInputFiles(file);
  await page.getByLabel("The person's name, as they say it").fill("Long Example");
  await page.getByLabel("What the films are for").fill("a test of this page");
  await page.getByRole("button", { name: "Give out the text" }).click();
  const text = await page.locator("#consent-text", { hasText: "My words are" }).textContent();
  await give(page.locator("[data-take=consent]"), await said(dir, text));
  await page.locator("[data-take=consent] .pill", { hasText: "there" }).waitFor();
  await give(page.locator("[data-take=idle]"), idle);
  await page.locator("[data-take=idle] .pill", { hasText: "there" }).waitFor();
  await page.getByRole("button", { name: "Make the presenter" }).click();
  await page.locator("#ask-yes").click();
  await page.locator("#own-state", { hasText: /waiting for approval|refused/ }).waitFor({ timeout: 600000 });
  const told = await page.locator("#own-findings").textContent();
  console.log(`            ${told}`);
  assert.equal(await page.locator("#own-state").textContent(), "waiting for approval", told);
  assert.ok(!/not found in it/.test(told), told);
  await page.getByRole("button", { name: "Take it away" }).click();
  await page.locator("#ask-yes").click();
  await page.getByText("is gone, with takes and consent").waitFor();
  await browser.close();
  await rm(dir, { recursive: true, force: true });
}
