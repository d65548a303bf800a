// Asks axe-core about a page: nothing serious may be wrong, in light and in dark.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const source = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export async function judge(page) {
  page.judged = true;
  // Through the debugger, where the page's own policy does not reach.
  await page.evaluate(source);
  const serious = [];
  const look = async (scheme, options) => {
    const run = () =>
      page.evaluate(
        (options) => axe.run(document, { resultTypes: ["violations"], preload: false, ...options }),
        options,
      );
    let found = await run();
    // A busy machine may be late with the colours of a menu; what is wrong with them stays wrong.
    if (found.violations.some((one) => one.id === "color-contrast")) {
      await page.waitForTimeout(500);
      found = await run();
    }
    for (const one of found.violations.filter((one) => ["serious", "critical"].includes(one.impact))) {
      serious.push(
        `${new URL(page.url()).pathname} (${scheme}): ${one.id}: ${one.help}: ${one.nodes
          .slice(0, 3)
          .map((node) => node.html.slice(0, 140))
          .join(" | ")}`,
      );
    }
  };
  // Colours that are on their way from one to another are neither.
  const turn = async (colorScheme) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.evaluate(async () => {
      for (let n = 0; n < 2; n += 1) await new Promise((drawn) => requestAnimationFrame(drawn));
      await Promise.allSettled(
        document
          .getAnimations()
          .filter((one) => one instanceof CSSTransition)
          .map((one) => one.finished),
      );
    });
  };
  await turn("light");
  await look("light", {});
  // Only colours differ.
  await turn("dark");
  await look("dark", { runOnly: { type: "rule", values: ["color-contrast"] } });
  await turn("light");
  page.judged = false;
  return serious;
}
