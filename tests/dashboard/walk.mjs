// First start, a key, a film by the API that appears and moves, watching, editing, exporting again, importing slides,
// revoking the key, deleting: what everybody does, at a desk and on a phone.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { signIn, fits, ADMIN } from "./browser.mjs";
import { call, film, pdf, until } from "./service.mjs";

/** A finger chooses, moves and resizes, and scrolls where it only passes by. */
async function thumb(page, context, id, step) {
  step("a finger moves and resizes what it chose, and scrolls past what it did not");
  const glass = await context.newCDPSession(page);
  const swipe = async (x, y, dx, dy) => {
    await glass.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
    for (let n = 1; n <= 8; n += 1)
      await glass.send("Input.dispatchTouchEvent", {
        type: "touchMove",
        touchPoints: [{ x: x + (dx * n) / 8, y: y + (dy * n) / 8 }],
      });
    await glass.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  };
  const title = page.locator('.box[data-clip="0"]');
  const middle = async (locator) => {
    const { x, y, width, height } = await locator.boundingBox();
    return [x + width / 2, y + height / 2];
  };
  const clip = async () => (await (await page.request.get(`/app/projects/${id}/body`)).json()).body.scenes[0].clips[0];
  const before = await clip();
  await page.evaluate(() => scrollTo(0, 0));
  await swipe(...(await middle(title)), 0, -120);
  await page.waitForFunction(() => scrollY > 20);
  assert.equal(await page.locator(".box.chosen").count(), 0, "nothing is chosen in passing");
  await page.evaluate(() => scrollTo(0, 0));
  await page.waitForTimeout(300);
  await title.tap();
  await page.locator('.box.chosen[data-clip="0"]').waitFor();
  await swipe(...(await middle(title)), 12, 50);
  await until(async () => (await clip()).top > before.top + 100, 20);
  await swipe(...(await middle(page.locator(".handle.se"))), -40, 15);
  await until(async () => (await clip()).width < before.width - 100, 20);
  const after = await clip();
  assert.deepEqual(
    [after.text, after.left !== before.left, after.height > before.height],
    [before.text, true, true],
    JSON.stringify(after),
  );
}

export async function walk(house, options) {
  const { service, step, judge, flaws } = house;
  const phone = Boolean(options.isMobile);
  const { page, context, meant } = await house.open(options);
  const tap = (locator) => (phone ? locator.tap() : locator.click());
  const seen = async () => {
    flaws.push(...(await fits(page)));
    if (!phone) await judge(page);
  };

  step("a wrong password is refused, in words; the printed one opens the door");
  await page.goto("/projects");
  assert.match(page.url(), /\/sign-in\?next=%2Fprojects/);
  await seen();
  await page.getByLabel("E-mail").fill(ADMIN);
  await page.getByLabel("Password").fill("not the password");
  await tap(page.getByRole("button", { name: "Sign in" }));
  await page.getByRole("alert").waitFor();
  meant(/401/);
  await seen();
  await signIn(page, service.password);
  if (!phone) {
    await page.getByRole("button", { name: "Make the welcome film" }).waitFor();
    await seen();
    for (const path of ["/library/files", "/profile", "/admin"]) {
      await page.goto(path);
      await seen();
    }
    const policy = (await page.request.get("/projects")).headers()["content-security-policy"];
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe/);

    step("a request without the session's token is refused");
    const bare = await page.request.post("/profile/name", { form: { name: "Mallory" } });
    assert.equal(bare.status(), 403);
    const foreign = await page.request.post("/app/projects/delete", {
      data: { ids: [] },
      headers: {
        origin: "https://evil.example",
        "x-csrf-token": await page.locator('meta[name="csrf"]').getAttribute("content"),
      },
    });
    assert.equal(foreign.status(), 403);
  }

  step("a key is issued and shown once");
  await page.goto("/profile");
  await tap(page.getByRole("button", { name: "Issue API Key" }));
  const called = phone ? "Phone" : "<b>Journey</b>";
  await page.locator("#issue input[name=name]").fill(called);
  await tap(page.getByRole("button", { name: "Issue", exact: true }));
  await page.locator("#issued[open]").waitFor();
  const appId = await page.locator("#app-id").textContent();
  const userKey = await page.locator("#user-key").textContent();
  for (const button of await page.locator("#issued [data-copy-from]:visible").all()) {
    const box = await button.boundingBox(),
      dialog = await page.locator("#issued").boundingBox();
    assert.ok(box.x >= dialog.x && box.x + box.width <= dialog.x + dialog.width, "what copies is inside the dialog");
  }
  await seen();
  await tap(page.getByRole("button", { name: "I have copied it" }));
  await page.getByRole("cell", { name: called }).first().waitFor();
  assert.doesNotMatch(await page.content(), new RegExp(userKey), "the key is not on the page any more");

  step("the key gives a token, and a film ordered by the API appears in the open page");
  const { token } = (await call(service.base, "POST", "/api/odin/v3/auth/token", { appId, userKey })).body.data;
  await page.goto("/projects");
  const name = `Journey <img src=x onerror="alert(1)"> & "co"`;
  const made = await call(
    service.base,
    "POST",
    "/api/odin/v3/editor/project",
    { ...film(name), webhookUrl: house.hook },
    token,
  );
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const id = made.body.data.projectId;
  const card = page.locator(`.film[data-id="${id}"]`);
  await card.waitFor({ timeout: 30000 });
  assert.equal(await card.locator("h2").textContent(), name, "shown as text");
  await card.locator(".pill.busy, .pill.good").waitFor();

  step("its page follows the film to its end without being loaded again");
  await tap(card.locator("h2 a"));
  await page.waitForURL(`**/projects/${id}`);
  await page.evaluate(() => (window.stayed = true));
  await page.locator("video:not(#watch)").waitFor({ timeout: 240000 });
  assert.equal(await page.evaluate(() => window.stayed), true, "the page was not reloaded");
  await page.locator("#state-pill.good").waitFor();

  step("the film can be watched, with captions, from any of its scenes");
  await tap(page.locator("[data-seek]").nth(1));
  await page.waitForFunction(() => document.querySelector("video").currentTime > 0.5);
  const watchedFilm = await page.locator("video:not(#watch)").evaluate(async (video) => {
    video.muted = true;
    await video.play();
    await new Promise((settle) => video.addEventListener("timeupdate", settle, { once: true }));
    video.pause();
    return {
      at: video.currentTime,
      seconds: video.duration,
      width: video.videoWidth,
      tracks: video.textTracks.length,
      cues: video.textTracks[0].cues?.length,
      shown: video.textTracks[0].mode,
    };
  });
  const second = Number(await page.locator("[data-seek]").nth(1).getAttribute("data-seek"));
  assert.ok(second > 0.5 && watchedFilm.at >= second, `${JSON.stringify(watchedFilm)} from ${second}`);
  assert.ok(
    watchedFilm.seconds > 2 && watchedFilm.width >= 400 && watchedFilm.tracks === 1,
    JSON.stringify(watchedFilm),
  );
  assert.equal(watchedFilm.shown, "showing");
  await page.locator('[data-seek][aria-current="true"] b', { hasText: "2" }).waitFor();
  for (const link of await page.locator("#aside .files a").all()) {
    const answer = await page.request.get(await link.getAttribute("href"));
    assert.equal(answer.status(), 200, await link.textContent());
  }
  await seen();
  await tap(page.locator("#code summary"));
  await page.locator("#json", { hasText: "Journey" }).waitFor();
  flaws.push(...(await fits(page)));
  if (!phone) {
    step("the command on its page makes the same project when it is pasted into a shell");
    const command = (await page.locator("#curl").textContent()).replace(
      '"resolution": "480"',
      '"resolution": "480",\n  "isExport": false',
    );
    const { stdout } = await promisify(execFile)("bash", ["-c", command], { env: { ...process.env, TOKEN: token } });
    assert.match(stdout, /"projectId":\s*"[0-9a-f]{24}"/, stdout);
  }

  step("the script is edited, saved by itself, undone and done again");
  await tap(page.getByRole("link", { name: "Edit", exact: true }));
  await page.waitForURL("**/edit*");
  const script = page.locator("#script");
  await page.locator('#editor[aria-busy="false"]').waitFor();
  await page.locator("#frame:not([hidden])").waitFor({ timeout: 60000 });
  await script.fill("A better first line.");
  await page.locator("#saved", { hasText: "Saved" }).waitFor({ state: "attached" });
  await tap(page.locator("#undo"));
  assert.equal(await script.evaluate((one) => one.value), "Hello from the test.");
  await tap(page.locator("#redo"));
  assert.equal(await script.evaluate((one) => one.value), "A better first line.");
  await seen();

  if (phone) await thumb(page, context, id, step);

  step("the edited film is exported again");
  await tap(page.locator("#export-open"));
  await page.locator("#export-form select[name=resolution]").selectOption("480");
  await tap(page.locator("#export-form button:not([type])"));
  await page.waitForURL(`**/projects/${id}`);
  await page.locator("#history tbody tr").nth(1).waitFor();
  await page.locator("video:not(#watch)").waitFor({ timeout: 240000 });
  assert.match(await page.locator("#scene-strip").textContent(), /A better first line/);

  if (!phone) {
    step("a webhook that failed is sent again by hand");
    // Its receiver refuses the first try; the second one comes by itself after some seconds.
    await until(async () => {
      await page.reload();
      return page.locator("#mail .pill.good").count();
    }, 60);
    await page
      .locator("#mail li", { has: page.locator(".pill.good") })
      .first()
      .locator("summary")
      .click();
    await page.locator("[data-replay]:visible").click();
    await page.getByText("The webhook is sent again").waitFor();
    await until(() => house.heard.filter((one) => one === house.heard[0]).length >= 3, 60);
    await judge(page);
  }

  step("a document becomes scenes in the editor; what is none is refused in words");
  await page.goto("/import");
  await seen();
  const choose = (name, buffer) =>
    page.locator("#drop input").setInputFiles({ name, mimeType: "application/pdf", buffer });
  await choose("notes.pdf", Buffer.from("These are only words."));
  await page.locator("#sending .why").waitFor({ timeout: 60000 });
  await seen();
  meant(/415|422/);
  await choose("Deck.pdf", pdf(["First slide", "Second slide"]));
  // A font that the PDF does not carry is told before the editor opens, unless the document took its time.
  const told = page.locator("#import-warnings .button");
  await Promise.race([
    page.waitForURL(/\/projects\/[0-9a-f]{24}/, { timeout: 120000 }),
    told.click({ timeout: 120000 }).catch(() => {}),
  ]);
  await page.waitForURL(/\/projects\/[0-9a-f]{24}/, { timeout: 120000 });
  await page
    .waitForURL(/\/edit/, { timeout: 5000 })
    .catch(() => page.locator(".strip li").nth(1).waitFor({ timeout: 120000 }));
  const deck = page.url().match(/projects\/([0-9a-f]{24})/)[1];
  const imported = (await (await page.request.get(`/app/projects/${deck}/body`)).json()).body;
  assert.equal(imported.scenes.length, 2);
  await page.goto(`/projects/${deck}/edit`);
  await page.locator("#frame:not([hidden])").waitFor({ timeout: 60000 });

  step("somebody else sees none of it");
  const other = await house.open();
  assert.equal(
    (await other.page.request.get(`/projects/${id}`, { headers: { accept: "application/json" } })).status(),
    401,
  );
  await other.context.close();

  step("the key is revoked: its token ends at once");
  assert.equal((await call(service.base, "GET", "/api/odin/v3/editor/projects", undefined, token)).status, 200);
  await page.goto("/profile");
  await tap(page.getByRole("button", { name: `Revoke the key ${called}` }));
  await tap(page.locator("#ask-yes"));
  await page.getByText("The key is revoked").waitFor();
  assert.equal((await call(service.base, "GET", "/api/odin/v3/editor/projects", undefined, token)).status, 401);

  step("the film is deleted, after a question");
  await page.goto("/projects");
  await tap(card.locator(".film-more"));
  await tap(page.getByRole("menuitem", { name: "Delete…" }));
  await tap(page.locator("#ask-yes"));
  await card.waitFor({ state: "detached" });
  assert.equal((await page.request.get(`/projects/${id}`)).status(), 404);
  await context.close();
}
