// A presenter of one's own design: a picture that follows every control, kept, opened again, exchanged as a file, in a scene, gone.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { fits, PHONE, taps } from "./browser.mjs";

/** The picture after the one that is there. */
async function drawn(page, doing) {
  const picture = page.locator("#design-picture");
  const before = await page.evaluate(() => document.getElementById("design-picture")?.src ?? "");
  await doing();
  await page.waitForFunction(
    (before) => {
      const shown = document.getElementById("design-picture");
      return shown?.src && shown.src !== before && shown.complete && document.getElementById("design-busy").hidden;
    },
    before,
    { timeout: 120000 },
  );
  assert.equal(await page.locator("#design-note").textContent(), "");
  return picture.evaluate((shown) => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [shown.naturalWidth, shown.naturalHeight];
    canvas.getContext("2d").drawImage(shown, 0, 0);
    return [...canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data];
  });
}

const differing = (one, other) =>
  one.filter((value, at) => Math.abs(value - other[at]) > 12).length / Math.max(one.length, 1);

export async function design(house) {
  const { service, step, judge } = house;
  const { page } = await house.signedIn(service.password);

  step("somebody whom nobody knows is drawn as the page opens");
  await page.goto("/library/own");
  const first = await drawn(page, () => page.getByRole("link", { name: "Design a presenter" }).click());
  assert.ok(first.length > 200 * 200 * 4, `${first.length} bytes of a picture`);
  if (process.env.COMPERE_SHOT) await page.screenshot({ path: process.env.COMPERE_SHOT, fullPage: true });
  await judge(page);

  step("sliders, swatches and words are followed");
  // Chance may have drawn a bald man of seventy, or red hair already.
  const dark = page.getByRole("button", { name: "Colour: #24201f" }).first();
  await drawn(page, () => page.getByLabel("Style").selectOption("bob"));
  await drawn(page, () => dark.click());
  const young = await drawn(page, () => page.getByRole("slider", { name: /^Age/ }).fill("24"));
  const aged = await drawn(page, () => page.getByRole("slider", { name: /^Age/ }).fill("66"));
  assert.ok(differing(young, aged) > 0.005, "forty years leave a trace");
  const red = await drawn(page, () => page.getByRole("button", { name: "Colour: #86482c" }).first().click());
  assert.ok(differing(aged, red) > 0.01, "hair is seen");
  const painted = await page.locator(".swatch").evaluateAll((all) =>
    all.map((one) => getComputedStyle(one).backgroundColor),
  );
  assert.ok(new Set(painted).size > 15, `swatches show their colours: ${painted}`);
  await drawn(page, () => page.getByRole("button", { name: /^Remove/ }).last().click());
  await drawn(page, () => page.getByRole("button", { name: "Another outfit" }).click());
  const other = await drawn(page, () => page.getByRole("button", { name: "Somebody else" }).click());
  assert.ok(differing(red, other) > 0.05, "somebody else is another");

  step("kept, it is among one's own, and opens as it was");
  await page.getByLabel("What the presenter is called").fill("Alma");
  await page.getByRole("button", { name: "Add the presenter" }).click();
  await page.waitForURL(/\/library\/design\/\w+/);
  await page.goto("/library/own");
  await page.getByRole("link", { name: /Alma/ }).first().click();
  await page.getByRole("heading", { name: "Alma" }).waitFor();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as a file" }).click();
  const file = await (await saved).path();
  const told = JSON.parse(await readFile(file, "utf8"));
  assert.equal(told.name, "Alma");

  step("a file is opened, and what is none is refused in words");
  await page.goto("/library/design");
  await drawn(page, async () => {
    const chosen = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Open a file" }).click();
    await (await chosen).setFiles({
      name: "alma.json",
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify({ ...told, name: "Alma's sister" })),
    });
  });
  assert.equal(await page.getByLabel("What the presenter is called").inputValue(), "Alma's sister");
  const chosen = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Open a file" }).click();
  await (await chosen).setFiles({ name: "a.json", mimeType: "application/json", buffer: Buffer.from("not JSON") });
  await page.locator(".toast.bad").waitFor();

  step("on a phone nothing is cut off or too small for a thumb");
  const phone = await house.signedIn(service.password, undefined, PHONE);
  await drawn(phone.page, () => phone.page.goto("/library/design"));
  if (process.env.COMPERE_SHOT) await phone.page.screenshot({ path: `${process.env.COMPERE_SHOT}.phone.png`, fullPage: true });
  house.flaws.push(...(await fits(phone.page)), ...(await taps(phone.page)));
  await judge(phone.page);

  step("it can be chosen where presenters are, until it is taken away");
  const presenters = async () => (await (await page.request.get("/app/catalogue")).json()).presenters;
  assert.ok((await presenters()).some((one) => one.name === "Alma"));
  await page.goto("/library/own");
  await page.getByRole("link", { name: /Alma/ }).first().click();
  await page.getByRole("button", { name: "Take it away" }).click();
  const sure = page.locator("dialog[open] .danger");
  if (await sure.count()) await sure.click();
  await page.waitForURL("**/library/own**");
  assert.equal(await page.getByRole("link", { name: /Alma/ }).count(), 0);
  assert.ok(!(await presenters()).some((one) => one.name === "Alma"));
}
