// Pictures that may have to be drawn first. Browsers ask a host for six things at once; slow ones must not keep a page
// from being opened, so they come two at a time, those in sight first, and are let go of when the page is left.

const AT_ONCE = 2;
// Browsers outline a picture that has no address at all.
const BLANK = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";
const waiting = new Set(),
  coming = new Set();

const sight = new IntersectionObserver(
  (seen) => {
    for (const { target, isIntersecting } of seen) {
      if (isIntersecting) waiting.add(target);
      else waiting.delete(target);
    }
    next();
  },
  { rootMargin: "200px" },
);

// The page itself comes first.
let ready = document.readyState === "complete";
addEventListener("load", () => {
  ready = true;
  next();
});

function next() {
  if (!ready) return;
  for (const image of waiting) {
    if (coming.size >= AT_ONCE) return;
    waiting.delete(image);
    sight.unobserve(image);
    if (!image.isConnected || !image.dataset.slow) continue;
    coming.add(image);
    const done = () => {
      coming.delete(image);
      next();
    };
    image.addEventListener("load", done, { once: true });
    image.addEventListener("error", done, { once: true });
    image.src = image.dataset.slow;
    image.removeAttribute("data-slow");
  }
}

function find(root) {
  const images = [...(root.querySelectorAll?.("img[data-slow]") ?? [])];
  if (root.matches?.("img[data-slow]")) images.push(root);
  for (const image of images) {
    image.src = BLANK;
    sight.observe(image);
  }
}

find(document);
new MutationObserver((changes) => {
  for (const change of changes) for (const node of change.addedNodes) find(node);
  for (const image of coming) {
    if (image.isConnected) continue;
    image.removeAttribute("src");
    coming.delete(image);
  }
  next();
}).observe(document.body, { childList: true, subtree: true });

addEventListener("beforeunload", () => {
  for (const image of coming) image.removeAttribute("src");
});
