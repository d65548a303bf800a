// Asks axe-core about a page: nothing serious may be wrong.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const source = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export async function judge(page) {
  page.judged = true;
  // Through the debugger, where the page's own policy does not reach.
  await page.evaluate(source);
  const found = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"], preload: false }));
  page.judged = false;
  return found.violations
    .filter((one) => ["serious", "critical"].includes(one.impact))
    .map((one) => `${new URL(page.url()).pathname}: ${one.id}: ${one.help}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 140)).join(" | ")}`);
}
