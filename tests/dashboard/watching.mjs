// A film is watched while it is drawn: on its page, and with hls.js in a plain <video> of another site.
import assert from "node:assert/strict";
import { call, film, token, until } from "./service.mjs";

/** Scenes with somebody in them, each longer than a piece. */
function long(name, count) {
  const [one] = film(name, "This is said while the next scene is drawn.").scenes;
  const presenter = {
    id: "presenter",
    type: "aiModel",
    layer: 2,
    left: 1200,
    top: 180,
    width: 600,
    height: 900,
    model: { ai_name: "nora", emotion: "nora/blazer" },
  };
  const scene = (_, n) => ({ ...one, sceneIdx: n, duration: 10, clips: [{ ...one.clips[0], text: `${name} ${n + 1}` }, presenter] });
  return { name, resolution: "720", scenes: Array.from({ length: count }, scene) };
}

export async function watching(house) {
  const { service, step } = house;
  const { page: desk, context } = await house.signedIn(service.password);
  const key = await token(service.base, desk, "Watching");
  // That one loads itself anew, now that it has a key.
  const page = await context.newPage();
  // On a busy machine somebody has to be dressed first.
  page.setDefaultTimeout(150000);
  const progress = async (id) =>
    (await call(service.base, "GET", `/api/odin/v3/editor/progress/${id}`, null, key)).body.data;

  step("a film is watched while it is drawn");
  const asked = Date.now();
  const created = await call(service.base, "POST", "/api/odin/v3/editor/project", long("Watched", 7), key);
  const id = created.body.data.projectId;
  await page.goto(`/projects/${id}`);
  await page.waitForFunction(() => document.getElementById("watch")?.videoWidth > 0 && !watch.hidden);
  const waited = (Date.now() - asked) / 1000;
  const begun = await progress(id);
  assert.equal(begun.downloadUrl, null, "it is not made yet");
  step(`its first picture came ${waited.toFixed(1)} s after it was asked for, at ${begun.progress.toFixed(0)} %`);
  await page.evaluate(() => document.getElementById("watch").play());
  await page.waitForFunction(() => (document.getElementById("watch") ?? { currentTime: 99 }).currentTime > 3);
  // Once the film is made its own player takes the place, and knows its size a moment later.
  await page.waitForFunction(() => document.querySelector("#stage video")?.videoWidth > 0);
  const [width, height] = await page.evaluate(() => {
    const player = document.querySelector("#stage video");
    return [player.videoWidth, player.videoHeight];
  });
  assert.deepEqual([width, height], [1280, 720]);

  step("hls.js plays it in a plain <video>");
  const plain = await context.newPage();
  await plain.setContent("<video muted></video>");
  await plain.addScriptTag({ path: "node_modules/hls.js/dist/hls.min.js" });
  await plain.evaluate((link) => {
    window.errors = [];
    window.hls = new window.Hls();
    // On a machine that is busy for long hls.js gives up; its manual has pages ask again.
    window.hls.on(window.Hls.Events.ERROR, (_, error) => {
      window.errors.push(
        `${error.details}${error.fatal ? ", fatal" : ""} ${error.response?.code ?? ""} ${error.reason ?? error.error?.message ?? ""}`,
      );
      if (error.fatal && error.type === window.Hls.ErrorTypes.NETWORK_ERROR) window.hls.startLoad();
    });
    window.hls.loadSource(link);
    window.hls.attachMedia(document.querySelector("video"));
    document.querySelector("video").play();
  }, begun.streamUrl);
  await plain.waitForFunction(() => document.querySelector("video").currentTime > 2);

  step("at its end the page has the film, and goes on where it was");
  await page.locator("#stage video:not(#watch)").waitFor({ timeout: 240000 });
  await page.waitForFunction(() => document.querySelector("#stage video").currentTime > 3);

  step("the stream is whole: it ends where the film does, and any place of it can be sought");
  const made = await until(async () => {
    const now = await progress(id);
    return now.downloadUrl && now;
  });
  const lasts = made.duration;
  await plain.bringToFront();
  await plain
    .waitForFunction((lasts) => Math.abs(document.querySelector("video").duration - lasts) < 0.2, lasts, { timeout: 90000 })
    .catch(async () => {
      const now = await plain.evaluate(() => document.querySelector("video").duration);
      assert.fail(`it lasts ${now} s, the film ${lasts} s; ${await plain.evaluate(() => window.errors.join("; "))}`);
    });
  await seek(plain, lasts, "who watched it being made");
  await plain.evaluate((link) => {
    window.hls.destroy();
    window.hls = new window.Hls();
    window.hls.loadSource(link);
    window.hls.attachMedia(document.querySelector("video"));
  }, made.streamUrl);
  await plain.waitForFunction(() => document.querySelector("video").readyState >= 2);
  await seek(plain, lasts, "who comes later");

  step("any place of the film itself can be sought");
  await plain.evaluate((link) => {
    window.hls.destroy();
    document.querySelector("video").src = link;
  }, made.downloadUrl);
  await plain.waitForFunction(() => document.querySelector("video").readyState >= 2);
  await seek(plain, lasts, "who has the film");
  await plain.close();
  await context.close();
}

/** Every place of the film shows a picture. */
async function seek(plain, lasts, who) {
  for (const to of [lasts - 2, 1.5, lasts / 2]) {
    await plain.evaluate((to) => (document.querySelector("video").currentTime = to), to);
    const there = (to) => {
      const { currentTime, readyState, seeking } = document.querySelector("video");
      return !seeking && readyState >= 2 && currentTime >= to - 0.2 && currentTime < to + 10;
    };
    await plain.waitForFunction(there, to, { timeout: 60000 }).catch(async () => {
      const now = await plain.evaluate(() => {
        const { currentTime, readyState, seeking, buffered } = document.querySelector("video");
        const ranges = Array.from({ length: buffered.length }, (_, at) => [buffered.start(at), buffered.end(at)]);
        return { currentTime, readyState, seeking, ranges, errors: window.errors };
      });
      assert.fail(`${who} sought ${to}: ${JSON.stringify(now)}`);
    });
  }
}
