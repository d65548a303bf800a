// What a newcomer stumbles over: foreign voices, other scenes' pictures, waits without a word, films that are out of date.
import assert from "node:assert/strict";
import { call, film, pdf, token, until } from "./service.mjs";

const ENGLISH = "Welcome to the show, we are happy that you are here with us today.";
const GERMAN = "Guten Tag, wir sprechen heute über die Ergebnisse und über das neue Jahr.";

/** A film whose first scene has a presenter who is drawn at once, and who speaks with somebody else's voice. */
function foreign(voice) {
  const made = film("Traps", ENGLISH);
  const who = { modelId: "figure", clothId: "teal" };
  Object.assign(made.scenes[0].scripts[0], who, { tts: { voice } });
  made.scenes[0].clips.push({
    id: "presenter",
    type: "aiModel",
    layer: 2,
    left: 1040,
    top: 120,
    width: 800,
    height: 960,
    model: { ai_name: who.modelId, emotion: who.clothId },
  });
  return made;
}

export async function traps(house) {
  const { service, step, judge } = house;
  const { page, meant } = await house.signedIn(service.password);
  const key = await token(service.base, page, "Traps");
  const catalogue = await (await page.request.get("/app/catalogue")).json();
  const create = async (body) => {
    const made = await call(service.base, "POST", "/api/odin/v3/editor/project", { ...body, isExport: false }, key);
    assert.equal(made.status, 200, JSON.stringify(made.body));
    return made.body.data.projectId;
  };
  const stored = async (id) => (await (await page.request.get(`/app/projects/${id}/body`)).json()).body;
  const saved = () => page.locator("#saved:not(.bad)", { hasText: /^Saved$/ }).waitFor();
  const edit = async (id, anchor = "") => {
    await page.goto(`/projects/${id}/edit${anchor}`);
    await page.locator('#editor[aria-busy="false"]').waitFor();
    await page.locator("#frame:not([hidden])").waitFor();
  };

  await voices({ page, step, judge, meant, catalogue, create, stored, saved, edit });
  await pictures({ page, step, create, edit });
  await films({ page, step, judge, create, edit, saved, service });
  await imports({ page, step });
  await page.context().close();
}

async function voices({ page, step, judge, meant, catalogue, create, stored, saved, edit }) {
  step("a voice that cannot speak what is written is seen, and put right with one click");
  const figure = catalogue.presenters.find((one) => one.style === "figure");
  const german = catalogue.voices.find((one) => one.language.startsWith("de"));
  assert.ok(figure && german, "somebody who is drawn at once, and a voice that speaks German");
  const body = foreign("tone");
  const [who, other] = [figure.outfits[0].id, figure.outfits.at(-1).id];
  for (const entry of [body.scenes[0].scripts[0]]) Object.assign(entry, { modelId: figure.id, clothId: who });
  Object.assign(body.scenes[0].clips[1].model, { ai_name: figure.id, emotion: who });
  const id = await create(body);
  await edit(id);
  await page.locator('[data-key="voice"]').click();
  await page.locator('#picker input[type="search"]').fill(german.name);
  const kinds = page.getByRole("group", { name: "Kind of voice" });
  await kinds.getByRole("button", { name: "Simple" }).click();
  assert.ok(
    await page
      .locator("#picker .voices:not(.own) .voice small")
      .evaluateAll((all) => all.every((one) => /simple/.test(one.textContent))),
  );
  await kinds.getByRole("button", { name: "All" }).click();
  await page.locator("#picker .voices:not(.own) .voice").first().click();
  await page.locator("#tongue", { hasText: "The script looks English, and the voice speaks German." }).waitFor();
  await page.locator('[data-key="voice"].clashes', { hasText: "The script looks English" }).waitFor();
  assert.match(await page.locator('[data-key="voice"]').textContent(), /German/);
  await judge(page);

  step("an export says what stands in its way, and leads there");
  await page.locator("#export-open").click();
  const stop = page.locator("#stops .stop").first();
  assert.match(await stop.textContent(), /Scene 1/);
  assert.doesNotMatch(await page.locator("#stops").textContent(), /espeak|af_|scenes\[/, "no ids, no paths");
  await judge(page);
  await page
    .locator("#scenes .scene-open")
    .nth(1)
    .evaluate((one) => one.click());
  await stop.click();
  await page
    .locator("#stops[open]")
    .waitFor({ state: "detached" })
    .catch(() => {});
  assert.equal(await page.locator("#stops[open]").count(), 0, "the dialog closes");
  await page.locator('.scene.chosen[data-n="0"]').waitFor();
  await page.waitForFunction(() => ["fix-tongue", "script"].includes(document.activeElement.id));
  await page.goto(`/projects/${id}`);
  await page.locator('[data-open="export"]:visible').first().click();
  await page.locator("#export-form button:not([type])").click();
  await page.locator("#stops a.stop", { hasText: "Scene 1" }).click();
  await page.waitForURL(/edit#scene-1/);
  meant(/400/);
  await page.locator("#fix-tongue", { hasText: "Use an English voice" }).click();
  await until(async () => (await stored(id)).scenes[0].scripts[0].isTTS === false, 20);
  await saved();
  await page.waitForFunction(() => !document.querySelector("#fix-tongue"));
  await page.locator("#tongue", { hasText: "Understood as English" }).waitFor();

  step("what was heard wrongly is put right with one click, and back");
  await page.locator("#script").fill("Hoje vamos falar sobre os resultados do ano e não é pouco.");
  await page.locator("#tongue", { hasText: "Understood as Portuguese" }).waitFor();
  await page.locator("#say-tongue", { hasText: "It is English" }).click();
  await page.locator("#tongue", { hasText: "Said to be English" }).waitFor();
  const says = async () => (await stored(id)).scenes[0].clips.find((one) => one.type === "aiModel").model.language;
  await until(async () => (await says())?.startsWith("en"), 20);
  await judge(page);
  await page.locator("#say-tongue", { hasText: "Let the script tell" }).click();
  await until(async () => (await says()) === undefined, 20);
  await page.locator("#tongue", { hasText: "Understood as Portuguese" }).waitFor();
  const third = await page.locator("#other-tongue option").nth(1).textContent();
  await page.locator("#other-tongue").selectOption({ label: third });
  await page.locator("#tongue", { hasText: `Said to be ${third}` }).waitFor();
  await page.locator("#say-tongue", { hasText: "Let the script tell" }).click();
  await page.locator("#script").fill(ENGLISH);
  await page.locator("#tongue", { hasText: "Understood as English" }).waitFor();

  step("somebody else brings the own voice along; other clothes change nothing");
  const choose = async (presenter, outfit) => {
    await page.locator("#tab-scene").click();
    await page.locator('[data-key="presenter"]').click();
    await page.locator("#picker .pick", { hasText: presenter }).filter({ hasText: outfit }).first().click();
  };
  await page.locator('[data-key="voice"]').click();
  await page.locator('#picker input[type="search"]').fill("english");
  await page.locator("#picker .voices:not(.own) .voice").first().click();
  await until(async () => (await stored(id)).scenes[0].scripts[0].isTTS === true, 20);
  await choose(figure.name, figure.outfits.find((one) => one.id === other).name);
  await until(async () => (await stored(id)).scenes[0].scripts[0].clothId === other, 20);
  assert.equal((await stored(id)).scenes[0].scripts[0].isTTS, true, "the voice was chosen for this presenter");
  const another = catalogue.presenters.find((one) => one.id !== figure.id);
  // Who it is matters here, not how they look: nobody has to be dressed for it.
  const picture = await page.screenshot({ type: "jpeg", clip: { x: 0, y: 0, width: 96, height: 54 } });
  await page.route("**/app/still", (route) => route.fulfill({ contentType: "image/jpeg", body: picture }));
  await choose(another.name, another.outfits[0].name);
  await page.getByText(`${another.name} speaks with the own voice now.`).waitFor();
  await until(async () => (await stored(id)).scenes[0].scripts[0].isTTS === false, 20);

  step("a new scene speaks with the presenter's own voice, and never wears another scene's picture");
  await page.locator("#undo").click();
  await until(async () => (await stored(id)).scenes[0].scripts[0].isTTS === true, 20);
  await page.locator("#frame:not([hidden])").waitFor();
  await page.unroute("**/app/still");
  await page.route("**/app/still", async (route) => {
    await new Promise((wake) => setTimeout(wake, 700));
    await route.continue().catch(() => {});
  });
  const before = await page.locator("#frame").getAttribute("src");
  await page.locator("#scene-add").click();
  const worn = await page.evaluate(() => ({
    frame: document.getElementById("frame").hidden ? null : document.getElementById("frame").getAttribute("src"),
    small: document.querySelector(".scene.chosen img")?.getAttribute("src") ?? null,
    first: document.querySelector('.scene[data-n="0"] img')?.getAttribute("src") ?? null,
  }));
  assert.ok(worn.frame !== before && (!worn.small || worn.small !== worn.first), JSON.stringify(worn));
  await page.keyboard.type(ENGLISH);
  await until(async () => (await stored(id)).scenes[1]?.scripts[0].org === ENGLISH, 20);
  const { scripts, clips } = (await stored(id)).scenes[1];
  assert.deepEqual([scripts[0].isTTS, scripts[0].tts, clips.length], [false, null, 1]);
  await page.unroute("**/app/still");
}

async function pictures({ page, step, create, edit }) {
  step("the frame that is edited goes before the pictures of the list, and says what it waits for");
  const many = film("Many scenes");
  many.scenes = Array.from({ length: 8 }, (_, n) => ({ ...structuredClone(many.scenes[0]), sceneIdx: n }));
  many.scenes.forEach((scene, n) => (scene.clips[0].text = `Number ${n}`));
  const id = await create(many);
  const open = { frames: 0, lists: 0 };
  const wrong = [];
  let show;
  const seen = new Promise((settle) => (show = settle));
  await page.route("**/app/still", async (route) => {
    const kind = route.request().postDataJSON().list ? "lists" : "frames";
    if (kind === "lists" && (open.frames || open.lists))
      wrong.push(`a picture for the list beside ${JSON.stringify(open)}`);
    open[kind] += 1;
    // The first frame takes as long as somebody needs to see what it says.
    await (kind === "frames" ? seen : new Promise((wake) => setTimeout(wake, 100)));
    const answer = await route.fetch({ timeout: 0 }).catch(() => null);
    open[kind] -= 1;
    await (answer ? route.fulfill({ response: answer }) : route.abort()).catch(() => {});
  });
  await page.goto(`/projects/${id}/edit`);
  await page.locator("#drawing:not([hidden])", { hasText: "Drawing the scene" }).waitFor();
  await page.locator("#making-long", { hasText: /^\d+ s/ }).waitFor();
  assert.equal(open.lists, 0);
  show();
  await page.locator("#frame:not([hidden])").waitFor({ timeout: 240000 });
  // Pictures out of sight are not drawn; the list is walked through.
  for (let n = 0; n < 8; n += 1) {
    await page.evaluate((n) => document.querySelector(`.scene[data-n="${n}"]`).scrollIntoView(), n);
    await page.locator(`.scene[data-n="${n}"] .scene-picture img`).waitFor();
  }
  assert.deepEqual(wrong, []);
  const different = await page.locator(".scene img").evaluateAll((all) => new Set(all.map((one) => one.src)).size);
  assert.equal(different, 8, "each scene has a picture of its own");
  await page.unroute("**/app/still");

  step("what is dragged moves with its pixels, held by lines, and says where it is");
  await edit(id, "#scene-2");
  const box = page.locator('.box[data-clip="0"]');
  const bare = page.waitForResponse(
    (answer) =>
      answer.url().endsWith("/app/still") &&
      answer.request().postDataJSON()?.list &&
      !answer.request().postDataJSON().project.scenes[0].clips.length,
  );
  await box.focus();
  await bare;
  await page.waitForTimeout(300);
  const at = await box.boundingBox();
  await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
  await page.mouse.down();
  await page.mouse.move(at.x + at.width / 2 + 40, at.y + at.height / 2 + 60, { steps: 5 });
  const lit = await page.evaluate(() => {
    const ghost = document.getElementById("ghost");
    if (ghost.hidden) return null;
    const paint = new OffscreenCanvas(ghost.width, ghost.height).getContext("2d", { willReadFrequently: true });
    paint.drawImage(ghost, 0, 0);
    const bright = (top, bottom) => {
      const { data } = paint.getImageData(
        0,
        Math.round(top * ghost.height),
        ghost.width,
        Math.round((bottom - top) * ghost.height),
      );
      let count = 0;
      for (let n = 0; n < data.length; n += 4) count += data[n] > 200 && data[n + 1] > 200 && data[n + 2] > 200;
      return count;
    };
    return { above: bright(0.2, 0.42), below: bright(0.45, 0.75) };
  });
  assert.ok(lit && lit.below > 200 && lit.above < 50, `the letters hang below where they were: ${JSON.stringify(lit)}`);
  assert.match(await page.locator("#guides .measure").textContent(), /\d+, \d+ {2}1500 × 200/);
  const room = await page.locator("#canvas").boundingBox();
  await page.mouse.move(room.x + room.width / 2 + 2, room.y + room.height / 2 + 2, { steps: 5 });
  await page.locator("#guides .guide.upright").waitFor();
  await page.locator("#guides .guide.level").waitFor();
  await page.mouse.up();
  assert.equal(await page.locator("#guides *").count(), 0);
  await page.waitForFunction(() => document.getElementById("ghost").hidden);
}

async function films({ page, step, judge, create, edit, saved, service }) {
  step("while a film is made its pill and its veil agree, and its downloads are in place when it is there");
  const body = film("Jahresbericht", GERMAN);
  body.scenes[1].scripts[0].org = "Das war es für heute, und wir sehen uns in der nächsten Woche.";
  const id = await create(body);
  await page.goto(`/projects/${id}`);
  await page.locator('[data-open="export"]:visible').first().click();
  await page.locator("#export-form label", { hasText: "480" }).click();
  await page.locator("#export-form button:not([type])").click();
  const disagreed = [];
  const words = {
    Waiting: /turn/,
    Speaking: /ready|Fetching|Speaking/,
    Drawing: /Drawing|Fetching|Speaking/,
    Finishing: /Mixing|Checking|Putting|Finishing/,
  };
  const over = page.locator("video:not(#watch)").waitFor({ timeout: 240000 });
  const watch = setInterval(async () => {
    const seen = await page
      .evaluate(() => [
        document.getElementById("state-pill")?.textContent,
        document.getElementById("doing")?.textContent,
      ])
      .catch(() => []);
    if (seen[1] && words[seen[0]] && !words[seen[0]].test(seen[1])) disagreed.push(seen.join(": "));
  }, 60);
  await over;
  clearInterval(watch);
  assert.deepEqual(disagreed, []);
  const places = () =>
    page.evaluate(() =>
      ["#stage", "#aside .files", "#share-form"]
        .map((one) => document.querySelector(one).getBoundingClientRect().toJSON())
        .map(({ left, top, width }) => [left, top, width].map(Math.round)),
    );
  const live = await places();
  await page.reload();
  await page.locator("video:not(#watch)").waitFor();
  assert.deepEqual(live, await places(), "as if the page had been loaded anew");

  step("captions are in the language that is spoken");
  const track = await page.locator("video:not(#watch) track").evaluate((one) => [one.srclang, one.label]);
  assert.deepEqual(track, ["de", "German"]);

  step("a film is shared by a link with an end");
  await page.locator("#share-form select").selectOption("30");
  await page.locator("#share-form button").click();
  await page.locator("#shared:not([hidden])").waitFor();
  const link = await page.locator("#shared-link").inputValue();
  const days = (Date.parse(await page.locator("#shared-until").getAttribute("datetime")) - Date.now()) / 86400000;
  assert.ok(days > 29 && days < 31, `${days} days`);
  const stranger = await fetch(new URL(new URL(link).pathname, service.base), { headers: { range: "bytes=0-99" } });
  assert.deepEqual([stranger.status, stranger.headers.get("content-type")], [206, "video/mp4"]);
  const end = link.match(/\/film\/(\d+)\//)[1];
  const longer = new URL(link.replace(end, String(Number(end) + 86400))).pathname;
  assert.equal((await fetch(new URL(longer, service.base))).status, 404, "nobody makes it last longer");
  await judge(page);

  step("a film whose project was changed says so, until it is changed back");
  assert.equal(await page.locator("#changed-pill").count(), 0);
  await edit(id);
  await page.locator("#script").fill(`${GERMAN} Noch ein Satz.`);
  await saved();
  await page.goto(`/projects/${id}`);
  await page.locator("#changed-pill", { hasText: "Changed since" }).waitFor();
  await page.goto("/projects");
  await page.locator(`.film[data-id="${id}"] .film-changed`, { hasText: "Changed since" }).waitFor();
  assert.equal(await page.locator(".film-changed").count(), 1, "the others are as they were");
  await edit(id);
  await page.locator("#script").fill(GERMAN);
  await saved();
  await page.goto(`/projects/${id}`);
  assert.equal(await page.locator("#changed-pill").count(), 0);
}

async function imports({ page, step }) {
  step("an import asks first and opens the editor when its scenes are there");
  await page.goto("/import");
  const first = await page.evaluate(() =>
    Boolean(
      document.getElementById("wish").compareDocumentPosition(document.getElementById("drop")) &
      Node.DOCUMENT_POSITION_FOLLOWING,
    ),
  );
  assert.ok(first, "what is asked stands before the file");
  await page
    .locator("#drop input")
    .setInputFiles({ name: "Deck.pdf", mimeType: "application/pdf", buffer: pdf(["First slide", "Second slide"]) });
  const told = page.locator("#import-warnings .button");
  await Promise.race([page.waitForURL(/\/edit/, { timeout: 120000 }), told.click({ timeout: 120000 }).catch(() => {})]);
  await page.waitForURL(/\/projects\/[0-9a-f]{24}\/edit/, { timeout: 120000 });
  const deck = page.url().match(/projects\/([0-9a-f]{24})/)[1];

  step("a new version of a document is read into its project, which says what changed");
  await page.goto(`/projects/${deck}`);
  await page.locator("#new-version").click();
  await page.waitForURL(/\/import\?/);
  assert.equal(await page.locator("#older").inputValue(), deck, "the project is chosen");
  await page
    .locator("#drop input")
    .setInputFiles({ name: "Deck.pdf", mimeType: "application/pdf", buffer: pdf(["First slide", "Another slide"]) });
  const ready = page.locator("#sending .button");
  await Promise.race([page.waitForURL(/\/projects\//, { timeout: 120000 }), ready.waitFor({ timeout: 120000 })]);
  await page.goto(`/projects/${deck}`);
  await page.locator("#changes li").first().waitFor({ timeout: 120000 });
  const changes = await page.locator("#changes li").allTextContents();
  assert.ok(changes.some((change) => change.startsWith("One slide is as it was")), changes.join("; "));
  assert.ok(changes.some((change) => change.endsWith("is new")), changes.join("; "));
}
