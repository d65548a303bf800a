// A film that is watched while it is made: its playlists are read again and again, and what is new in them is handed to the
// browser's own decoder. Browsers that know such playlists themselves get the link.

const PAUSE = 400;
/** Seconds that are fetched ahead of the picture; the rest waits. */
const AHEAD = 120;

/** Plays the stream behind `link` in `video`. Says nothing until there is a first picture; ends when told so. */
export function watch(video, link) {
  const over = new AbortController();
  const { signal } = over;
  start(video, new URL(link, location.href), signal).catch(() => {
    // The film comes all the same; there is nothing to watch before.
  });
  return () => over.abort();
}

async function start(video, link, signal) {
  const film = await list(link, signal);
  const codecs = /CODECS="([^",]+),([^"]+)"/.exec(film);
  const names = { video: film.trim().split("\n").at(-1), sound: /TYPE=AUDIO.*URI="([^"]+)"/.exec(film)[1] };
  const kinds = [`video/mp4; codecs="${codecs[1]}"`, `audio/mp4; codecs="${codecs[2]}"`];
  if (!window.MediaSource || !kinds.every((kind) => MediaSource.isTypeSupported(kind))) {
    video.src = link;
    return;
  }
  const source = new MediaSource();
  video.src = URL.createObjectURL(source);
  signal.addEventListener("abort", () => URL.revokeObjectURL(video.src));
  await new Promise((settle) => source.addEventListener("sourceopen", settle, { once: true }));
  const buffers = kinds.map((kind) => source.addSourceBuffer(kind));
  const tracks = [names.video, names.sound].map((name, at) =>
    feed(video, buffers[at], new URL(name, link), signal),
  );
  await Promise.all(tracks);
  if (source.readyState === "open") source.endOfStream();
}

/** Appends one track, piece by piece, until its list ends. */
async function feed(video, buffer, link, signal) {
  let [begun, pieces, parts] = [false, 0, 0];
  for (;;) {
    const now = read(await list(link, signal));
    const bring = async (name) => append(video, buffer, await bytes(new URL(name, link), signal), signal);
    if (!begun) await bring(now.head);
    begun = true;
    // The first piece comes in parts while it is drawn. Whoever has some of them needs the rest, not all of it again.
    if (pieces === 0 && (now.pieces.length === 0 || parts > 0)) {
      for (; parts < now.parts.length; parts += 1) await bring(now.parts[parts]);
      if (now.pieces.length > 0 && now.parts.length > 0) pieces = 1;
    }
    for (; pieces < now.pieces.length; pieces += 1) await bring(now.pieces[pieces]);
    if (now.ended) return;
    await pause(PAUSE, signal);
  }
}

function read(text) {
  const lines = text.split("\n");
  const all = (pattern) => lines.map((line) => pattern.exec(line)?.[1]).filter(Boolean);
  return {
    head: all(/^#EXT-X-MAP:URI="([^"]+)"/)[0],
    parts: all(/^#EXT-X-PART:.*URI="([^"]+)"/),
    pieces: lines.filter((line) => line && !line.startsWith("#")),
    ended: lines.includes("#EXT-X-ENDLIST"),
  };
}

async function append(video, buffer, bytes, signal) {
  while (buffer.buffered.length && buffer.buffered.end(buffer.buffered.length - 1) > video.currentTime + AHEAD) {
    await pause(PAUSE, signal);
  }
  for (;;) {
    try {
      buffer.appendBuffer(bytes);
      return await settled(buffer);
    } catch (error) {
      // No room: what was seen long ago goes first.
      if (error.name !== "QuotaExceededError") throw error;
      const before = video.currentTime - 10;
      if (before > 0) {
        buffer.remove(0, before);
        await settled(buffer);
      }
      await pause(PAUSE, signal);
    }
  }
}

const settled = (buffer) => new Promise((settle) => buffer.addEventListener("updateend", settle, { once: true }));

async function list(link, signal) {
  for (;;) {
    const answer = await fetch(link, { signal, cache: "no-store" });
    if (answer.status === 200) return answer.text();
    if (answer.status !== 204 && answer.status < 500) throw new Error(`${link}: ${answer.status}`);
    // Nothing is drawn yet.
    await pause(PAUSE, signal);
  }
}

async function bytes(link, signal) {
  for (let tries = 0; ; tries += 1) {
    const answer = await fetch(link, { signal });
    if (answer.ok) return answer.arrayBuffer();
    if (tries > 20) throw new Error(`${link}: ${answer.status}`);
    await pause(PAUSE, signal);
  }
}

const pause = (milliseconds, signal) =>
  new Promise((settle, refuse) => {
    if (signal.aborted) return refuse(signal.reason);
    setTimeout(() => (signal.aborted ? refuse(signal.reason) : settle()), milliseconds);
  });
