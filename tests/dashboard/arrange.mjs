// Elements are arranged with the mouse and with the keyboard, texts are written where they stand, and marks of a script
// are chips.
import assert from "node:assert/strict";
import { call, film, token, until } from "./service.mjs";

const MARKED = 'Good morning. [pause 0.5s] We use <span data-say="sequel">SQL</span>s, [smile] and R&amp;D.';

function cards() {
  const made = film("Arranged", MARKED);
  const card = (n, left, top) => ({
    id: `card-${n}`,
    type: "shape",
    layer: 2 + n,
    left,
    top,
    width: 200,
    height: 120,
    shapeName: "Rectangle_corner0",
    fill: "rgb(13,148,136)",
  });
  made.scenes[0].clips.push(card(1, 100, 700), card(2, 500, 760), card(3, 1500, 820));
  return made;
}

export async function arrange(house) {
  const { service, step, judge } = house;
  const { page, context } = await house.signedIn(service.password);
  const key = await token(service.base, page, "Arrange");
  const made = await call(service.base, "POST", "/api/odin/v3/editor/project", { ...cards(), isExport: false }, key);
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const id = made.body.data.projectId;
  const scene = async (n = 0) => (await (await page.request.get(`/app/projects/${id}/body`)).json()).body.scenes[n];
  const becomes = async (check, n = 0) => {
    let last;
    await until(async () => check((last = await scene(n))), 20).catch(() =>
      assert.fail(`${check}: ${JSON.stringify(last.clips ?? last)}`),
    );
  };
  const box = (n) => page.locator(`.box[data-clip="${n}"]`);
  const tool = (name) => page.locator("#canvas-tools").getByRole("button", { name, exact: true });
  const pick = async (...which) => {
    await box(which[0]).click();
    for (const n of which.slice(1)) await box(n).click({ modifiers: ["Shift"] });
  };
  await page.goto(`/projects/${id}/edit`);
  await page.locator("#frame:not([hidden])").waitFor();

  step("several elements are chosen, aligned, spread, moved together and grouped");
  await pick(1, 2, 3);
  assert.equal(await page.locator(".box.chosen").count(), 3);
  await judge(page);
  await tool("Align top edges").click();
  await becomes((now) => [1, 2, 3].every((n) => now.clips[n].top === 700));
  await tool("Same distances across").click();
  await becomes((now) => now.clips[2].left === 800);
  await tool("Group").click();
  await becomes((now) => now.clips[1].group && now.clips[1].group === now.clips[3].group);
  await page.keyboard.press("Escape");
  await page.locator("#canvas").click({ position: { x: 4, y: 4 } });
  await box(2).click();
  assert.equal(await page.locator(".box.chosen").count(), 3, "a group is chosen as one");
  await box(2).focus();
  await page.keyboard.press("Shift+ArrowUp");
  await becomes((now) => [1, 2, 3].every((n) => now.clips[n].top === 690));
  await tool("Ungroup").click();
  await becomes((now) => [1, 2, 3].every((n) => !now.clips[n].group));

  step("what is locked stays where it is");
  await page.locator("#canvas").click({ position: { x: 4, y: 4 } });
  await box(1).click();
  await tool("Lock").click();
  await becomes((now) => now.clips[1].lockMovementX && now.clips[1].lockMovementY);
  await box(1).focus();
  await page.keyboard.press("ArrowRight");
  const at = await box(1).boundingBox();
  await page.mouse.move(at.x + 20, at.y + 20);
  await page.mouse.down();
  await page.mouse.move(at.x + 90, at.y + 60, { steps: 4 });
  await page.mouse.up();
  await page.waitForTimeout(1500);
  assert.equal((await scene()).clips[1].left, 100);
  await box(1).focus();
  await page.keyboard.press("Delete");
  await page.getByText("unlock it first").waitFor();
  assert.equal(await box(1).count(), 1, "nor does a key remove it");
  await tool("Unlock").click();
  await becomes((now) => !("lockMovementX" in now.clips[1]));

  step("zooming in shows what is chosen");
  await box(1).click();
  for (const times of [1, 2]) {
    await page.locator("#zoom-in").click();
    const [element, room] = await Promise.all([box(1).boundingBox(), page.locator("#canvas-room").boundingBox()]);
    const inside = element.x >= room.x - 2 && element.y >= room.y - 2 && element.x < room.x + room.width;
    assert.ok(inside, `${times}: ${JSON.stringify(element)} in ${JSON.stringify(room)}`);
  }
  await page.locator("#zoom-whole").click();

  step("elements are copied, pasted into another scene, duplicated, brought to the front and removed");
  await box(1).focus();
  await page.keyboard.press("Control+c");
  await page.locator(".scene-open").nth(1).click();
  await page.locator(".box").first().waitFor();
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("Control+v");
  await becomes((now) => now.clips.some((clip) => clip.id === "card-1" && clip.left === 140), 1);
  await page.keyboard.press("Control+d");
  await becomes((now) => now.clips.some((clip) => clip.id === "card-1-2" && clip.left === 180), 1);
  await tool("Send to the back").click();
  await becomes((now) => now.clips.find((clip) => clip.id === "card-1-2").layer < 1, 1);
  await page.keyboard.press("Control+a");
  const all = await page.locator(".box.chosen").count();
  assert.equal(all, 3);
  await page.locator(".box.chosen").last().focus();
  await page.keyboard.press("Delete");
  await becomes((now) => now.clips.length === 0, 1);
  await page.locator("#undo").click();
  await becomes((now) => now.clips.length === 3, 1);

  step("a new element stands where there is room and has the focus");
  await page.locator(".scene-open").first().click();
  await page.locator("#tab-scene").click();
  await page.getByRole("button", { name: "Text", exact: true }).click();
  await page.waitForFunction(() => document.activeElement.matches(".box.chosen"));
  const overlaps = await page.evaluate(() => {
    const [mine, ...others] = [document.activeElement, ...document.querySelectorAll(".box:not(.chosen)")].map((one) =>
      one.getBoundingClientRect(),
    );
    return others.filter(
      (one) =>
        one.left < mine.right - 2 &&
        one.right > mine.left + 2 &&
        one.top < mine.bottom - 2 &&
        one.bottom > mine.top + 2,
    ).length;
  });
  assert.equal(overlaps, 0);

  step("a text is written where it stands");
  await page.keyboard.press("Enter");
  await page.locator("textarea.writing").waitFor();
  await page.keyboard.type("Written on the spot");
  await page.keyboard.press("Escape");
  await becomes((now) => now.clips.at(-1).text === "Written on the spot");
  await box(0).dblclick();
  await page.locator("textarea.writing").fill("Twice clicked");
  await page.locator("#canvas").click({ position: { x: 4, y: 4 } });
  await becomes((now) => now.clips[0].text === "Twice clicked");
  assert.equal(await page.locator("textarea.writing").count(), 0);

  step("the list of layers changes what lies before what, and locks");
  await page.locator("#canvas").click({ position: { x: 4, y: 4 } });
  await page.locator("#tab-scene").click();
  const rows = () => page.locator(".layers [data-key] span").allTextContents();
  const [first, second] = await rows();
  await page.locator(".layers [data-key]").first().focus();
  await page.keyboard.press("Alt+ArrowDown");
  await page.waitForFunction(
    (second) => document.querySelector(".layers [data-key] span").textContent === second,
    second,
  );
  assert.equal((await rows())[1], first);
  await page.getByRole("button", { name: `Lock ${first}` }).click();
  await page.getByRole("button", { name: `Unlock ${first}` }).click();

  step("the picture is looked at closely");
  const whole = (await page.locator("#canvas").boundingBox()).width;
  const sharp = page.waitForRequest(
    (request) => request.url().endsWith("/app/still") && request.postDataJSON()?.width === 1920,
  );
  await page.getByRole("button", { name: "Larger" }).click();
  await sharp;
  const near = (await page.locator("#canvas").boundingBox()).width;
  assert.ok(Math.abs(near - whole * 1.5) < 2, `${whole} → ${near}`);
  await page.getByRole("button", { name: "see all" }).click();
  await page.waitForFunction(
    (whole) => Math.abs(document.querySelector("#canvas").getBoundingClientRect().width - whole) < 2,
    whole,
  );

  step("marks of a script are chips, never markup; its spelling is kept");
  const script = page.locator("#script");
  assert.doesNotMatch(await script.innerText(), /[<>[\]]|&amp;|data-/);
  assert.deepEqual(
    await script.locator(".chip").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label"))),
    ["Pause of 0.5 seconds", "“SQL”, said “sequel”", "The presenter: smile"],
  );
  await script.focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" <b>Bold</b> & more.");
  await becomes((now) => now.scripts[0].org === `${MARKED.replace("&amp;", "&")} &lt;b>Bold&lt;/b> & more.`);
  await page.getByRole("button", { name: "Say as" }).click();
  await page.locator("#mark").getByLabel("Written").fill("HTTP");
  await page.locator("#mark").getByLabel("Said").fill("aitch tee");
  await judge(page);
  await page.locator("#mark").getByRole("button", { name: "Put in" }).click();
  await becomes((now) => now.scripts[0].org.endsWith(' more.<span data-say="aitch tee">HTTP</span>'));
  await page.getByRole("button", { name: "Gesture" }).click();
  await page.locator("#mark select").selectOption("gesture:open");
  await page.locator("#mark").getByRole("button", { name: "Put in" }).click();
  await becomes((now) => now.scripts[0].org.endsWith("[gesture:open]"));
  await script.locator(".chip.pause").first().click();
  await page.locator("#mark").getByLabel("Seconds").fill("1.5");
  await page.getByRole("button", { name: "Change", exact: true }).click();
  await becomes((now) => now.scripts[0].org.startsWith("Good morning. [pause 1.5s] We use"));
  await script.locator(".chip.say").first().click();
  await page.locator("#mark").getByRole("button", { name: "Remove", exact: true }).click();
  await becomes((now) => now.scripts[0].org.includes("We use SQLs, [smile]"));
  await page.locator("#undo").click();
  await becomes((now) => now.scripts[0].org.includes('<span data-say="sequel">SQL</span>s'));
  await script.locator(".chip.say").first().waitFor();

  step("a mark that is typed is a chip at once; a word is said the same way everywhere");
  await script.focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" Our [pause 2s]API and apis");
  await script.getByRole("img", { name: "Pause of 2 seconds" }).waitFor();
  await becomes((now) => now.scripts[0].org.endsWith("Our [pause 2s]API and apis"));
  await page.getByRole("button", { name: "Say as" }).click();
  await page.locator("#mark").getByLabel("Written").fill("API");
  await page.locator("#mark").getByLabel("Said").fill("ay pee eye");
  await page.locator("#mark").getByLabel("Everywhere in this film").check();
  await judge(page);
  await page.locator("#mark").getByRole("button", { name: "Put in" }).click();
  assert.deepEqual(await script.locator(".chip.word").allInnerTexts(), ["API"], "not in the middle of a word");
  const dictionary = async () => (await (await page.request.get(`/app/projects/${id}/body`)).json()).body.dictionary;
  await until(async () => (await dictionary())?.API === "ay pee eye", 20);
  await becomes((now) => now.scripts[0].org.endsWith("Our [pause 2s]API and apis"));
  await script.locator(".chip.word").click();
  await page.locator("#mark").getByRole("button", { name: "Remove", exact: true }).click();
  await until(async () => !(await dictionary())?.API, 20);
  assert.equal(await script.locator(".chip.word").count(), 0);
  await context.close();
}
