// Every page and state: nothing keeps anybody out, nothing jumps, nothing is cut off, nothing hostile comes alive.
import assert from "node:assert/strict";
import { PHONE, fits, taps } from "./browser.mjs";
import { call, film, furnish, token, until } from "./service.mjs";
import { fill, uploads, LONGEST, MEMBER } from "./stage.mjs";
import * as states from "./states.mjs";

/** What a page may jump while it comes. Google calls 0.1 good; here places are kept for what is yet to come. */
const STILL = 0.02;
/** Text, styles and scripts of a page, as they come. */
const LIGHT = 150_000;

/** How far things jumped while the page came. */
const jumps = (page) =>
  page.evaluate(
    () => new Promise((settle) => requestAnimationFrame(() => setTimeout(() => settle(window.jumped), 60))),
  );

/** Those who mend one state look at it alone. */
const wanted = new RegExp(process.env.COMPERE_STATES ?? "");

export async function everything(house) {
  const { service, step, judge, flaws } = house;
  step("a house full of films in every state");
  const admin = await house.signedIn(service.password);
  const ids = await fill(service, house.project ?? (await one(service, admin.page)));
  ids.invitation = `${service.base}/welcome/0000000000000000`;
  await uploads(admin.page, ids);
  // Pages that refuse say so on the console.
  const refusals = /40[0-9]|415|422|500|503|ERR_FAILED|ERR_ABORTED/;
  let heaviest = 0,
    highest = 0;

  const look = async (one, list, { phone = false } = {}) => {
    const { page } = one;
    page.on("dialog", (dialog) => {
      // An editor that is left with something unsaved asks; nothing else does.
      if (dialog.type() !== "beforeunload") flaws.push(`${page.url()}: a script of somebody's ran`);
      dialog.accept();
    });
    for (const [name, where, act] of list.filter(([name]) => wanted.test(name))) {
      const parts = [];
      const count = (response) =>
        /text\/(html|css|javascript)|json/.test(response.headers()["content-type"] ?? "") &&
        parts.push(
          response
            .request()
            .sizes()
            .then(
              (sizes) => sizes.responseBodySize,
              () => 0,
            ),
        );
      page.on("response", count);
      await page.goto("about:blank");
      await page.goto(service.base + (typeof where === "function" ? where() : where));
      page.off("response", count);
      const bytes = (await Promise.all(parts)).reduce((sum, part) => sum + part, 0);
      heaviest = Math.max(heaviest, bytes);
      if (bytes > LIGHT) flaws.push(`${name} has ${bytes} bytes`);
      let jumped = await jumps(page);
      if (jumped > STILL) {
        // A busy machine may hand a page over in pieces; what jumps, jumps twice.
        await page.reload();
        jumped = Math.min(jumped, await jumps(page));
      }
      highest = Math.max(highest, jumped);
      if (jumped > STILL) flaws.push(`${name} jumps by ${jumped.toFixed(3)}${phone ? " on a phone" : ""}`);
      await act?.(page);
      flaws.push(...(await fits(page)).map((flaw) => `${name}: ${flaw}`));
      if (phone) flaws.push(...(await taps(page)).map((flaw) => `${name}: ${flaw}`));
      else await judge(page);
      await page.unrouteAll({ behavior: "ignoreErrors" });
    }
    one.meant(refusals);
  };

  step("outside, and as a member");
  const stranger = await house.open();
  await look(stranger, states.outside(ids));
  const member = await house.signedIn(service.password, MEMBER);
  await look(member, states.members());
  const longest = await house.signedIn(service.password, LONGEST);
  await look(longest, states.longest());

  step("inside: serious flaws in light or dark, jumps, sizes");
  await look(admin, states.inside(ids));

  step("the same on a phone: nothing is cut off or too small for a thumb");
  const phone = await house.signedIn(service.password, undefined, PHONE);
  await look(phone, states.inside(ids), { phone: true });
  const slim = await house.signedIn(service.password, LONGEST, PHONE);
  await look(slim, states.longest(), { phone: true });
  console.log(
    `            the heaviest page has ${(heaviest / 1000).toFixed(0)} kB; the worst jump is ${highest.toFixed(3)}`,
  );

  step("first paint");
  for (const path of [
    "/projects",
    `/projects/${ids.ready}`,
    `/projects/${ids.ready}/edit`,
    "/profile",
    "/library",
    "/library/voices",
    "/admin",
  ]) {
    await admin.page.goto(path);
    const paint = await admin.page.evaluate(
      () =>
        new Promise((settle) => {
          new PerformanceObserver((list) =>
            settle(list.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0),
          ).observe({ type: "paint", buffered: true });
        }),
    );
    console.log(`            ${path} is painted after ${paint.toFixed(0)} ms`);
    assert.ok(paint > 0 && paint < 10_000);
  }
  for (const one of [stranger, member, longest, admin, phone, slim]) await one.context.close();
}

/** A film to begin with, when the chapters before this one were left out. */
async function one(service, page) {
  const key = await token(service.base, page);
  const wanted = film("Alone");
  furnish(wanted);
  const id = (await call(service.base, "POST", "/api/odin/v3/editor/project", wanted, key)).body.data.projectId;
  await until(
    async () =>
      (await call(service.base, "GET", `/api/odin/v3/editor/progress/${id}`, undefined, key)).body.data.progress ===
      100,
  );
  return id;
}
