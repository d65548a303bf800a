// First start, a key, a film by the API that appears and moves, watching, editing, exporting again, revoking, deleting.
import assert from "node:assert/strict";
import { launch, watched, signIn, ADMIN } from "./browser.mjs";
import { start, call, film, pdf } from "./service.mjs";
import { judge } from "./axe.mjs";

const service = await start();
const browser = await launch();
const began = Date.now();
const step = (text) => console.log(`${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s  ${text}`);
const axe = [];
let failed = null;

try {
  const { page, wrongs } = await watched(browser, service.base);
  const meant = (pattern) => wrongs.splice(0, wrongs.length, ...wrongs.filter((wrong) => !pattern.test(wrong)));

  step("a wrong password is refused, in words");
  await page.goto("/projects");
  assert.match(page.url(), /\/sign-in\?next=%2Fprojects/);
  await page.getByLabel("E-mail").fill(ADMIN);
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").waitFor();
  meant(/401/);
  axe.push(...(await judge(page)));

  step("the printed password opens the door");
  await signIn(page, service.password);
  const policy = (await page.request.get("/projects")).headers()["content-security-policy"];
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe/);

  step("a request without the session's token is refused");
  const bare = await page.request.post("/profile/name", { form: { name: "Mallory" } });
  assert.equal(bare.status(), 403);
  const foreign = await page.request.post("/app/projects/delete", { data: { ids: [] }, headers: { origin: "https://evil.example", "x-csrf-token": await page.locator('meta[name="csrf"]').getAttribute("content") } });
  assert.equal(foreign.status(), 403);

  step("a key is issued and shown once");
  await page.goto("/profile");
  await page.getByRole("button", { name: "Issue API Key" }).click();
  await page.getByLabel("Name", { exact: true }).last().fill("<b>Journey</b>");
  await page.getByRole("button", { name: "Issue", exact: true }).click();
  await page.locator("#issued[open]").waitFor();
  const appId = await page.locator("#app-id").textContent();
  const userKey = await page.locator("#user-key").textContent();
  axe.push(...(await judge(page)));
  await page.getByRole("button", { name: "I have copied it" }).click();
  await page.getByRole("cell", { name: "<b>Journey</b>" }).first().waitFor();
  assert.doesNotMatch(await page.content(), new RegExp(userKey), "the key is not on the page any more");

  step("the key gives a token, and a film ordered by the API appears in the open page");
  const { token } = (await call(service.base, "POST", "/api/odin/v3/auth/token", { appId, userKey })).body.data;
  await page.goto("/projects");
  const name = `Journey <img src=x onerror="alert(1)"> & "co"`;
  const made = await call(service.base, "POST", "/api/odin/v3/editor/project", film(name), token);
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const id = made.body.data.projectId;
  const card = page.locator(`.film[data-id="${id}"]`);
  await card.waitFor({ timeout: 30000 });
  assert.equal(await card.locator("h2").textContent(), name, "shown as text");
  await card.locator(".pill.busy, .pill.good").waitFor();

  step("its page follows the film to its end without being loaded again");
  await card.locator("h2 a").click();
  await page.waitForURL(`**/projects/${id}`);
  await page.evaluate(() => (window.stayed = true));
  await page.locator("video").waitFor({ timeout: 240000 });
  assert.equal(await page.evaluate(() => window.stayed), true, "the page was not reloaded");
  await page.locator("#state-pill.good").waitFor();

  step("the film can be watched, with captions");
  const seen = await page.locator("video").evaluate(async (video) => {
    video.muted = true;
    await video.play();
    await new Promise((settle) => video.addEventListener("timeupdate", settle, { once: true }));
    video.pause();
    return { seconds: video.duration, width: video.videoWidth, tracks: video.textTracks.length, cues: video.textTracks[0].cues?.length };
  });
  assert.ok(seen.seconds > 2 && seen.width >= 400 && seen.tracks === 1, JSON.stringify(seen));
  axe.push(...(await judge(page)));
  await page.locator("#code summary").click();
  await page.locator("#json", { hasText: "Journey" }).waitFor();

  step("the script is edited, saved by itself, undone and done again");
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.waitForURL("**/edit*");
  const script = page.locator("#script");
  await page.locator('#editor[aria-busy="false"]').waitFor();
  await page.locator("#frame:not([hidden])").waitFor({ timeout: 60000 });
  await script.fill("A better first line.");
  await page.locator("#saved", { hasText: "Saved" }).waitFor();
  await page.locator("#undo").click();
  assert.equal(await script.inputValue(), "Hello from the test.");
  await page.locator("#redo").click();
  assert.equal(await script.inputValue(), "A better first line.");

  step("a text is moved by keyboard and by hand");
  const box = page.locator('.box[data-clip="0"]');
  const stored = async () => (await (await page.request.get(`/app/projects/${id}/body`)).json()).body;
  await box.focus();
  assert.equal(await page.locator("#panel textarea[data-key=text]").inputValue(), name, "the element can be changed");
  await page.keyboard.press("Shift+ArrowDown");
  const at = await box.boundingBox();
  await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
  await page.mouse.down();
  await page.mouse.move(at.x + at.width / 2 + 60, at.y + at.height / 2 + 40, { steps: 4 });
  await page.mouse.up();
  await page.locator("#saved", { hasText: "Saved" }).waitFor();
  await page.waitForTimeout(1500);
  const moved = (await stored()).scenes[0].clips[0];
  assert.ok(moved.left > 210 && moved.top > 400, JSON.stringify(moved));
  assert.equal(moved.fontFamily, "Noto Sans", "what was not touched is as it was");
  axe.push(...(await judge(page)));

  step("the edited film is exported again");
  await page.locator("#export-open").click();
  await page.locator("#export-form select[name=resolution]").selectOption("480");
  await page.locator("#export-form button:not([type])").click();
  await page.waitForURL(`**/projects/${id}`);
  await page.locator("video").waitFor({ timeout: 240000 });
  await page.locator("#history tbody tr").nth(1).waitFor();

  step("a document becomes scenes in the editor; what is none is refused in words");
  await page.goto("/import");
  axe.push(...(await judge(page)));
  const choose = (name, buffer) => page.locator("#drop input").setInputFiles({ name, mimeType: "application/pdf", buffer });
  await choose("notes.pdf", Buffer.from("These are only words."));
  await page.locator("#sending .why").waitFor({ timeout: 60000 });
  meant(/415|422/);
  await choose("Deck.pdf", pdf(["First slide", "Second slide"]));
  // A font that the PDF does not carry is told before the editor opens, unless the document took its time.
  const told = page.locator("#import-warnings .button");
  await Promise.race([page.waitForURL(/\/projects\/[0-9a-f]{24}/, { timeout: 120000 }), told.click({ timeout: 120000 }).catch(() => {})]);
  await page.waitForURL(/\/projects\/[0-9a-f]{24}/, { timeout: 120000 });
  await page.waitForURL(/\/edit/, { timeout: 5000 }).catch(() => page.locator(".strip li").nth(1).waitFor({ timeout: 120000 }));
  const deck = page.url().match(/projects\/([0-9a-f]{24})/)[1];
  const imported = (await (await page.request.get(`/app/projects/${deck}/body`)).json()).body;
  assert.equal(imported.scenes.length, 2);
  await page.goto(`/projects/${deck}/edit`);
  await page.locator("#frame:not([hidden])").waitFor({ timeout: 60000 });

  step("somebody else sees none of it");
  const other = await watched(browser, service.base);
  assert.equal((await other.page.request.get(`/projects/${id}`, { headers: { accept: "application/json" } })).status(), 401);

  step("on a phone nothing is cut off");
  const phone = await watched(browser, service.base, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 });
  await signIn(phone.page, service.password);
  for (const path of ["/projects", `/projects/${id}`, `/projects/${id}/edit`, "/library", "/library/voices", "/profile", "/admin", "/admin/accounts", "/admin/health"]) {
    await phone.page.goto(path);
    const { wide, out } = await phone.page.evaluate(() => ({
      wide: document.documentElement.scrollWidth,
      out: [...document.querySelectorAll("main *")].filter((one) => one.getBoundingClientRect().right > 391).slice(0, 6).map((one) => one.cloneNode().outerHTML),
    }));
    assert.ok(wide <= 391, `${path} is ${wide} px wide: ${out.join(" ")}`);
    axe.push(...(await judge(phone.page)));
  }
  wrongs.push(...phone.wrongs);

  step("pages are light and quick");
  for (const path of ["/projects", `/projects/${id}`, "/profile", "/library/voices", "/admin"]) {
    const parts = [];
    const count = (response) => {
      if (/text\/(html|css|javascript)|json|svg/.test(response.headers()["content-type"] ?? "")) parts.push(response.body().then((body) => body.length, () => 0));
    };
    page.on("response", count);
    await page.goto(path);
    page.off("response", count);
    const bytes = (await Promise.all(parts)).reduce((sum, part) => sum + part, 0);
    const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0);
    console.log(`            ${path}: ${(bytes / 1000).toFixed(0)} kB, painted after ${paint.toFixed(0)} ms`);
    assert.ok(bytes < 150000, `${path} has ${bytes} bytes`);
    axe.push(...(await judge(page)));
  }

  step("an unknown page and a forbidden one say so");
  await page.goto("/projects/000000000000000000000000");
  await page.getByRole("heading", { name: "Nothing here" }).waitFor();
  axe.push(...(await judge(page)));
  meant(/404/);

  step("the key is revoked: its token ends at once");
  await page.goto("/profile");
  await page.getByRole("button", { name: "Revoke the key <b>Journey</b>" }).click();
  await page.locator("#ask-yes").click();
  await page.getByText("The key is revoked").waitFor();
  const after = await call(service.base, "GET", "/api/odin/v3/editor/projects", undefined, token);
  assert.equal(after.status, 401);

  step("the film is deleted, after a question");
  await page.goto("/projects");
  await card.locator(".film-more").click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await page.locator("#ask-yes").click();
  await card.waitFor({ state: "detached" });

  assert.deepEqual(wrongs, [], "nothing went wrong in the browser");
  assert.deepEqual([...new Set(axe)], [], "nobody is shut out");
  step("done");
} catch (error) {
  failed = error;
  console.error(error);
  console.error(service.log().split("\n").filter((line) => !line.includes("compere::access")).slice(-20).join("\n"));
}
await browser.close();
await service.stop();
process.exit(failed ? 1 : 0);
