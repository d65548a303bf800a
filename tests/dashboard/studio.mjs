// The editor, the library and many films at once: what somebody does who makes films all day.
import assert from "node:assert/strict";
import { call, film, furnish, token, until } from "./service.mjs";
import { fits } from "./browser.mjs";
import { brand } from "./stage.mjs";

const HOSTILE = `</textarea><script>alert(1)</script> \u202Etxet 🎬`;

export async function studio(house) {
  const { service, step, judge, flaws } = house;
  const { page, context, meant } = await house.signedIn(service.password);
  const key = await token(service.base, page, "Studio");
  const wanted = film("Studio");
  wanted.scenes[0].note = { of: "another program" };
  wanted.scenes[0].clips.push({
    id: "mystery",
    type: "textImage",
    layer: 3,
    left: 0,
    top: 900,
    width: 900,
    height: 120,
    text: "kept",
    fill: "rgb(255,255,255)",
    fontSize: 40,
    fontFamily: "Noto Sans",
    lineHeight: 1.3,
    customKey: [1, 2],
  });
  furnish(wanted);
  const made = await call(service.base, "POST", "/api/odin/v3/editor/project", { ...wanted, isExport: false }, key);
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const id = made.body.data.projectId;
  house.project = id;
  const stored = async () => (await (await page.request.get(`/app/projects/${id}/body`)).json()).body;
  const saved = async () => {
    await page.locator("#saved", { hasText: /^Saved$/ }).waitFor();
    await page.waitForFunction(() => !document.querySelector("#saved.bad"));
  };

  step("the editor by keyboard alone: every stop is seen, none is a trap");
  await page.goto(`/projects/${id}/edit`);
  await page.locator("#frame:not([hidden])").waitFor({ timeout: 60000 });
  await page.evaluate(() => document.activeElement?.blur());
  const stops = [];
  for (let n = 0; n < 90; n += 1) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => {
      const one = document.activeElement;
      if (!one || one === document.body) return null;
      const look = getComputedStyle(one),
        box = one.getBoundingClientRect();
      const marked = look.outlineStyle !== "none" || look.boxShadow !== "none" || one.matches("[type=range]");
      const name =
        one.id ||
        one.getAttribute("aria-label") ||
        one.labels?.[0]?.textContent.trim() ||
        one.textContent.trim().slice(0, 30) ||
        one.className;
      return { name, marked, size: Math.min(box.width, box.height), inside: box.bottom > 0 && box.top < innerHeight };
    });
    if (!stop) break;
    if (stops.length && stop.name === stops[0].name) break;
    stops.push(stop);
  }
  const names = stops.map((stop) => stop.name);
  assert.ok(stops.length > 20 && stops.length < 90, `${stops.length} stops: ${names.join(" · ")}`);
  assert.deepEqual(
    stops.filter((stop) => !stop.marked || stop.size < 1 || !stop.inside),
    [],
    "focus is seen everywhere",
  );
  const order = ["Skip to the page", "title", "scene-add", "moment", "script", "tab-clip"].map((name) =>
    names.findIndex((one) => one.startsWith(name)),
  );
  assert.ok(
    order.every((at, n) => at >= 0 && (n === 0 || at > order[n - 1])),
    `in the order of the page: ${names.join(" · ")}`,
  );

  step("a text is moved by keyboard and by hand");
  const box = page.locator('.box[data-clip="0"]');
  await box.focus();
  assert.equal(
    await page.locator("#panel textarea[data-key=text]").inputValue(),
    "Studio",
    "the element can be changed",
  );
  await page.keyboard.press("Shift+ArrowDown");
  const at = await box.boundingBox();
  await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
  await page.mouse.down();
  await page.mouse.move(at.x + at.width / 2 + 60, at.y + at.height / 2 + 40, { steps: 4 });
  await page.mouse.up();
  const there = await page.locator('.box[data-clip="0"]').boundingBox();
  assert.ok(
    Math.abs(there.x - at.x - 60) < 3 && Math.abs(there.y - at.y - 40) < 3,
    `it follows the hand all the way: ${JSON.stringify([at, there])}`,
  );
  await until(async () => (await stored()).scenes[0].clips[0].top > 400, 20);
  const moved = (await stored()).scenes[0];
  assert.ok(moved.clips[0].left > 210 && moved.clips[0].top > 400, JSON.stringify(moved.clips[0]));
  assert.deepEqual(
    [moved.note, moved.clips[1].customKey, moved.clips[1].lineHeight],
    [{ of: "another program" }, [1, 2], 1.3],
    "what is not understood is kept",
  );
  await judge(page);

  step("what is written is text wherever it shows up");
  await page.locator("#panel textarea[data-key=text]").fill(HOSTILE);
  await page.locator("#title").fill(`Studio ${HOSTILE}`);
  await saved();
  assert.match(await page.locator("#panel h3").first().textContent(), /script/);
  // The page has one of its own, which keeps places.
  assert.equal(await page.locator('main script:not([src$="/editor-place.js"])').count(), 0);
  await page.locator("#title").fill("Studio");
  await saved();

  step("two windows on one project: nothing is lost unasked, and either may be kept");
  const script = page.locator("#script");
  const elsewhere = async (text) => {
    const window = await context.newPage();
    await window.goto(`/projects/${id}/edit`);
    await window.locator("#frame:not([hidden])").waitFor({ timeout: 60000 });
    await window.locator("#script").fill(text);
    await until(async () => (await stored()).scenes[0].scripts[0].org === text, 20);
    await window.close();
  };
  await saved();
  await elsewhere("From the other window.");
  await script.fill("From this window.");
  await page.locator("#ask[open]").waitFor();
  await judge(page);
  // Put away, the question stays open: an export would be of the other version.
  await page.keyboard.press("Escape");
  await page.locator("#saved.bad", { hasText: "changed elsewhere" }).waitFor();
  await page.locator("#export-open").click();
  await page.locator("#ask[open]").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Decide" }).click();
  await page.getByRole("button", { name: "Keep mine" }).click();
  await until(async () => (await stored()).scenes[0].scripts[0].org === "From this window.", 20);
  await saved();
  await elsewhere("From the other window, again.");
  await script.fill("Lost, as was said.");
  await page.getByRole("button", { name: "Load the other" }).click();
  await page.waitForFunction(() => document.getElementById("script").value === "From the other window, again.");
  await page.locator("#versions-open").click();
  await page.locator("#versions-list li").nth(3).waitFor();
  await page.locator("#versions [data-close]").click();
  meant(/409/);

  step("an undone name is seen undone");
  await page.locator("#title").fill("Renamed");
  await saved();
  await page.locator("#undo").click();
  await page.waitForFunction(() => document.getElementById("title").value === "Studio");

  step("scenes are added, moved, duplicated and removed by keyboard");
  await page.locator(".scene-open").first().focus();
  await page.keyboard.press("Alt+ArrowDown");
  await until(async () => (await stored()).scenes[1].note, 20);
  await page.getByRole("button", { name: "Duplicate scene 2" }).click();
  await until(async () => (await stored()).scenes.length === 3, 20);
  await page.getByRole("button", { name: "Remove scene 3" }).click();
  await page.locator("#ask-yes").click();
  await until(async () => (await stored()).scenes.length === 2, 20);
  await page.locator("#scene-add").click();
  await page.keyboard.type("A new scene.");
  await page.locator("#pause").click();
  await until(async () => (await stored()).scenes[2]?.scripts[0].org.includes("[pause 0.5s]"), 20);

  step("presenters and voices are heard in each of their languages, and chosen");
  const sounds = [];
  page.on(
    "response",
    (response) =>
      response.url().includes("sample.wav") && sounds.push([response.status(), response.headers()["content-type"]]),
  );
  await page.locator("#tab-scene").click();
  await page.locator('[data-key="presenter"]').click();
  await page.locator("#picker .pick", { hasText: "David" }).first().click();
  await page.locator('[data-key="presenter"] b', { hasText: "David" }).waitFor();
  await page.locator('[data-key="voice"]').click();
  await judge(page);
  await page.getByRole("button", { name: "Listen to David in German (DE)" }).click();
  await until(() => sounds.length === 1, 60);
  await page.locator("#picker .voices.own .voice", { hasText: "German" }).click();
  await until(async () => (await stored()).scenes[2].clips[0].model.language === "de-DE", 20);
  await page.locator('[data-key="voice"]').click();
  await page.locator('#picker input[type="search"]').fill("esperanto");
  await page.locator("#picker .voices:not(.own) .voice").first().click();
  await until(async () => (await stored()).scenes[2].scripts[0].isTTS === true, 20);
  await page.locator('[data-key="background"]').click();
  await judge(page);
  await page.locator("#picker .pick").first().click();
  await until(async () => (await stored()).scenes[2].background.source_type === "image", 20);
  await page.goto("/library");
  await page.getByRole("button", { name: "Listen to David in German (DE)" }).click();
  await page.locator(".playing").waitFor();
  await page.goto("/library/voices");
  const tongues = await page.locator(".language").evaluateAll((all) => all.map((one) => one.dataset.language));
  assert.deepEqual(
    tongues.filter((name) => !/^\p{Lu}/u.test(name)),
    [],
    "languages have names, not tags",
  );
  await page.locator("#voice-search").fill("esperanto");
  await page.locator('[data-voice]:visible [aria-label^="Play"]').first().click();
  await until(() => sounds.length >= 2, 60);
  assert.ok(
    sounds.every(([status, type]) => [200, 206].includes(status) && type === "audio/wav"),
    JSON.stringify(sounds),
  );

  // English words in a German mouth: the editor says what is wrong, and draws no frame of it.
  meant(/422/);

  step("files of one's own are sent, used and deleted");
  await page.goto("/library/files");
  const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 180 } });
  await page.locator("#drop input").setInputFiles([{ name: `<b>Logo.png`, mimeType: "image/png", buffer: picture }]);
  await page.locator("[data-file]", { hasText: "<b>Logo.png" }).waitFor();
  await judge(page);
  await page.goto(`/projects/${id}/edit`);
  await page.locator("#frame:not([hidden])").waitFor({ timeout: 60000 });
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Picture, video, sound" }).click();
  await (await chooser).setFiles({ name: "Second.png", mimeType: "image/png", buffer: picture });
  await until(async () => (await stored()).scenes[0].clips.some((clip) => clip.type === "image"), 30);
  await page.goto("/library/files");
  await page.getByRole("button", { name: "Delete <b>Logo.png" }).click();
  await page.locator("#ask-yes").click();
  await page.locator("[data-file]", { hasText: "<b>Logo.png" }).waitFor({ state: "detached" });

  step("a font of one's own is sent with a word about it, chosen in the editor and deleted");
  await page.goto("/library/fonts");
  const font = { name: "brand.ttf", mimeType: "font/ttf", buffer: brand() };
  await page.locator("#drop input").setInputFiles([font]);
  await page.getByText("Say first that you may use the fonts").waitFor();
  await page.locator("#may-use").check();
  await page.locator("#drop input").setInputFiles([font]);
  await page.locator("td", { hasText: "Quarzit" }).waitFor();
  await judge(page);
  const catalogue = await (await page.request.get("/app/catalogue")).json();
  assert.deepEqual(catalogue.fonts, ["Quarzit"]);
  await page.getByRole("button", { name: "Delete Quarzit Bold" }).click();
  await page.locator("#ask-yes").click();
  await page.locator("td", { hasText: "Quarzit" }).waitFor({ state: "detached" });

  step("earlier versions come back");
  await page.goto(`/projects/${id}/edit`);
  await page.locator("#frame:not([hidden])").waitFor({ timeout: 60000 });
  await page.locator("#versions-open").click();
  await judge(page);
  meant(/422/);
  await page.locator("#versions-list li").last().getByRole("button", { name: "Go back to it" }).click();
  await page.getByText("Back at version").waitFor();
  const first = await stored();
  assert.deepEqual(
    [first.scenes.length, first.scenes[0].scripts[0].org, first.scenes[0].note],
    [2, "Hello from the test.", { of: "another program" }],
  );

  step("many films at once: duplicated, moved, found, exported, deleted");
  const csrf = await page.locator('meta[name="csrf"]').getAttribute("content");
  await page.request.post("/profile/workspaces", { form: { name: "Customer <i>A</i>", _csrf: csrf } });
  for (let n = 0; n < 2; n += 1) {
    await page.goto("/projects");
    await page.locator(`.film[data-id="${id}"] .film-more`).click();
    await page.getByRole("menuitem", { name: "Duplicate" }).click();
    await page.getByText("Duplicated").waitFor();
  }
  await page.goto("/projects?q=copy+of");
  assert.equal(await page.locator(".film").count(), 2);
  for (const check of await page.locator(".film-check").all()) await check.click({ force: true });
  await judge(page);
  await page.locator("#bulk-move").click();
  await page.locator("#move select").selectOption({ label: "Customer <i>A</i>" });
  await page.locator('#move button[value="yes"]').click();
  await page.getByText("Moved to").waitFor();
  await page.locator("#filters [name=workspace]").selectOption({ label: "Customer <i>A</i>" });
  await page.waitForURL(/workspace=/);
  await page.locator("#filters [name=q]").fill("");
  await page.waitForFunction(() => document.querySelectorAll(".film").length === 2);
  await page.locator("#filters [name=q]").fill("zebra");
  await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
  await judge(page);
  await page.locator("#filters [name=q]").fill("");
  await page.locator(".film").nth(1).waitFor();
  for (const check of await page.locator(".film-check").all()) await check.click({ force: true });
  await page.locator("#bulk-export").click();
  await page.getByText("2 films are on their way").waitFor();
  await page.locator(".film .pill.good").nth(1).waitFor({ timeout: 240000 });
  for (const check of await page.locator(".film-check").all()) await check.click({ force: true });
  await page.locator("#bulk-delete").click();
  await page.locator("#ask-yes").click();
  await page.waitForURL(/\/projects$/);
  assert.equal(await page.locator(".film h2", { hasText: "Copy of" }).count(), 0);

  step("a film is cancelled while it is made, then made after all");
  await page.goto(`/projects/${id}`);
  const make = async () => {
    await page.locator('[data-open="export"]:visible').first().click();
    await page.locator("#export-form label", { hasText: "480" }).click();
    await page.locator("#export-form button:not([type])").click();
  };
  await make();
  const cancel = page.locator("#cancel");
  if (
    await cancel.click({ timeout: 5000 }).then(
      () => true,
      () => false,
    )
  ) {
    await page.locator("#ask-yes").click();
    const ended = page.locator("#state-pill", { hasText: /Cancelled|Ready/ });
    await ended.waitFor({ timeout: 60000 });
    // A film that was ready first is refused, and nobody lost anything.
    if (/Ready/.test(await ended.textContent())) meant(/400 .*\/cancel /);
    flaws.push(...(await fits(page)));
    await make();
  }
  await page.locator("video:not(#watch)").waitFor({ timeout: 240000 });
  await context.close();
}
