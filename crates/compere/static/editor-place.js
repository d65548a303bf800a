// Keeps the places of what is yet to come before anything is painted: which scene and element are opened stands in the
// address, which only the browser knows. No module, so that what follows waits for it.
{
  const editor = document.getElementById("editor");
  const { several } = editor.dataset;
  const [, number, element] = location.hash.match(/^#scene-(\d+)(-element-)?/) ?? [];
  const at = Math.max(1, Math.min(several.length, Number(number ?? 1)));
  editor.classList.toggle("awaits-speakers", several[at - 1] === "1");
  editor.classList.toggle("awaits-tools", Boolean(element));
}
