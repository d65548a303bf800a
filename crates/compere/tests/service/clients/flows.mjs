// The flows of AI Studios' published clients in Node, with nothing but what it brings.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";

const base = `${process.env.BASE_URL}/api/odin/v3`;

async function call(method, path, body, token) {
  const headers = { "Content-Type": "application/json", ...(token && { Authorization: token }) };
  const answer = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
  const result = await answer.json();
  assert.equal(result.success, true, JSON.stringify(result));
  return result.data;
}

async function poll(project, token) {
  for (let tries = 0; tries < 600; tries += 1) {
    const progress = await call("GET", `/editor/progress/${project}`, undefined, token);
    if (progress.progress === 100) return progress;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  assert.fail(`${project} never ended`);
}

async function download(url, to) {
  const name = decodeURIComponent(new URL(url).pathname.split("/").pop());
  const film = new Uint8Array(await (await fetch(url)).arrayBuffer());
  if (to) await writeFile(to, film);
  assert.equal(String.fromCharCode(...film.slice(4, 8)), "ftyp");
  return name;
}

const { token } = await call("POST", "/auth/token", { appId: process.env.APP_ID, userKey: process.env.USER_KEY });
const editor = {
  modelOriginW: 1374, modelOriginH: 2444, modelTightX: 347, modelTightY: 107, modelTightW: 679, modelTightH: 2229,
  headCenterX: 680, headCenterY: 270, headWidth: 190, headHeight: 200,
};
const scene = {
  sceneIdx: 0,
  duration: 1,
  scripts: [{ org: "Hello.", isTTS: true, tts: { voice: "tone" }, modelId: "lena", clothId: "lena/shirt" }],
  background: { source_type: "color", source_color: "rgb(240,244,248)" },
  clips: [
    // The whole original picture, as editors place it that do not cut.
    { id: "a", type: "aiModel", layer: 1, top: 60, left: 320, width: 1237, height: 2200, scaleX: 1, scaleY: 1,
      model: { ai_name: "lena", emotion: "lena/shirt", editor } },
    { id: "t", type: "textImage", layer: 2, top: 60, left: 100, width: 700, height: 120, text: "Title", fontSize: 48,
      fill: "rgb(16,24,40)", tag: "title" },
  ],
};

// 1. A template becomes a film, whose name is the end of its address.
const body = { name: "From Node", scenes: [scene], resolution: 480 };
const { projectId } = await call("POST", "/editor/project", body, token);
assert.equal(await download((await poll(projectId, token)).downloadUrl, process.env.FILM), "From-Node.mp4");

// 2. An existing project is read, changed and posted as a new one.
const { project } = await call("GET", `/editor/project/${projectId}`, undefined, token);
assert.deepEqual(project.scenes, body.scenes);
project.scenes[0].clips.find((clip) => clip.tag === "title").text = "Changed";
const copy = await call("POST", "/editor/project", { scenes: project.scenes, resolution: 480 }, token);
await download((await poll(copy.projectId, token)).downloadUrl);

// 3. The same id is exported again.
await call("POST", "/editor/project/export", { projectId, resolution: "480" }, token);
assert.equal((await poll(projectId, token)).state, "exported");

// 4. A presenter alone.
const wish = { language: "en", text: "One.", model: "lena", clothes: "lena/shirt", resolution: "480" };
const alone = await call("POST", "/simple/video", wish, token);
await download((await poll(alone.projectId, token)).downloadUrl);
console.log("downloaded everything");
