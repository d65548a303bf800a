// A deck with choices: imported on its page, its film made and played, its chapters clicked.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

const deck = (name) => fileURLToPath(new URL(`../../crates/compere-import/tests/corpus/${name}`, import.meta.url));

/** A picture of the page for whoever wants to look, in the folder $COMPERE_SHOTS. */
const shot = async (page, name) =>
  process.env.COMPERE_SHOTS && page.screenshot({ path: `${process.env.COMPERE_SHOTS}/${name}.png`, fullPage: true });

export async function importing(house) {
  const { service, step } = house;
  const { page, context } = await house.signedIn(service.password);
  page.setDefaultTimeout(150000);

  step("a deck is imported as its page says");
  await page.goto("/import");
  await page.locator(".layouts label", { hasText: "Circle" }).click();
  const [presenter] = await page.locator("select[name=presenter]").selectOption({ label: "Nora" });
  await page.locator("select[name=quiet]").selectOption("draft");
  await page.locator("input[name=slides]").fill("1-3");
  await page.locator("input[name=editable]").check();
  await house.judge(page);
  await shot(page, "import-choices");
  await page.locator("#drop input").setInputFiles(deck("training.pptx"));
  const id = await opened(page);
  await shot(page, "import-scenes");
  const { body } = await (await page.request.get(`/app/projects/${id}/body`)).json();
  told(body, presenter);

  step("its film is made and played");
  // The page goes there by itself once all is imported; to ask for it as well would be two navigations, one of which is lost.
  await page.waitForURL(new RegExp(`/projects/${id}/edit`));
  await page.locator("#frame:not([hidden])").waitFor();
  await page.locator("#export-open").click();
  await page.locator("#export-form select[name=resolution]").selectOption("480");
  await page.locator("#export-form button:not([type])").click();
  await page.waitForURL(new RegExp(`/projects/${id}$`));
  const film = page.locator("#stage video:not(#watch)");
  await film.waitFor({ timeout: 420000 });
  await played(film, 0);
  await shot(page, "import-film");

  step("its chapters are those of the deck, and a click goes to each");
  const chapters = await cues(film);
  assert.deepEqual(
    chapters.map((one) => one.text),
    body.scenes.map((scene) => scene.name),
  );
  const scenes = page.locator("[data-seek]");
  assert.equal(await scenes.count(), 3);
  for (const at of [2, 1]) {
    await scenes.nth(at).click();
    await played(film, chapters[at].start);
    assert.ok(Math.abs((await scenes.nth(at).getAttribute("data-seek")) - chapters[at].start) < 0.1);
    await page.locator('[data-seek][aria-current="true"] b', { hasText: `${at + 1}` }).waitFor();
  }
  await shot(page, "import-chapter");
  await context.close();
}

/** The id of the project that an import led to, whatever it had to tell before. */
async function opened(page) {
  const warned = page.locator("#import-warnings .button");
  const there = page.waitForURL(/\/projects\/[0-9a-f]{24}/);
  await Promise.race([there, warned.waitFor().catch(() => {})]);
  if (await warned.isVisible()) await warned.click();
  await there;
  const id = page.url().match(/projects\/([0-9a-f]{24})/)[1];
  // A long one is importing still: its page says how far it is, and goes on to the scenes.
  await page.waitForFunction(() => !document.querySelector("[data-importing]"));
  return id;
}

/** What was chosen is what the project has. */
function told(body, presenter) {
  assert.equal(body.scenes.length, 3);
  for (const scene of body.scenes) {
    const who = scene.clips.filter((clip) => clip.type === "aiModel");
    assert.equal(who.length, 1, `${scene.name} has somebody`);
    assert.equal(who[0].model.ai_name, presenter);
    assert.equal(who[0].mask, "circle", `${scene.name} has her in a disc`);
    assert.ok(scene.scripts.some((script) => script.org.trim()), `${scene.name} is spoken`);
  }
  const texts = body.scenes.flatMap((scene) => scene.clips).filter((clip) => clip.type === "textImage");
  assert.ok(texts.length > 3, "texts are clips");
}

/** Waits until the film shows a moment after `from`, moving. */
async function played(film, from) {
  await film.evaluate((player) => player.play());
  await film.evaluate(
    (player, from) =>
      new Promise((settle, fail) => {
        const end = Date.now() + 60000;
        const look = setInterval(() => {
          const there = player.videoWidth > 0 && player.currentTime > from + 0.3 && player.currentTime < from + 20;
          if (!there && Date.now() < end) return;
          clearInterval(look);
          if (there) settle();
          else fail(new Error(`it is at ${player.currentTime}, and ${from} was asked for`));
        }, 50);
      }),
    from,
  );
}

/** The chapters that the player was given. */
async function cues(film) {
  return film.evaluate(async (player) => {
    const track = [...player.textTracks].find((one) => one.kind === "chapters");
    track.mode = "hidden";
    for (const end = Date.now() + 20000; !track.cues?.length && Date.now() < end; )
      await new Promise((wake) => setTimeout(wake, 100));
    return [...(track.cues ?? [])].map((cue) => ({ text: cue.text, start: cue.startTime }));
  });
}
