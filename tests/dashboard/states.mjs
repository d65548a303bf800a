// Every page and every state it can be in: empty, loading, failed, forbidden. A name, where it is, what to do there first.
// The pictures and the tests look at the same ones.
import { ADMIN } from "./browser.mjs";
import { pdf } from "./service.mjs";
import { brand } from "./stage.mjs";

const still = (page) => page.locator("#frame:not([hidden])").waitFor({ timeout: 60000 });
const press = (name) => async (page) => page.getByRole("button", { name, exact: true }).first().click();
const opened = (id) => (page) => page.evaluate((id) => document.getElementById(id).showModal(), id);
const edit =
  (...more) =>
  async (page) => {
    await still(page);
    for (const one of more) await one(page);
  };
const top = { full: false };
/** A tone of some seconds, as a file. */
function tone(seconds) {
  const [rate, head] = [8000, Buffer.alloc(44)];
  const sound = Buffer.from(Int16Array.from({ length: rate * seconds }, (_, n) => 8000 * Math.sin(n / 4)).buffer);
  head.write("RIFF");
  head.writeUInt32LE(36 + sound.length, 4);
  head.write("WAVEfmt ", 8);
  [16, 1 + (1 << 16), rate, 2 * rate, 2 + (16 << 16)].forEach((number, n) => head.writeUInt32LE(number, 16 + 4 * n));
  head.write("data", 36);
  head.writeUInt32LE(sound.length, 40);
  return { name: "Narration, second reading.wav", mimeType: "audio/wav", buffer: Buffer.concat([head, sound]) };
}
const own = (page) => page.locator("section.recording");
const recorded = async (page) => {
  await page.locator("#recording-file").setInputFiles(tone(7));
  await own(page).getByRole("button", { name: "Play 0:07" }).waitFor();
  await own(page).scrollIntoViewIfNeeded();
};
const speaking = async (page) => {
  await own(page)
    .getByRole("button", { name: /^Record/ })
    .click();
  await page.waitForFunction(() => document.querySelector("section.recording meter")?.value > 0.2);
  await own(page).scrollIntoViewIfNeeded();
};
/** Whoever presents, whatever they are called. */
const presenter = (page) => page.locator('.layers li:has([href="#i-user"]) [data-key]').first();
/** The presenter once more, who says something else. */
const second = async (page) => {
  await presenter(page).click();
  if (await page.locator("#speakers").isHidden()) await press("Duplicate")(page);
  await page.locator("#speakers button").last().click();
  await page.locator("#script").fill("I could not agree more, and have nothing to add.");
};
// Never the same twice: what was saved after all by an earlier visit would be no change.
let times = 0;
const changed = () => `A sentence that was changed (${++times}).`;

export const outside = (ids) => [
  ["sign-in-first", "/sign-in", null, { fresh: true }],
  ["sign-in", "/sign-in"],
  [
    "sign-in-wrong",
    "/sign-in",
    async (page) => {
      await page.getByLabel("E-mail").fill(ADMIN);
      await page.getByLabel("Password").fill("not the password");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("alert").waitFor();
    },
  ],
  ["welcome", () => new URL(ids.invitation).pathname],
  ["welcome-used", "/welcome/0000000000000000"],
  ["nowhere", "/no/such/page"],
];

export const fresh = () => [
  ["first-start", "/projects"],
  ["library-files-empty", "/library/files"],
  ["library-fonts-empty", "/library/fonts"],
  ["profile-empty", "/profile"],
  ["admin-empty", "/admin"],
];

export const members = () => [
  ["member-projects", "/projects"],
  ["member-forbidden", "/admin"],
  ["member-profile", "/profile"],
];

export const longest = () => [
  ["longest-projects", "/projects"],
  ["longest-menu", "/projects", (page) => page.locator(".who").click(), top],
  ["longest-profile", "/profile"],
];

export const inside = (ids, film = (kind) => `/projects/${ids[kind]}`) => [
  ["projects", "/projects"],
  ["projects-page-2", "/projects?page=2"],
  ["projects-nothing", "/projects?q=zebra"],
  [
    "projects-selected",
    "/projects",
    async (page) => {
      for (const n of [0, 2, 3]) await page.locator(".film").nth(n).locator(".film-check").click({ force: true });
    },
    top,
  ],
  ["projects-menu", "/projects", (page) => page.locator(".film-more").nth(1).click(), top],
  [
    "projects-delete",
    "/projects",
    async (page) => {
      await page.locator(".film-more").nth(1).click();
      await page.getByRole("menuitem", { name: "Delete…" }).click();
    },
    top,
  ],
  [
    "projects-move",
    "/projects",
    async (page) => {
      await page.locator(".film-more").nth(1).click();
      await page.getByRole("menuitem", { name: "Move…" }).click();
    },
    top,
  ],
  ["new", "/projects", press("New film"), top],
  ["account-menu", "/projects", (page) => page.locator(".who").click(), top],
  ...[
    "ready",
    "hostile",
    "draft",
    "importing",
    "unreadable",
    "queued",
    "synthesizing",
    "rendering",
    "finishing",
    "failed",
    "broke",
    "broken",
    "cancelled",
    "swept",
    "endless",
  ].map((kind) => [`project-${kind}`, () => film(kind)]),
  ["project-upright", () => film("upright")],
  ["editor-upright", () => `${film("upright")}/edit`, edit()],
  [
    "project-watched",
    () => film("ready"),
    async (page) => {
      await page.locator("video:not(#watch)").evaluate(async (video) => {
        video.muted = true;
        video.currentTime = 3;
        await new Promise((settle) => video.addEventListener("seeked", settle, { once: true }));
      });
    },
    top,
  ],
  ["project-export", () => film("ready"), press("Export"), top],
  ["project-rename", () => film("ready"), opened("rename"), top],
  ["project-menu", () => film("ready"), press("More actions"), top],
  [
    "project-mail-code",
    () => film("ready"),
    async (page) => {
      await page.locator("#mail summary").first().click();
      await page.locator("#code summary").click();
      await page.waitForTimeout(400);
    },
  ],
  ["editor", () => `${film("draft")}/edit`, edit()],
  [
    "editor-text",
    () => `${film("draft")}/edit`,
    edit(async (page) => page.locator(".layers button", { hasText: "Text" }).first().click()),
  ],
  [
    "editor-presenter",
    () => `${film("draft")}/edit`,
    edit((page) => presenter(page).click()),
  ],
  [
    "editor-shape",
    () => `${film("draft")}/edit#scene-2`,
    edit(async (page) => page.locator(".layers button", { hasText: "Shape" }).first().click()),
  ],
  [
    "editor-pick-presenter",
    () => `${film("draft")}/edit`,
    edit((page) => page.locator('[data-key="presenter"]').click()),
    top,
  ],
  ["editor-pick-voice", () => `${film("draft")}/edit`, edit((page) => page.locator('[data-key="voice"]').click()), top],
  [
    "editor-pick-background",
    () => `${film("draft")}/edit`,
    edit((page) => page.locator('[data-key="background"]').click()),
    top,
  ],
  ["editor-export", () => `${film("draft")}/edit`, edit(opened("export")), top],
  [
    "editor-versions",
    () => `${film("draft")}/edit`,
    edit((page) => page.locator("#versions-open").click({ force: true })),
    top,
  ],
  ["editor-speaking", () => `${film("swept")}/edit`, edit(speaking)],
  [
    "editor-take",
    () => `${film("swept")}/edit`,
    edit(speaking, async (page) => {
      await page.waitForTimeout(900);
      await own(page).getByRole("button", { name: "Stop" }).click();
      await own(page).getByText("Not used yet").waitFor();
    }),
  ],
  [
    "editor-no-microphone",
    () => `${film("swept")}/edit`,
    edit(async (page) => {
      await page.evaluate(() => {
        navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("no", "NotAllowedError"));
      });
      await own(page).getByRole("button", { name: "Record" }).click();
      await own(page).getByRole("alert").waitFor();
      await own(page).scrollIntoViewIfNeeded();
    }),
  ],
  ["editor-recorded", () => `${film("cancelled")}/edit`, edit(recorded)],
  ["editor-second", () => `${film("finishing")}/edit`, edit(second)],
  [
    "editor-second-exchanged",
    () => `${film("finishing")}/edit`,
    edit(second, async (page) => {
      await page.locator('#panel [data-key="presenter"]').click();
      await page.locator("#picker .pick", { hasText: "David" }).nth(1).click();
      await page.locator("#panel h3", { hasText: "David" }).first().waitFor();
    }),
  ],
  [
    "editor-second-listed",
    () => `${film("finishing")}/edit`,
    edit(second, async (page) => {
      await page.locator("#tab-scene").click();
      await page.locator(".layers").scrollIntoViewIfNeeded();
    }),
  ],
  [
    "editor-second-pick",
    () => `${film("finishing")}/edit`,
    edit(
      second,
      (page) => page.locator("#tab-scene").click(),
      (page) => page.locator('#panel [data-key="presenter"]').click(),
      (page) => page.locator("#picker .actions").scrollIntoViewIfNeeded(),
    ),
    top,
  ],
  ["editor-second-recorded", () => `${film("finishing")}/edit`, edit(second, recorded)],
  [
    "editor-recorded-changed",
    () => `${film("cancelled")}/edit`,
    edit(recorded, async (page) => {
      await page.locator("#script").fill(changed());
      await own(page).getByText("The script was changed").waitFor();
    }),
  ],
  [
    "editor-recorded-lost",
    () => `${film("broke")}/edit`,
    edit(recorded, async (page) => {
      await page.locator("#saved", { hasText: /^Saved$/ }).waitFor({ state: "attached" });
      await page.route("**/media/a/**", (route) => route.fulfill({ status: 404 }));
      await page.reload();
      await own(page).getByText("it was deleted from your files").waitFor();
      await own(page).scrollIntoViewIfNeeded();
    }),
  ],
  [
    "editor-recording-sent",
    () => `${film("swept")}/edit`,
    edit(async (page) => {
      await page.route("**/app/assets**", () => {});
      await page.locator("#recording-file").setInputFiles(tone(7));
      await own(page).getByText("Sending…").waitFor();
      await own(page).scrollIntoViewIfNeeded();
    }),
  ],
  ["editor-hostile", () => `${film("hostile")}/edit`, edit()],
  ["editor-endless", () => `${film("endless")}/edit`, edit()],
  [
    "editor-endless-text",
    () => `${film("endless")}/edit`,
    edit((page) => page.locator(".layers button", { hasText: "WWW" }).first().click()),
  ],
  [
    "project-endless-mail",
    () => film("endless"),
    async (page) => {
      await page.locator("#mail summary").first().click();
      await page.locator("#code summary").click();
      await page.locator("#json", { hasText: "WWW" }).waitFor();
    },
  ],
  [
    "project-endless-delete",
    () => film("endless"),
    async (page) => {
      await press("More actions")(page);
      await page.getByRole("menuitem", { name: "Delete…" }).click();
    },
    top,
  ],
  [
    "project-rename-refused",
    () => film("draft"),
    async (page) => {
      await opened("rename")(page);
      // As a program would, past the field's own limit.
      await page.locator("#rename input").evaluate((input) => {
        input.removeAttribute("maxlength");
        input.value = "W".repeat(5000);
      });
      await page.locator("#rename button:not([type])").click();
      await page.locator("#rename .toast.bad", { hasText: "A name has 1 to 200 characters." }).waitFor();
    },
    top,
  ],
  ["projects-endless", "/projects?q=www"],
  [
    "projects-hostile-delete",
    "/projects?q=onerror",
    async (page) => {
      await page.locator(".film-more").first().click();
      await page.getByRole("menuitem", { name: "Delete…" }).click();
    },
    top,
  ],
  ["editor-importing", () => `${film("importing")}/edit`],
  [
    "editor-problem",
    () => `${film("draft")}/edit#scene-2`,
    edit(async (page) => {
      await page.route("**/body", (route) =>
        route.request().method() === "PUT"
          ? route.fulfill({
              json: {
                revision: 2,
                judged: {
                  seconds: [],
                  warnings: [],
                  tongues: [],
                  problems: [
                    {
                      path: "scenes[1].clips[0].source_url",
                      place: "Scene 2, clip 1, source_url: ",
                      text: "there is no such file; upload it again or choose another one",
                    },
                  ],
                },
              },
            })
          : route.continue(),
      );
      await page.locator("#script").fill(changed());
      await page.locator("#problems .note").first().waitFor();
    }),
  ],
  [
    "editor-conflict",
    () => `${film("draft")}/edit`,
    edit(async (page) => {
      await page.route("**/body", (route) =>
        route.request().method() === "PUT"
          ? route.fulfill({ status: 409, json: { error: "The project was changed somewhere else meanwhile." } })
          : route.continue(),
      );
      await page.locator("#script").fill(changed());
      await page.locator("#ask[open]").waitFor();
    }),
    top,
  ],
  [
    "editor-unsaved",
    () => `${film("draft")}/edit`,
    edit(async (page) => {
      await page.route("**/body", (route) => (route.request().method() === "PUT" ? route.abort() : route.continue()));
      await page.locator("#script").fill(changed());
      await page.locator("#saved.bad").waitFor();
    }),
    top,
  ],
  ["import", "/import"],
  [
    "import-busy",
    "/import",
    async (page) => {
      await page.route("**/app/import**", () => {});
      await page
        .locator("#drop input")
        .setInputFiles({ name: "Quarterly review.pdf", mimeType: "application/pdf", buffer: pdf(["One"]) });
      await page.waitForTimeout(600);
    },
  ],
  [
    "import-refused",
    "/import",
    async (page) => {
      await page.locator("#drop input").setInputFiles({
        name: "notes.pdf",
        mimeType: "application/pdf",
        buffer: Buffer.from("These are only words."),
      });
      await page.locator("#sending .why").waitFor({ timeout: 60000 });
    },
  ],
  ["library", "/library"],
  [
    "library-sheet",
    "/library",
    async (page) => {
      await page.locator("[data-sheet]").first().click();
      await page.waitForFunction(() => document.getElementById("sheet-picture").naturalWidth, null, { timeout: 60000 });
    },
    top,
  ],
  [
    "library-own-line",
    "/library/own",
    async (page) => {
      await page.getByLabel("Name", { exact: true }).fill("Filmed");
      await page.getByRole("button", { name: "Begin" }).click();
      await page.getByRole("button", { name: "Use the camera" }).click();
      await page.locator("#check-picture", { hasText: "a second" }).waitFor();
      // One of the longest, without waiting until it was said.
      await page.evaluate(() => {
        const [said] = [...document.querySelectorAll("[data-prompt]")]
          .map((one) => one.dataset.said)
          .sort((a, b) => b.length - a.length);
        document.getElementById("own-line").textContent = said;
      });
      await page.locator("#own-camera").scrollIntoViewIfNeeded();
    },
    top,
  ],
  ["library-voices", "/library/voices", null, top],
  [
    "library-voices-nothing",
    "/library/voices",
    async (page) => {
      await page.locator("#voice-search").fill("zebra");
      await page.locator("#no-voice").waitFor();
    },
    top,
  ],
  ["library-backgrounds", "/library/backgrounds"],
  ["library-files", "/library/files"],
  [
    "library-files-refused",
    "/library/files",
    async (page) => {
      await page
        .locator("#drop input")
        .setInputFiles({ name: "words.txt", mimeType: "text/plain", buffer: Buffer.from("only words") });
      await page.locator("#sending .why").waitFor();
    },
  ],
  ["library-fonts", "/library/fonts"],
  [
    "library-fonts-unsaid",
    "/library/fonts",
    async (page) => {
      await page.locator("#drop input").setInputFiles({ name: "brand.ttf", mimeType: "font/ttf", buffer: brand() });
      await page.getByText("Say first that you may use the fonts").waitFor();
    },
  ],
  ["profile", "/profile"],
  ["profile-issue", "/profile", opened("issue"), top],
  [
    "profile-issued",
    "/profile",
    async (page) => {
      await page.getByRole("button", { name: "Issue API Key" }).click();
      await page.locator("#issue input[name=name]").fill("Picture");
      await page.getByRole("button", { name: "Issue", exact: true }).click();
      await page.locator("#issued[open]").waitFor();
      await page.locator("#issued summary").click();
    },
    top,
  ],
  [
    "profile-revoke",
    "/profile",
    (page) =>
      page
        .getByRole("button", { name: /Revoke the key/ })
        .first()
        .click(),
    top,
  ],
  [
    "profile-revoke-endless",
    "/profile",
    (page) =>
      page
        .getByRole("button", { name: /Revoke the key WWW/ })
        .first()
        .click(),
    top,
  ],
  ["admin", "/admin"],
  ["accounts", "/admin/accounts"],
  ["accounts-menu", "/admin/accounts", (page) => page.locator('[aria-label^="Actions for"]').nth(1).click(), top],
  ["accounts-invite", "/admin/accounts", opened("invite"), top],
  ["health", "/admin/health"],
  ["fault-404", "/projects/000000000000000000000000"],
  [
    "fault-403",
    "/profile",
    (page) =>
      page
        .evaluate(() => {
          const form = document.querySelector('form[action="/profile/name"]');
          form.querySelector("[name=_csrf]").value = "wrong";
          form.submit();
        })
        .then(() => page.waitForSelector(".door")),
  ],
  [
    "fault-400",
    "/profile",
    async (page) => {
      await page.getByLabel("Current password").fill("wrong");
      await page.getByLabel("New password").fill("correct horse battery");
      await page.getByRole("button", { name: "Change password" }).click();
      await page.waitForTimeout(800);
    },
  ],
  ["fault-500", () => film("damaged")],
];
