// Every page in light, dark and on a phone, as pictures to look at.
import { mkdir } from "node:fs/promises";
import { launch, watched, signIn } from "./browser.mjs";
import { start } from "./service.mjs";

const folder = process.argv[2];
await mkdir(folder, { recursive: true });
const running = process.env.COMPERE_AT && { base: process.env.COMPERE_AT, password: process.env.COMPERE_PASSWORD, stop: async () => {} };
const service = running || (await start());
const browser = await launch();

const LOOKS = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
};

for (const [look, options] of Object.entries(LOOKS)) {
  const { page, context, wrongs } = await watched(browser, service.base, options);
  const shoot = async (name, full = true) => {
    await page.waitForLoadState("networkidle", { timeout: 8000 }).catch(() => {});
    await page.screenshot({ path: `${folder}/${name}-${look}.png`, fullPage: full });
  };
  await page.goto("/sign-in");
  await shoot("sign-in");
  await signIn(page, service.password);
  await shoot("projects");
  const id = await page.locator(".film").first().getAttribute("data-id").catch(() => null);
  await page.getByRole("button", { name: "New film" }).click();
  await page.waitForTimeout(1500);
  await shoot("new", false);
  if (id) {
    await page.goto(`/projects/${id}`);
    if (!running) await page.locator("video").waitFor({ timeout: 300000 });
    await shoot("project");
    await page.locator("[data-open=export]").first().click();
    await shoot("export", false);
    await page.goto(`/projects/${id}/edit`);
    await page.locator("#frame:not([hidden])").waitFor({ timeout: 60000 }).catch(() => {});
    await page.waitForTimeout(1500);
    await shoot("editor", look === "phone");
    await page.locator(".box").first().focus();
    await page.waitForTimeout(500);
    await shoot("editor-element", look === "phone");
  }
  for (const [name, path] of [["import", "/import"], ["presenters", "/library"], ["voices", "/library/voices"], ["backgrounds", "/library/backgrounds"], ["files", "/library/files"], ["profile", "/profile"], ["admin", "/admin"], ["accounts", "/admin/accounts"], ["health", "/admin/health"], ["nothing", "/projects/none"]]) {
    await page.goto(path);
    await shoot(name, name !== "voices");
  }
  for (const wrong of wrongs) console.log(`${look}: ${wrong}`);
  await context.close();
}
await browser.close();
await service.stop();
console.log(`pictures are in ${folder}`);
