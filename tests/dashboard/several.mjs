// Scenes in which several present: who they are is seen and changed, one of them goes, and a link leads to them.
import assert from "node:assert/strict";
import { PHONE, fits, taps } from "./browser.mjs";
import { call, film, token, until } from "./service.mjs";

const ASKED = "What do you make of it, and what comes next?";
const ANSWERED = "I could not agree more, and have little to add.";
const PLACE = { type: "aiModel", layer: 5, top: 120, width: 800, height: 960 };

/** Somebody who asks and is only heard, and a guest who answers with somebody else's voice. */
function talk(host, guest) {
  const wanted = film("Several", ASKED);
  for (const scene of wanted.scenes) {
    [scene.scripts[0].modelId, scene.scripts[0].clothId] = [host.model.ai_name, host.model.emotion];
    Object.assign(scene.scripts[0], { isTTS: false, tts: null });
    scene.clips.push(structuredClone(host), structuredClone(guest));
  }
  return wanted;
}

export async function several(house) {
  const { service } = house;
  const { page, context } = await house.signedIn(service.password);
  const key = await token(service.base, page, "Several");
  const { presenters } = await (await page.request.get("/app/catalogue")).json();
  const figure = presenters.find((one) => one.style === "figure");
  const [nora, other] = ["Nora", "David"].map((name) => presenters.find((one) => one.name === name));
  const host = {
    id: "host",
    left: 80,
    ...PLACE,
    voiceOnly: true,
    model: { ai_name: nora.id, emotion: nora.outfits[0].id },
  };
  const guest = {
    id: "guest",
    left: 1040,
    ...PLACE,
    model: { ai_name: figure.id, emotion: figure.outfits[0].id },
    script: { org: ANSWERED, isTTS: true, tts: { voice: "tone" } },
  };
  const all = { ...house, page, figure, nora, other, host, guest };
  all.create = async (body) => {
    const sent = { ...body, isExport: false };
    const made = await call(service.base, "POST", "/api/odin/v3/editor/project", sent, key);
    assert.equal(made.status, 200, JSON.stringify(made.body));
    return made.body.data.projectId;
  };
  all.told = async (id) => (await page.request.get(`/app/projects/${id}/body`)).json();
  all.scene = async (id, n = 0) => (await all.told(id)).body.scenes[n];
  // Who they are matters here, not how they look: nobody has to be dressed for it.
  all.undressed = async (page) => {
    const picture = await page.screenshot({ type: "jpeg", clip: { x: 0, y: 0, width: 96, height: 54 } });
    await page.route("**/app/still", (route) => route.fulfill({ contentType: "image/jpeg", body: picture }));
  };
  all.edit = async (id, anchor = "", there = page) => {
    await there.goto("about:blank");
    await there.goto(`${service.base}/projects/${id}/edit${anchor}`);
    await there.locator('#editor[aria-busy="false"]').waitFor();
  };
  await all.undressed(page);
  await named(all);
  await exchanged(all);
  await alike(all);
  await removed(all);
  await cut(all);
  await copied(all);
  await linked(all);
  await context.close();
}

const rows = (page) => page.locator(".layers [data-key] span").allTextContents();
const buttons = (page) => page.locator("#speakers button").allTextContents();
const row = (page, name) => page.locator(".layers").getByRole("button", { name, exact: true });
const reads = (page, text) => page.locator("#script", { hasText: text }).waitFor();
const pick = (page, who, outfit) =>
  page.locator("#picker .pick", { hasText: who.name }).filter({ hasText: outfit.name }).first().click();

async function choose(page, name) {
  await page.locator("#tab-scene").click();
  await row(page, name).click();
  await page.locator("#panel h3", { hasText: name }).first().waitFor();
}

/** What a film would be made of: whose each line is, and that nothing stands in its way. */
async function spoken({ told }, id) {
  const { judged } = await told(id);
  assert.deepEqual(judged.problems, []);
  assert.deepEqual(judged.warnings.filter(({ path }) => /script/.test(path)), []);
  return judged.tongues.map(({ path }) => path);
}

async function named(all) {
  const { page, step, judge, create, edit, scene, figure, other, host, guest } = all;
  step("presenters are called by who they are, wherever they are named");
  const wanted = talk(host, guest);
  const twin = { ...structuredClone(guest), id: "twin", left: 500, layer: 7, script: "So am I." };
  wanted.scenes[0].clips.push(twin);
  const id = await create(wanted);
  await edit(id);
  await reads(page, ASKED);
  assert.deepEqual(await buttons(page), ["Nora", figure.name, `${figure.name} 2`]);
  assert.deepEqual(await rows(page), [`${figure.name} 2`, figure.name, "Nora", "Text: Several"]);
  assert.equal(await page.locator('.box[data-clip="3"]').getAttribute("aria-label"), `${figure.name} 2`);
  await page.getByRole("button", { name: `Lock ${figure.name} 2` }).waitFor();
  await judge(page);
  // The tab of the scene has a card for each, and each opens that presenter.
  const cards = page.locator('#panel [data-key^="presenter"]');
  assert.deepEqual(await cards.locator("b").allTextContents(), ["Nora", figure.name, figure.name]);
  await cards.nth(2).click();
  await page.locator("#picker[open]").waitFor();
  assert.equal(await page.locator('#picker [name="all"]').count(), 0, "a further one is of this scene alone");
  await pick(page, other, other.outfits[0]);
  await cards.nth(2).locator("b", { hasText: other.name }).waitFor();
  await until(async () => (await scene(id)).clips[3].model.ai_name === other.id, 20);
  await page.locator("#undo").click();
  await cards.nth(2).locator("b", { hasText: figure.name }).waitFor();
  await choose(page, `${figure.name} 2`);
  await reads(page, "So am I.");
  await judge(page);
}

async function exchanged(all) {
  const { page, step, judge, create, edit, scene, figure, other, host, guest } = all;
  step("a further presenter becomes somebody else, in the same place, with the same words and recording");
  const wanted = talk(host, guest);
  const [, , clip] = wanted.scenes[0].clips;
  const recording = { audio: "https://example.com/answer.wav", recordedText: ANSWERED };
  Object.assign(clip.script, recording);
  const id = await create(wanted);
  await edit(id);
  await choose(page, figure.name);
  await page.locator('#panel [data-key="presenter"]').click();
  assert.equal(await page.locator('#picker [name="all"]').count(), 0, "a further one is of this scene alone");
  await judge(page);
  await pick(page, other, other.outfits[0]);
  await page.getByText(`${other.name} speaks with the own voice now.`).waitFor();
  await page.locator("#panel h3", { hasText: other.name }).first().waitFor();
  assert.deepEqual(await buttons(page), ["Nora", other.name]);
  const is = async (who, wear) => {
    const { model } = (await scene(id)).clips[2];
    return model.ai_name === who.id && model.emotion === wear.id;
  };
  await until(() => is(other, other.outfits[0]), 20);
  const now = await scene(id);
  const { model: _, script, ...rest } = now.clips[2];
  assert.deepEqual(script, { org: ANSWERED, isTTS: false, tts: null, ...recording });
  const { model: __, script: ___, ...was } = clip;
  assert.deepEqual(rest, was, "place, size and all else are as they were");
  assert.deepEqual(now.scripts, wanted.scenes[0].scripts, "what the first one says is as it was");
  await reads(page, ANSWERED);

  step("other clothes keep the voice; both are undone and done again");
  await page.locator('#panel [data-key="presenter"]').click();
  await pick(page, other, other.outfits[1]);
  await until(() => is(other, other.outfits[1]), 20);
  await page.locator('#panel [data-key="presenter"]', { hasText: other.outfits[1].name }).waitFor();
  await page.locator("#undo").click();
  await page.locator("#undo").click();
  await until(() => is(figure, figure.outfits[0]), 20);
  assert.deepEqual((await scene(id)).clips[2].script, { ...guest.script, ...recording });
  assert.deepEqual(await buttons(page), ["Nora", figure.name]);
  await page.locator("#redo").click();
  await until(() => is(other, other.outfits[0]), 20);
  await reads(page, ANSWERED);
}

async function alike(all) {
  const { page, step, create, edit, scene, figure, nora, host, guest } = all;
  step("two who look alike keep their scripts, though only looks say whose the scene's is");
  const wanted = talk(host, guest);
  // The guest stands first, and the scene's script names the other one.
  wanted.scenes[0].clips.reverse();
  const id = await create(wanted);
  await edit(id);
  await reads(page, ASKED);
  await choose(page, figure.name);
  await page.locator('#panel [data-key="presenter"]').click();
  await pick(page, nora, nora.outfits[0]);
  await until(async () => (await scene(id)).clips.every(({ model }) => !model || model.ai_name === nora.id), 20);
  assert.deepEqual(await buttons(page), ["Nora", "Nora 2"]);
  await page.locator("#panel h3", { hasText: "Nora 2" }).first().waitFor();
  await reads(page, ANSWERED);
  const { clips, scripts } = await scene(id);
  assert.deepEqual([scripts[0].org, clips.find((one) => one.id === "guest").script.org], [ASKED, ANSWERED]);
  const at = clips.findIndex((one) => one.id === "guest");
  assert.ok(clips.findIndex((one) => one.id === "host") < at, "who is the first to look so is the scene's speaker");
  assert.deepEqual((await spoken(all, id)).slice(0, 2), ["scenes[0].scripts[0]", `scenes[0].clips[${at}].script`]);
  await page.locator("#undo").click();
  await until(async () => (await scene(id)).clips[0].model?.ai_name === figure.id, 20);
  await reads(page, ANSWERED);
}

async function removed(all) {
  const { page, step, create, edit, scene, figure, host, guest } = all;
  step("whoever is removed takes their script along, and whoever stays keeps theirs");
  const wanted = talk(host, guest);
  const recording = { audio: "https://example.com/answer.wav", recordedText: ANSWERED };
  Object.assign(wanted.scenes[0].clips[2].script, recording);
  const id = await create(wanted);
  await edit(id);
  await choose(page, "Nora");
  await page.locator("#panel").getByRole("button", { name: "Remove" }).click();
  await reads(page, ANSWERED);
  assert.ok(await page.locator("#speakers").isHidden());
  await until(async () => (await scene(id)).clips.length === 2, 20);
  const now = await scene(id);
  const [modelId, clothId] = [figure.id, figure.outfits[0].id];
  assert.deepEqual(now.scripts, [{ ...guest.script, ...recording, modelId, clothId }]);
  assert.ok(!("script" in now.clips[1]), "it is said once");
  await page.locator("#undo").click();
  await until(async () => (await scene(id)).clips.length === 3, 20);
  assert.deepEqual(await scene(id), { ...wanted.scenes[0] }, "undone, all is as it was");
  assert.deepEqual(await buttons(page), ["Nora", figure.name]);

  step("the first one is taken out of all scenes as well; a voice is left of the last one alone");
  await page.locator("#tab-scene").click();
  await page.locator('#panel [data-key="presenter"]').click();
  await page.locator('#picker [name="all"]').check();
  await page.locator("#picker").getByRole("button", { name: "Take out of the scene" }).click();
  for (const n of [0, 1]) await until(async () => (await scene(id, n)).scripts[0].org === ANSWERED, 20);
  await page.locator('#panel [data-key="presenter"] b', { hasText: figure.name }).waitFor();
  await page.locator('.scene[data-n="1"] .scene-open').click();
  assert.deepEqual((await spoken(all, id)).at(-1), "scenes[1].scripts[0]");
  await page.locator('#panel [data-key="presenter"]').click();
  await page.locator("#picker").getByRole("button", { name: "Nobody: a voice only" }).click();
  await until(async () => (await scene(id, 1)).clips.length === 1, 20);
  assert.equal((await scene(id, 1)).scripts[0].org, ANSWERED);
  await reads(page, ANSWERED);

  step("whoever goes second leaves the first one's script alone");
  const other = await create(talk(host, guest));
  await edit(other);
  await choose(page, figure.name);
  await page.keyboard.press("Delete");
  if ((await page.locator(".box.chosen").count()) > 0) await page.locator(".box.chosen").press("Delete");
  await reads(page, ASKED);
  await until(async () => (await scene(other)).clips.length === 2, 20);
  assert.equal((await scene(other)).scripts[0].org, ASKED);
}

async function cut(all) {
  const { page, step, create, edit, scene, figure, host, guest } = all;
  step("whoever is cut out and put in again still says the same");
  const seen = { ...host, voiceOnly: false };
  const id = await create(talk(seen, guest));
  await edit(id);
  await page.locator('.box[data-clip="1"]').focus();
  await page.keyboard.press("Control+x");
  await reads(page, ANSWERED);
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("Control+v");
  await reads(page, ASKED);
  assert.deepEqual(await buttons(page), [figure.name, "Nora"]);
  await until(async () => (await scene(id)).clips[2]?.id === "host", 20);
  const { scripts, clips } = await scene(id);
  assert.deepEqual([scripts[0].org, clips[2].script.org], [ANSWERED, ASKED]);
  await spoken(all, id);
}

async function copied(all) {
  const { page, step, create, edit, scene, nora, host, guest } = all;
  step("whoever is copied into a scene that a voice alone tells says it from then on");
  const wanted = talk({ ...host, voiceOnly: false }, guest);
  const [, told] = wanted.scenes;
  told.clips = told.clips.filter((clip) => clip.type !== "aiModel");
  [told.scripts[0].modelId, told.scripts[0].clothId] = [guest.model.ai_name, guest.model.emotion];
  const id = await create(wanted);
  await edit(id);
  await page.locator('.box[data-clip="1"]').focus();
  await page.keyboard.press("Control+c");
  await page.locator('.scene[data-n="1"] .scene-open').click();
  await reads(page, told.scripts[0].org);
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("Control+v");
  await until(async () => (await scene(id, 1)).clips.at(-1).id === "host", 20);
  const { scripts } = await scene(id, 1);
  assert.deepEqual([scripts[0].org, scripts[0].modelId], [told.scripts[0].org, nora.id]);
  await spoken(all, id);
  await page.locator("#undo").click();
  await until(async () => (await scene(id, 1)).scripts[0].modelId === guest.model.ai_name, 20);
}

/** How far things jumped while the page came. On a phone, whose size was set, each jump counts as one after a touch. */
const jumps = (page) =>
  page.evaluate(
    () =>
      new Promise((settle) => {
        const all = [];
        const told = ({ node, previousRect: from, currentRect: to }) =>
          `${node?.id || node?.className || node?.nodeName} from ${from.y} to ${to.y}`;
        new PerformanceObserver((list) => {
          for (const { value, sources } of list.getEntries()) all.push([value, ...[...sources].map(told)]);
        }).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => settle(all), 400);
      }),
  );

async function linked(all) {
  const { page, service, step, create, edit, figure, host, guest, undressed, flaws } = all;
  step("a link to a later scene opens it where it stays, whoever speaks there");
  const wanted = talk(host, guest);
  wanted.scenes[0].clips.splice(1);
  wanted.scenes.push({ ...structuredClone(wanted.scenes[0]), sceneIdx: 2 });
  const id = await create(wanted);
  const phone = await all.signedIn(service.password, undefined, PHONE);
  await undressed(phone.page);
  for (const there of [page, phone.page]) {
    for (const [anchor, chosen, names] of [
      ["", 0, []],
      ["#scene-2", 1, ["Nora", figure.name]],
      ["#scene-2-element-3", 1, ["Nora", figure.name]],
      ["#scene-3", 2, []],
      ["#scene-99", 2, []],
    ]) {
      await edit(id, anchor, there);
      await there.locator("#frame:not([hidden])").waitFor();
      const jumped = await jumps(there);
      const far = jumped.reduce((sum, [value]) => sum + value, 0);
      assert.ok(far < 0.01, `${anchor} jumps: ${JSON.stringify(jumped)}`);
      assert.deepEqual(await buttons(there), names);
      await there.locator(`.scene.chosen[data-n="${chosen}"]`).waitFor();
      const isGuest = anchor.includes("element");
      await reads(there, isGuest ? ANSWERED : chosen === 1 ? "And this is the end." : ASKED);
      assert.equal(await there.locator(".box.chosen").count(), isGuest ? 1 : 0);
      assert.equal(await there.evaluate(() => scrollY), 0);
    }
  }
  await edit(id, "#scene-2", phone.page);
  flaws.push(...(await fits(phone.page)), ...(await taps(phone.page)));
  await phone.context.close();
}
