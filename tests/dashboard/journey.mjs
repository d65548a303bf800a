// The whole dashboard as people use it, on a service of its own: each chapter is a module.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { launch, watched, signIn, PHONE } from "./browser.mjs";
import { start } from "./service.mjs";
import { judge } from "./axe.mjs";
import { walk } from "./walk.mjs";
import { studio } from "./studio.mjs";
import { arrange } from "./arrange.mjs";
import { traps } from "./traps.mjs";
import { people } from "./people.mjs";
import { recorded } from "./recorded.mjs";
import { several } from "./several.mjs";
import { own } from "./own.mjs";
import { long } from "./long.mjs";
import { design } from "./design.mjs";
import { importing } from "./importing.mjs";
import { watching } from "./watching.mjs";
import { everything } from "./everything.mjs";

// A receiver of webhooks, here on this machine: the service may call it because it was told so. The first about a film fails.
const heard = [];
const receiver = createServer((request, answer) => {
  request.resume().on("end", () => {
    const film = request.url.startsWith("/films");
    if (film) heard.push(request.headers["webhook-id"]);
    answer.writeHead(film && heard.length === 1 ? 500 : 204).end();
  });
});
await new Promise((settle) => receiver.listen(0, "127.0.0.1", settle));

const service = await start(
  { COMPERE_ALLOW: `127.0.0.1:${receiver.address().port}` },
  // A minute of footage would take longer than all other tests.
  "short_footage = true\n",
);
const browser = await launch();
const began = Date.now();
const opened = [];
let doing = "it began";
const house = {
  service,
  heard,
  hook: `http://127.0.0.1:${receiver.address().port}/films`,
  told: `http://127.0.0.1:${receiver.address().port}/told`,
  flaws: Object.assign([], {
    push(...more) {
      for (const flaw of more) console.log(`            ! ${flaw}`);
      return Array.prototype.push.apply(this, more);
    },
  }),
  step: (text) => {
    doing = text;
    console.log(`${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s  ${text}`);
  },
  judge: async (page) => house.flaws.push(...(await judge(page))),
  /** A browser of somebody's own. What goes wrong in it is remembered, except what is meant to. */
  open: async (options, other = browser) => {
    const one = await watched(other, service.base, options);
    one.meant = (pattern) =>
      one.wrongs.splice(0, one.wrongs.length, ...one.wrongs.filter((wrong) => !pattern.test(wrong)));
    opened.push(one);
    return one;
  },
  signedIn: async (password, email, options, other) => {
    const one = await house.open(options, other);
    await signIn(one.page, password, email);
    return one;
  },
};

let failed = null;
try {
  const chapters = {
    "a desk": () => walk(house, {}),
    "a phone": () => walk(house, PHONE),
    editor: () => studio(house),
    traps: () => traps(house),
    arrange: () => arrange(house),
    recorded: () => recorded(house),
    several: () => several(house),
    people: () => people(house),
    own: () => own(house),
    long: () => long(house),
    design: () => design(house),
    importing: () => importing(house),
    watching: () => watching(house),
    everything: () => everything(house),
  };
  // Two minutes in real time before a camera: `./test own` asks for it by name.
  const asked = process.env.COMPERE_CHAPTER;
  for (const [name, chapter] of Object.entries(chapters)) {
    if (asked ? !new RegExp(asked).test(name) : name === "long") continue;
    house.step(`— ${name}`);
    await chapter();
  }
  house.step("a log that nobody reads any more keeps nobody out");
  service.child.stderr.destroy();
  for (let n = 0; n < 3; n += 1) assert.equal((await fetch(`${service.base}/sign-in`)).status, 200);
  assert.deepEqual(
    opened.flatMap((one) => one.wrongs),
    [],
    "nothing went wrong in the browser",
  );
  assert.deepEqual([...new Set(Array.from(house.flaws))], [], "nobody is shut out, and nothing is cut off");
  house.step("done");
} catch (error) {
  failed = error;
  console.error(
    service
      .log()
      .split("\n")
      .filter((line) => !line.includes("compere::access"))
      .slice(-20)
      .join("\n"),
  );
  // Last, where whoever reads the end of a long log finds it.
  console.error(error);
  console.error(`while ${doing}: ${error.message}`);
}
await browser.close();
await service.stop();
receiver.close();
process.exit(failed ? 1 : 0);
