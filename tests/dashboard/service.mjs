// A service of its own for a test: fresh data, any port, gone at the end.
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export async function start(extra = {}, settings = "") {
  const data = process.env.COMPERE_TEST_DATA ?? (await mkdtemp(join(tmpdir(), "compere-dashboard-")));
  if (settings) await writeFile(join(data, "compere.toml"), settings);
  for (const shelf of ["pack", "speech"]) {
    const shared = join(await kept(), "cache", shelf);
    await mkdir(shared, { recursive: true });
    await mkdir(join(data, "cache"), { recursive: true });
    await symlink(shared, join(data, "cache", shelf)).catch(() => "it was started here before");
  }
  const child = spawn(process.env.COMPERE, ["serve"], {
    env: { ...process.env, COMPERE_LISTEN: "127.0.0.1:0", COMPERE_DATA: data, COMPERE_WELCOME: "false", ...extra },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "",
    log = "";
  child.stderr.on("data", (part) => (log += part));
  const told = await new Promise((settle, fail) => {
    child.on("exit", (code) => fail(new Error(`the service ended with ${code}\n${log}`)));
    child.stdout.on("data", (part) => {
      said += part;
      const base = said.match(/Compere is at (\S+)/)?.[1];
      const password = said.match(/password\s+(\S+)/)?.[1];
      if (base && password) settle({ base, password });
    });
  });
  const stop = async () => {
    child.removeAllListeners("exit");
    child.kill("SIGTERM");
    await new Promise((settle) => child.on("exit", settle));
    if (!process.env.COMPERE_TEST_DATA) await rm(data, { recursive: true, force: true });
  };
  return { ...told, data, stop, log: () => log, child };
}

/** What all tests of one program need again and again, made once (`crates/compere/tests/kept/mod.rs` finds the same). */
export async function kept() {
  const { size, mtimeMs } = await stat(process.env.COMPERE);
  const folder = join(dirname(process.env.COMPERE), "..", "tmp", `kept-${size}-${Math.floor(mtimeMs / 1000)}`);
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Calls the API as a program would. */
export async function call(base, method, path, body, token) {
  const headers = { "content-type": "application/json", ...(token ? { authorization: token } : {}) };
  const answer = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
  return { status: answer.status, body: await answer.json() };
}

/** Looks again until something is there. */
export async function until(look, seconds = 240) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await new Promise((wake) => setTimeout(wake, 400))) {
    const found = await look();
    if (found) return found;
  }
  throw new Error(`it did not come to pass within ${seconds} s: ${look}`);
}

/** A token for the API, by a key that is issued on the profile page. */
export async function token(base, page, name = "Test") {
  const csrf = await page.locator('meta[name="csrf"]').getAttribute("content");
  const issued = await (
    await page.request.post("/profile/keys", {
      data: { name },
      headers: { "x-csrf-token": csrf, accept: "application/json" },
    })
  ).json();
  return (await call(base, "POST", "/api/odin/v3/auth/token", { appId: issued.appId, userKey: issued.userKey })).body
    .data.token;
}

/** A short film without a presenter: made in seconds. */
export const film = (name, text = "Hello from the test.") => ({
  name,
  resolution: "480",
  scenes: [0, 1].map((n) => ({
    sceneIdx: n,
    watermark: false,
    scripts: [
      {
        org: n ? "And this is the end." : text,
        isTTS: true,
        tts: { voice: "tone" },
        modelId: "nora",
        clothId: "nora/blazer",
      },
    ],
    background: {
      id: "background",
      type: "background",
      source_type: "color",
      source_color: n ? "rgb(19,78,74)" : "rgb(30,41,59)",
    },
    clips: [
      {
        id: "title",
        type: "textImage",
        layer: 1,
        left: 200,
        top: 380,
        width: 1500,
        height: 200,
        text: n ? "The end" : name,
        fill: "rgb(255,255,255)",
        fontSize: 90,
        align: "center",
        fontFamily: "Noto Sans",
        fontWeight: 700,
      },
    ],
  })),
});

/** A document of some pages with a word on each. */
export function pdf(words) {
  const pages = words.map((_, n) => `${3 + n * 2} 0 R`).join(" ");
  const parts = ["<< /Type /Catalog /Pages 2 0 R >>", `<< /Type /Pages /Kids [${pages}] /Count ${words.length} >>`];
  words.forEach((word, n) => {
    const text = `BT /F1 60 Tf 90 260 Td (${word}) Tj ET`;
    parts.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 960 540] /Contents ${4 + n * 2} 0 R /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>`,
    );
    parts.push(`<< /Length ${text.length} >>\nstream\n${text}\nendstream`);
  });
  let file = "%PDF-1.4\n";
  const places = parts.map((part, n) => {
    const at = file.length;
    file += `${n + 1} 0 obj\n${part}\nendobj\n`;
    return at;
  });
  const table = file.length;
  file += `xref\n0 ${parts.length + 1}\n0000000000 65535 f \n${places.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("")}`;
  file += `trailer\n<< /Size ${parts.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
  return Buffer.from(file, "latin1");
}

/** Puts a presenter into the first scene of a film, heard only so that nobody has to be drawn, and a card into the second. */
export function furnish(wanted) {
  wanted.scenes[0].clips.push({
    id: "presenter",
    type: "aiModel",
    layer: 5,
    left: 1040,
    top: 120,
    width: 800,
    height: 960,
    voiceOnly: true,
    model: { ai_name: "nora", emotion: "nora/blazer" },
  });
  wanted.scenes[1].clips.push({
    id: "card",
    type: "shape",
    layer: 2,
    left: 100,
    top: 100,
    width: 400,
    height: 200,
    shapeName: "Rectangle_corner0",
    fill: "rgb(13,148,136)",
  });
}
