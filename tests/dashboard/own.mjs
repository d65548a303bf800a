// A presenter of one's own footage: filmed before the browser, sent as files, refused, mended, approved, in a film, and gone.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { PHONE, fits, taps } from "./browser.mjs";
import { call, kept, token, until } from "./service.mjs";

const run = promisify(execFile);
const VOICE = "am_fenrir";
/** One of our lit presenters, who looks into the lens. */
const PHOTO = fileURLToPath(new URL("../../crates/compere-own/src/photo/portrait.jpg", import.meta.url));
/** Where the person is on the canvas: left, top, side. */
const PLACE = [594, 348, 732];

/** What a camera sees of somebody who says a text: one of our lit presenters, from close by. */
export async function filmed(dir, name, text) {
  const [left, top, side] = PLACE;
  const scene = {
    sceneIdx: 0,
    ...(text ? {} : { duration: 4 }),
    scripts: [
      { org: text, isTTS: !!text, tts: text ? { voice: VOICE } : null, modelId: "david", clothId: "david/knit" },
    ],
    background: { id: "background", type: "background", source_color: "rgb(190,196,204)" },
    clips: [
      {
        id: "p",
        type: "aiModel",
        layer: 1,
        left,
        top,
        width: side,
        height: side,
        model: { ai_name: "david", emotion: "david/knit" },
      },
    ],
  };
  const body = { name: "take", resolution: "720", scenes: [scene] };
  await writeFile(join(dir, "scene.json"), JSON.stringify(body));
  const [raw, take] = [join(dir, "raw.mp4"), join(dir, `${name}.mp4`)];
  await run(process.env.COMPERE, ["--data", await kept(), "render", join(dir, "scene.json"), "-o", raw, "--json"]);
  const [x, y, w] = PLACE.map((length) => (length * 2) / 3);
  const filter = `crop=${w}:${w}:${x}:${y},noise=alls=5:allf=t,format=yuv420p`;
  await run("ffmpeg", ["-v", "error", "-y", "-i", raw, "-vf", filter, "-preset", "veryfast", "-crf", "18", take]);
  return take;
}

/** Somebody who says a text, and holds still: nobody looks at lips there. */
export async function said(dir, text) {
  const [sound, take] = [join(dir, "said.wav"), join(dir, "consent.mp4")];
  await run(process.env.COMPERE, ["--data", await kept(), "say", text, "--voice", VOICE, "-o", sound]);
  const picture = ["-loop", "1", "-framerate", "30", "-i", PHOTO, "-i", sound, "-shortest"];
  await run("ffmpeg", ["-v", "error", "-y", ...picture, "-preset", "ultrafast", "-pix_fmt", "yuv420p", take]);
  return take;
}

/** A VRM of a ball with a jaw and lids, of an author who allows it to somebody. */
function vrm(permission) {
  const [rows, columns] = [16, 24];
  const [at, jaw, blink, corners] = [[], [], [], []];
  for (let row = 0; row <= rows; row++) {
    for (let column = 0; column <= columns; column++) {
      const [v, u] = [row / rows, (column / columns - 0.5) * 2 * Math.PI];
      const wide = 0.1 * Math.max(Math.sin(v * Math.PI), 0.3);
      const before = Math.abs(u) < 0.9;
      at.push(wide * Math.sin(u), 1.7 - 0.3 * v, wide * Math.cos(u));
      jaw.push(0, before && v > 0.58 && v < 0.75 ? -0.03 : 0, 0);
      blink.push(0, before && v > 0.28 && v < 0.4 ? -0.012 : 0, 0);
      const a = row * (columns + 1) + column;
      const below = a + columns + 1;
      if (row < rows && column < columns) corners.push(a, below, a + 1, a + 1, below, below + 1);
    }
  }
  const parts = [at, jaw, blink].map((list) => Buffer.from(Float32Array.from(list).buffer));
  parts.push(Buffer.from(Uint32Array.from(corners).buffer));
  let byteOffset = 0;
  const bufferViews = parts.map(({ length: byteLength }) => {
    const view = { buffer: 0, byteOffset, byteLength };
    byteOffset += byteLength;
    return view;
  });
  const places = [0, 1, 2].map((bufferView) => ({ bufferView, componentType: 5126, count: at.length / 3, type: "VEC3" }));
  const description = {
    asset: { version: "2.0" },
    buffers: [{ byteLength: byteOffset }],
    bufferViews,
    accessors: [...places, { bufferView: 3, componentType: 5125, count: corners.length, type: "SCALAR" }],
    nodes: [{ mesh: 0 }],
    materials: [{ pbrMetallicRoughness: { baseColorFactor: [0.6, 0.3, 0.2, 1] } }],
    meshes: [
      {
        primitives: [
          { attributes: { POSITION: 0 }, indices: 3, material: 0, targets: [{ POSITION: 1 }, { POSITION: 2 }] },
        ],
        extras: { targetNames: ["jawOpen", "eyeBlinkLeft"] },
      },
    ],
    extensions: {
      VRMC_vrm: {
        meta: { name: "Egg", authors: ["Ann"], avatarPermission: permission, commercialUsage: "corporation" },
      },
    },
  };
  let text = JSON.stringify(description);
  text = text.padEnd(Math.ceil(text.length / 4) * 4);
  const word = (...numbers) => Buffer.from(Uint32Array.from(numbers).buffer);
  const whole = 28 + text.length + byteOffset;
  return Buffer.concat([
    Buffer.from("glTF"),
    word(2, whole, text.length),
    Buffer.from(`JSON${text}`),
    word(byteOffset),
    Buffer.from("BIN\0"),
    ...parts,
  ]);
}

/** The longest line and what is asked for beside lines are read at any width, and hide nothing of the picture. */
async function legible(page) {
  const before = page.viewportSize();
  const words = page.locator("#own-line");
  const now = await words.textContent();
  const longest = await page
    .locator("[data-prompt]")
    .evaluateAll((all) => all.map((one) => one.dataset.said).sort((a, b) => b.length - a.length)[0]);
  for (const width of [320, 390, 700, 800, 1280, 1900]) {
    await page.setViewportSize({ width, height: 844 });
    const tops = [];
    for (const said of ["Silence", now, longest]) {
      await words.evaluate((one, said) => (one.textContent = said), said);
      const [line, sight] = await Promise.all([words.boundingBox(), page.locator(".own-sight").boundingBox()]);
      assert.ok(line.y + line.height <= sight.y + 0.5, `${width}: ${JSON.stringify([line, sight])}`);
      assert.ok(Math.abs(sight.width / sight.height - 16 / 9) < 0.01, "the picture is whole");
      tops.push(sight.y - line.y);
    }
    assert.equal(Math.max(...tops), Math.min(...tops), `${width}: the picture stays while lines change`);
  }
  await words.evaluate((one, said) => (one.textContent = said), now);
  await page.setViewportSize(before);
}

export async function own(house) {
  const { service, step, judge } = house;
  const { page } = await house.signedIn(service.password);
  const dir = await mkdtemp(join(tmpdir(), "compere-own-"));
  const pill = (line) => line.locator(".pill");
  const line = (number) => page.locator(`[data-prompt="${number}"]`);
  const give = (row, file) => row.locator('input[type="file"]').setInputFiles(file);
  const state = (word) => page.locator("#own-state", { hasText: word }).waitFor({ timeout: 600000 });

  step("a presenter of one's own begins");
  await page.goto("/library/own");
  await judge(page);
  await page.getByLabel("Name", { exact: true }).fill("David Example");
  await page.locator("select[name=gender]").selectOption("male");
  await page.getByRole("button", { name: "Begin" }).click();
  await page.getByRole("heading", { name: "David Example" }).waitFor();
  await judge(page);
  assert.ok(await page.getByRole("button", { name: "Make the presenter" }).isDisabled());

  step("the browser's camera is looked at, and records a line");
  await page.getByRole("button", { name: "Use the camera" }).click();
  await page.locator("#check-picture", { hasText: "a second" }).waitFor();
  await page.waitForFunction(() => document.getElementById("check-light").textContent !== "–");
  await page.locator("#check-sound", { hasText: "dB" }).waitFor();
  await line(7).getByRole("button", { name: "Record line 7" }).click();
  await page.waitForTimeout(2500);
  await page.locator("#own-line", { hasText: await line(7).getAttribute("data-said") }).waitFor();
  await legible(page);
  await line(7).getByRole("button", { name: /^Stop/ }).click();
  await pill(line(7)).getByText("there").waitFor();

  step("somebody agrees in words of the day, and takes come as files");
  await page.getByLabel("The person's name, as they say it").fill("David Example");
  await page.getByLabel("What the films are for").fill("a test of this page");
  await page.getByRole("button", { name: "Give out the text" }).click();
  const text = await page.locator("#consent-text", { hasText: "My words are" }).textContent();
  await give(page.locator("[data-take=consent]"), await said(dir, text));
  await pill(page.locator("[data-take=consent]")).getByText("there").waitFor();
  await pill(page.locator("[data-take=talk]")).getByText("if you like").waitFor();
  await give(page.locator("[data-take=idle]"), await filmed(dir, "idle", ""));
  for (const number of [1, 2, 4]) {
    await give(line(number), await filmed(dir, `${number}`, await line(number).getAttribute("data-said")));
    await pill(line(number)).getByText("there").waitFor();
  }
  await page.locator("#cover-text", { hasText: "not enough yet" }).waitFor();
  await judge(page);

  step("a take without a face is refused beside its line");
  const build = async () => {
    await page.getByRole("button", { name: "Make the presenter" }).click();
    await page.locator("#ask-yes").click();
  };
  await build();
  await state("refused");
  await pill(line(7)).getByText("read again").waitFor();
  assert.ok((await line(7).locator(".why").count()) > 0);
  await judge(page);
  await line(7).getByRole("button", { name: "Delete line 7" }).click();
  await pill(line(7)).getByText("missing").waitFor();

  step("it is made, and an administrator sees consent beside takes");
  await build();
  await state("waiting for approval");
  const id = page.url().split("/").at(-1);
  const { page: desk } = await house.signedIn(service.password);
  await desk.goto("/admin/presenters");
  await desk.getByRole("blockquote").filter({ hasText: text }).waitFor();
  await desk.getByText("1, given out on").waitFor();
  assert.equal(await desk.locator("dd", { hasText: /^[0-9a-f]{64}$/ }).count(), 2, "hashes of text and recording");
  assert.equal(await desk.locator(".own-approve video").count(), 5);
  const take = await desk.request.get(`/app/admin/own/${id}/takes/consent`);
  assert.deepEqual([take.status(), take.headers()["content-type"]], [200, "video/mp4"]);
  await judge(desk);
  await desk.getByRole("button", { name: "Approve" }).click();
  await desk.getByText("may present from now on").waitFor();
  await state("ready");

  step("a film shows it, and it can be chosen where presenters are");
  const catalogue = await (await page.request.get("/app/catalogue")).json();
  assert.ok(catalogue.presenters.some((one) => one.id === id));
  const pass = await token(service.base, page, "Own");
  const scene = {
    sceneIdx: 0,
    scripts: [{ org: "Good morning.", isTTS: true, tts: { voice: VOICE }, modelId: id, clothId: "footage" }],
    background: { id: "background", type: "background", source_color: "rgb(30,41,59)" },
    clips: [
      {
        id: "p",
        type: "aiModel",
        layer: 1,
        left: 600,
        top: 340,
        width: 740,
        height: 740,
        model: { ai_name: id, emotion: "footage" },
      },
    ],
  };
  const film = { name: "With David", resolution: "480", scenes: [scene] };
  const made = await call(service.base, "POST", "/api/odin/v3/editor/project", film, pass);
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const project = made.body.data.projectId;
  await until(async () => {
    const told = await call(service.base, "GET", `/api/odin/v3/editor/progress/${project}`, undefined, pass);
    assert.ok(told.body.success, JSON.stringify(told.body));
    return told.body.data.progress === 100;
  });

  step("consent is taken back, and the film is named");
  await page.reload();
  await page.getByRole("link", { name: "With David" }).waitFor();
  await judge(page);
  await page.getByRole("button", { name: "Take it away" }).click();
  await page.locator("#ask-yes").click();
  await page.getByText("Films made with it stay until you delete them: With David.").waitFor();
  assert.equal((await page.request.get(`/app/own/${id}/takes/idle`)).status(), 404);
  const left = await (await page.request.get("/app/catalogue")).json();
  assert.ok(!left.presenters.some((one) => one.id === id));

  step("a photo is enough for a head that talks");
  await page.goto("/library/own");
  await page.locator("select[name=kind]").selectOption("photo");
  await page.getByLabel("Name", { exact: true }).fill("Photo Example");
  await page.getByRole("button", { name: "Begin" }).click();
  await page.getByRole("heading", { name: "Photo Example" }).waitFor();
  assert.equal(await page.locator("#take-prompts, #take-idle").count(), 0, "nobody has to read lines");
  await page.getByLabel("The person's name, as they say it").fill("Photo Example");
  await page.getByLabel("What the films are for").fill("a test of this page");
  await page.getByRole("button", { name: "Give out the text" }).click();
  const words = await page.locator("#consent-text", { hasText: "My words are" }).textContent();
  const link = await page.locator("#withdrawal-link", { hasText: "/withdraw/" }).textContent();
  await page.getByText("Hand this link to the person.").waitFor();
  await page.locator("#consent-link").getByRole("button", { name: "Copy" }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()).catch(() => link), link);
  await give(page.locator("[data-take=consent]"), await said(dir, words));
  await pill(page.locator("[data-take=consent]")).getByText("there").waitFor();
  // What the camera of this browser sees is a test picture: no face.
  const photo = page.locator("[data-take=photo]");
  await page.getByRole("button", { name: "Use the camera" }).click();
  await photo.getByRole("button", { name: "Take the photo" }).click();
  await pill(photo).getByText("there").waitFor();
  await judge(page);
  await page.getByRole("button", { name: "Make the presenter" }).click();
  await state("refused");
  await pill(photo).getByText("not this one").waitFor();
  await photo.getByText("no face is found in it").waitFor();
  await give(photo, PHOTO);
  await pill(photo).getByText("there").waitFor();
  await page.getByRole("button", { name: "Make the presenter" }).click();
  await state("waiting for approval");
  await desk.goto("/admin/presenters");
  await desk.locator(".own-approve img").waitFor();
  await desk.getByRole("button", { name: "Approve" }).click();
  await desk.getByText("may present from now on").waitFor();
  await state("ready");
  await page.locator("#result-picture").waitFor();

  step("the same person in other clothes is an outfit");
  const wearer = page.url().split("/").at(-1);
  await page.getByLabel("What the clothes are called").fill("Blue suit");
  await page.getByRole("button", { name: "Begin an outfit" }).click();
  await page.getByRole("heading", { name: "Blue suit" }).waitFor();
  const suit = page.url().split("/").at(-1);
  assert.equal(await page.getByLabel("The person's name, as they say it").inputValue(), "Photo Example");
  await page.getByLabel("What the films are for").fill("a test of this page");
  await page.getByRole("button", { name: "Give out the text" }).click();
  const again = await page.locator("#consent-text", { hasText: "My words are" }).textContent();
  await give(page.locator("[data-take=consent]"), await said(dir, again));
  await pill(page.locator("[data-take=consent]")).getByText("there").waitFor();
  const blue = join(dir, "blue.png");
  await run("ffmpeg", ["-v", "error", "-y", "-i", PHOTO, "-vf", "hue=h=25", "-frames:v", "1", blue]);
  await give(photo, blue);
  await pill(photo).getByText("there").waitFor();
  await judge(page);
  await page.getByRole("button", { name: "Make the presenter" }).click();
  await state("waiting for approval");
  await desk.goto("/admin/presenters");
  await desk.getByText("Other clothes of Photo Example: is it the same person?").waitFor();
  await judge(desk);
  await desk.getByRole("button", { name: "Approve" }).click();
  await desk.getByText("may present from now on").waitFor();
  await state("ready");
  await page.locator("#result-picture").waitFor();
  const dressed = (await (await page.request.get("/app/catalogue")).json()).presenters.find((one) => one.id === wearer);
  assert.deepEqual(
    dressed.outfits.map((outfit) => outfit.name),
    ["As photographed", "Blue suit"],
  );
  await page.goto("/library/own");
  await page.getByText("an outfit of Photo Example").waitFor();
  await judge(page);
  await page.goto(`/library/own/${wearer}`);
  await page.getByRole("link", { name: "Blue suit ready" }).waitFor();
  await page.getByText("The person was given a link").waitFor();
  assert.ok(await page.locator("#consent-link").isHidden(), "it is shown once");
  await judge(page);

  step("whoever is shown takes it away with their link, on a phone and without an account");
  const phone = await house.open(PHONE);
  const theirs = phone.page;
  await theirs.goto(link);
  await theirs.getByText("Photo Example, may be shown in films").waitFor();
  await theirs.getByRole("blockquote").filter({ hasText: words }).waitFor();
  house.flaws.push(...(await fits(theirs)), ...(await taps(theirs)));
  await judge(theirs);
  await theirs.getByLabel("and want it taken away").check();
  await theirs.getByRole("button", { name: "Take it away" }).click();
  await theirs.getByRole("heading", { name: "The presenter is gone" }).waitFor();
  await judge(theirs);
  assert.equal((await theirs.goto(link)).status(), 404, "the link is used up");
  await theirs.getByRole("heading", { name: "Nothing to take away here" }).waitFor();
  phone.meant(/404/);
  await judge(theirs);
  await page.goto("/library/own");
  await page.locator("#own-taken").getByRole("link", { name: "Photo Example" }).click();
  await page.getByRole("heading", { name: "Whoever is shown took it away on" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Take it away" }).count(), 0);
  await judge(page);
  assert.equal((await page.request.get(`/app/own/${suit}/takes/photo`)).status(), 404, "in all clothes");

  step("a model file is shown when its licence lets it, and refused when not");
  await page.goto("/library/own");
  await page.locator("select[name=kind]").selectOption("model");
  await page.getByLabel("Name", { exact: true }).fill("Model Example");
  await page.getByRole("button", { name: "Begin" }).click();
  await page.getByRole("heading", { name: "Model Example" }).waitFor();
  assert.equal(await page.locator("#own-camera").count(), 0, "nobody is filmed");
  const model = page.locator("[data-take=model]");
  await page.getByLabel("Your name").fill("A Tester");
  await page.getByLabel("The model is mine").check();
  await page.getByRole("button", { name: "State it" }).click();
  await page.locator("#consent-text", { hasText: "A Tester stated on" }).waitFor();
  for (const [permission, ends] of [
    ["onlyAuthor", "refused"],
    ["everyone", "waiting for approval"],
  ]) {
    const file = join(dir, `${permission}.vrm`);
    await writeFile(file, vrm(permission));
    await give(model, file);
    await pill(model).getByText("there").waitFor();
    await page.getByRole("button", { name: "Make the presenter" }).click();
    await state(ends);
    if (ends === "refused") {
      await model.getByText("forbids to show it here: avatarPermission is onlyAuthor").waitFor();
      await pill(model).getByText("not this one").waitFor();
    }
    await judge(page);
  }
  await page.locator("#model-licence", { hasText: "Egg, Ann, avatarPermission everyone" }).waitFor();
  const seen = (one) => one.evaluate((img) => img.decode().then(() => img.naturalWidth));
  assert.equal(await seen(page.locator("#result-picture")), 512);
  await desk.goto("/admin/presenters");
  assert.equal(await seen(desk.locator(".own-approve img")), 512);
  await desk.getByText("avatarPermission everyone").waitFor();
  await judge(desk);
  await desk.getByRole("button", { name: "Approve" }).click();
  await desk.getByText("may present from now on").waitFor();
  await state("ready");
  // Its picture has another address now. Whoever is taken away while it is drawn has none, which browsers call an error.
  await page.locator(`#result-picture[src*="/model/"]`).waitFor();
  assert.ok((await seen(page.locator("#result-picture"))) > 0);
  await page.getByRole("button", { name: "Take it away" }).click();
  await page.locator("#ask-yes").click();
  await page.getByText("is gone, with takes and consent").waitFor();
  await rm(dir, { recursive: true, force: true });
}
