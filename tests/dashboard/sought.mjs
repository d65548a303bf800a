// A film in Chromium, sought and played: node sought.mjs FOLDER. Prints JSON.
// FOLDER holds film.mp4, and places.json: {rate, width, height, frames: [n]}. For each frame n there are three pictures,
// n-before.rgb, n.rgb and n-after.rgb, decoded by somebody else, as bytes of red, green and blue.
import { createReadStream, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { launch } from "./browser.mjs";

const folder = process.argv[2];
const places = JSON.parse(readFileSync(join(folder, "places.json")));

/** Gives files by ranges, without which browsers do not seek. */
const server = createServer((request, answer) => {
  if (request.url === "/") {
    answer.setHeader("content-type", "text/html");
    return answer.end(`<!doctype html><video muted width="${places.width}" height="${places.height}"></video>`);
  }
  try {
    const file = join(folder, basename(request.url));
    const size = statSync(file).size;
    const [, from, to] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? "") ?? [];
    const [start, end] = [Number(from ?? 0), to ? Number(to) : size - 1];
    answer.writeHead(from === undefined ? 200 : 206, {
      "content-type": file.endsWith(".mp4") ? "video/mp4" : "application/octet-stream",
      "accept-ranges": "bytes",
      "content-length": end - start + 1,
      ...(from === undefined ? {} : { "content-range": `bytes ${start}-${end}/${size}` }),
    });
    const stream = createReadStream(file, { start, end });
    // A player that seeks hangs up on what it does not need any more.
    answer.on("close", () => stream.destroy());
    stream.pipe(answer);
  } catch {
    answer.writeHead(404).end();
  }
});
await new Promise((settle) => server.listen(0, "127.0.0.1", settle));

const browser = await launch();
try {
  const page = await browser.newPage({ viewport: { width: places.width, height: places.height } });
  page.setDefaultTimeout(0);
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  console.log(JSON.stringify(await page.evaluate(watch, places)));
} finally {
  await browser.close();
  server.closeAllConnections();
  server.close();
}

/** In the page: seeks every place, compares what is shown there, and plays the whole once. */
async function watch({ rate, width, height, frames }) {
  const video = document.querySelector("video");
  const within = (promise, what, seconds) =>
    Promise.race([promise, new Promise((_, fail) => setTimeout(() => fail(new Error(`${what}: nothing within ${seconds} s`)), seconds * 1e3))]);
  const once = (event) => new Promise((settle, fail) => {
    video.addEventListener(event, settle, { once: true });
    video.addEventListener("error", () => fail(new Error(video.error.message)), { once: true });
  });
  video.preload = "auto";
  video.src = "film.mp4";
  await within(once("canplaythrough"), "the film", 60);
  const canvas = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  /** Of brightness, in decibels. */
  const likeness = async (name, shown) => {
    const wanted = new Uint8Array(await (await fetch(`${name}.rgb`)).arrayBuffer());
    let sum = 0;
    for (let at = 0; at < width * height; at += 1) {
      const [a, b] = [3 * at, 4 * at];
      const red = wanted[a] - shown[b], green = wanted[a + 1] - shown[b + 1], blue = wanted[a + 2] - shown[b + 2];
      sum += (0.2126 * red + 0.7152 * green + 0.0722 * blue) ** 2;
    }
    return 10 * Math.log10(255 ** 2 / (sum / (width * height) || 1e-9));
  };
  const sought = [];
  for (const frame of frames) {
    const presented = new Promise((settle) => video.requestVideoFrameCallback((_, told) => settle(told.mediaTime)));
    const started = performance.now();
    const there = once("seeked");
    video.currentTime = (frame + 0.5) / rate;
    await within(there, `frame ${frame}`, 30);
    const took = performance.now() - started;
    const time = await within(presented, `the picture of frame ${frame}`, 30);
    canvas.drawImage(video, 0, 0, width, height);
    const shown = canvas.getImageData(0, 0, width, height).data;
    const alike = [];
    for (const name of [`${frame}-before`, `${frame}`, `${frame}-after`]) alike.push(await likeness(name, shown));
    sought.push({ frame, took, shown: Math.round(time * rate), alike });
  }
  video.currentTime = 0;
  await within(once("seeked"), "the start", 30);
  const before = video.getVideoPlaybackQuality();
  const ended = once("ended");
  await video.play();
  await within(ended, "the end", 3 * video.duration + 30);
  const after = video.getVideoPlaybackQuality();
  return {
    lasts: video.duration,
    sought,
    played: after.totalVideoFrames - before.totalVideoFrames,
    dropped: after.droppedVideoFrames - before.droppedVideoFrames,
  };
}
