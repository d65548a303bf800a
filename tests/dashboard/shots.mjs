// Every page and every state of it, in light, dark and on a phone, as pictures to look at.
//   node shots.mjs FOLDER [PATTERN]     only the pictures whose names match
import { mkdir, writeFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { launch, watched, signIn } from "./browser.mjs";
import { start, token, until, call } from "./service.mjs";
import { fill, uploads, LONGEST, MEMBER } from "./stage.mjs";
import * as states from "./states.mjs";

const [folder, pattern = ""] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const wanted = new RegExp(pattern);

const LOOKS = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
};

// Two houses: one that nobody has used yet, one that is full. Those who work on pages keep both running and name a file
// in COMPERE_SHOTS_KEEP that says where they are: {"fresh": {"base", "password"}, "full": {"base", "password", "data"}}.
const kept = process.env.COMPERE_SHOTS_KEEP;
const house = kept ? JSON.parse(await readFile(kept, "utf8")) : { fresh: await start(), full: await start() };
const browser = await launch();
if (!house.ids) {
  const { full } = house;
  const { page, context } = await watched(browser, full.base);
  await signIn(page, full.password);
  house.ids = await fill(full, await film(full.base, await token(full.base, page)));
  await uploads(page, house.ids);
  house.ids.invitation = await invitation(page);
  await context.close();
  if (kept) await writeFile(kept, JSON.stringify(house));
}
const { ids } = house;

/** A film with a presenter, made by this machine as any other would be. */
async function film(base, token) {
  const welcome = JSON.parse(await readFile(join(import.meta.dirname, "../../examples/welcome.json"), "utf8"));
  const id = (await call(base, "POST", "/api/odin/v3/editor/project", { ...welcome, resolution: "480" }, token)).body
    .data.projectId;
  await until(async () => {
    const { data } = (await call(base, "GET", `/api/odin/v3/editor/progress/${id}`, undefined, token)).body;
    if (data?.state === "failed") throw new Error(JSON.stringify(data));
    return data?.progress === 100;
  }, 600);
  return id;
}

async function invitation(page) {
  await page.goto("/admin/accounts");
  await page.locator('[data-open="invite"]').click();
  await page.getByLabel("Name", { exact: true }).fill("Mary Shelley");
  await page.getByLabel("E-mail").fill("mary@example.com");
  await page.getByRole("button", { name: "Make the link" }).click();
  return page.locator("#invitation").textContent();
}

const taken = [];
for (const [look, options] of Object.entries(LOOKS)) {
  const round = async (base, list, who) => {
    const due = list.filter(([name]) => wanted.test(`${name}-${look}`));
    if (!due.length) return;
    const { page, context, wrongs } = await watched(browser, base, options);
    if (who) await signIn(page, who.password, who.email);
    for (const [name, where, act, { full = true } = {}] of due) {
      try {
        await page.goto("about:blank");
        await page.goto(base + (typeof where === "function" ? where() : where));
        await act?.(page);
        await settle(page, full);
        await page.screenshot({ path: `${folder}/${name}-${look}.png`, fullPage: full });
        taken.push(name);
      } catch (error) {
        console.log(`${look} ${name}: ${error.message.split("\n")[0]}`);
        process.exitCode = 1;
      }
      await page.unrouteAll({ behavior: "ignoreErrors" });
    }
    // Pages that are there to be refused say so on the console, too.
    for (const wrong of wrongs.filter((wrong) => !/40[0-9]|415|422|500|ERR_FAILED/.test(wrong)))
      console.log(`${look}: ${wrong}`);
    await context.close();
  };
  const { fresh, full } = house;
  await round(
    fresh.base,
    states.outside(ids).filter(([, , , how]) => how?.fresh),
  );
  await round(
    full.base,
    states.outside(ids).filter(([, , , how]) => !how?.fresh),
  );
  await round(fresh.base, states.fresh(), fresh);
  await round(full.base, states.members(), { ...full, email: MEMBER });
  await round(full.base, states.longest(), { ...full, email: LONGEST });
  await round(full.base, states.inside(ids), full);
}

/** Pictures that are drawn when they are first looked at have come. */
async function settle(page, full) {
  await page.waitForLoadState("load");
  if (full) {
    await page.evaluate(async () => {
      const step = innerHeight;
      for (let y = 0; y < document.documentElement.scrollHeight && y < 12000; y += step) {
        scrollTo(0, y);
        await new Promise((wake) => setTimeout(wake, 60));
      }
      scrollTo(0, 0);
    });
  }
  // What lies beside the picture, in a strip that scrolls, is drawn when somebody gets there.
  const come = (full) =>
    [...document.images].every((image) => {
      const { top, left } = image.getBoundingClientRect();
      return (
        (!image.dataset.slow && image.complete) ||
        (!full && top > innerHeight) ||
        left > innerWidth ||
        image.closest("dialog:not([open])")
      );
    });
  await until(() => page.evaluate(come, full), 60).catch(() => {});
  await page.waitForTimeout(350);
}

await browser.close();
for (const { stop } of [house.fresh, house.full]) await stop?.();
console.log(`${taken.length} pictures are in ${folder}`);
