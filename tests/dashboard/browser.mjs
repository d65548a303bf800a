// A browser for the tests: Debian's Chromium, quiet, and deaf to everything but the service.
import { chromium } from "playwright-core";

export const ADMIN = "admin@compere.local";

/** `more` is what a camera of a test's own needs. */
export async function launch(more = []) {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
      "--disable-default-apps",
      "--disable-extensions",
      "--mute-audio",
      "--autoplay-policy=no-user-gesture-required",
      // A camera that shows a test picture and hears beeps; nobody is asked for it.
      "--use-fake-device-for-media-stream",
      "--use-fake-ui-for-media-stream",
      ...more,
    ],
  });
}

/** A page that remembers everything that went wrong on it, and what it asked of other hosts. */
export async function watched(browser, base, options = {}) {
  const context = await browser.newContext({ baseURL: base, viewport: { width: 1280, height: 820 }, ...options });
  const page = await context.newPage();
  // How far things jumped about while the page came, without anybody having touched it.
  await page.addInitScript(() => {
    window.jumped = 0;
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries()) if (!shift.hadRecentInput) window.jumped += shift.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  const wrongs = [];
  page.on("console", (message) => {
    // axe-core writes styles of its own into the page, which the page forbids.
    if (page.judged) return;
    if (message.type() === "error" || message.type() === "warning")
      wrongs.push(`${message.type()}: ${message.text()} (${message.location().url} on ${page.url()})`);
  });
  page.on("pageerror", (error) => wrongs.push(`exception: ${error.message} (${page.url()})`));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http") && url.origin !== new URL(base).origin) wrongs.push(`asked ${url.origin}`);
  });
  page.setDefaultTimeout(60000);
  return { context, page, wrongs };
}

export async function signIn(page, password, email = ADMIN) {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/projects");
}

export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };

/** Nothing reaches out of a page to the right: on a phone that cannot be read. */
export async function fits(page) {
  const { wide, room, out } = await page.evaluate(() => {
    // What scrolls by itself, or ends in dots, is not cut off.
    const clipped = (one) =>
      one.parentElement && (getComputedStyle(one.parentElement).overflowX !== "visible" || clipped(one.parentElement));
    return {
      wide: document.documentElement.scrollWidth,
      room: innerWidth,
      out: [...document.querySelectorAll("main *, nav *, dialog[open] *, .menu:popover-open *, .toasts *")]
        .filter((one) => {
          const { left, right, width } = one.getBoundingClientRect();
          return width && (right > innerWidth + 1 || (left < -1 && !one.matches(".skip"))) && !clipped(one);
        })
        .slice(0, 4)
        .map((one) => one.cloneNode().outerHTML),
    };
  });
  return wide <= room + 1 && !out.length
    ? []
    : [`${new URL(page.url()).pathname} is ${wide} px wide in ${room}: ${out.join(" ")}`];
}

/** What is smaller than a thumb needs. Links inside sentences, and what is taken hold of on the picture, are as large as they are. */
export const taps = (page) =>
  page.evaluate(() => {
    const least = 39.5;
    const all = document.querySelectorAll(
      "button, select, summary, textarea, .button, .tabs a, .menu a, nav a, .files a, input:not([type=hidden])",
    );
    return [...all]
      .filter((one) => {
        const target = one.closest("label") ?? one;
        const { width, height } = target.getBoundingClientRect();
        if (!width || !height || one.closest(".hide, .box, #boxes") || one.matches(".hide")) return false;
        return height < least || width < least;
      })
      .slice(0, 4)
      .map((one) => {
        const { width, height } = one.getBoundingClientRect();
        return `${width.toFixed(0)} × ${height.toFixed(0)} is small for a thumb: ${one.cloneNode().outerHTML.slice(0, 160)}`;
      });
  });
