// The generated client, from a key pair to a film, an upload and a refusal.
import assert from "node:assert/strict";

const { Compere, CompereError } = await import(`${process.env.CLIENTS}/javascript/compere.mjs`);
const { BASE_URL, APP_ID, USER_KEY, PROJECT_ID } = process.env;

const compere = new Compere(BASE_URL, { appId: APP_ID, userKey: USER_KEY });
assert.equal((await compere.checkToken()).isAuthenticated, true);
const wish = { projectId: PROJECT_ID, resolution: "480" };
const exported = await compere.exportProject(wish, { idempotencyKey: "js" });
assert.deepEqual(await compere.exportProject(wish, { idempotencyKey: "js" }), exported);
const seen = [];
const progress = await compere.wait(exported.projectId, { every: 200, onProgress: (one) => seen.push(one.progress) });
assert.equal(seen.at(-1), 100);
const film = await compere.download(progress);
assert.equal(String.fromCharCode(...film.slice(4, 8)), "ftyp");
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/></svg>';
const asset = await compere.uploadAsset(new Blob([svg]), { name: "box.svg" });
assert.deepEqual([asset.name, asset.mediaType], ["box.svg", "image/svg+xml"]);
assert.equal((await compere.deleteAsset(asset.id)).deletedCount, 1);
const nowhere = { sceneIdx: 0, background: {}, clips: [{ type: "shape", id: "s" }] };
await assert.rejects(compere.createProject({ scenes: [nowhere] }), (error) => {
  return error instanceof CompereError && error.code === 4001 && error.docUrl && error.details[0].path.includes("clips[0]");
});
console.log("downloaded", film.length);
