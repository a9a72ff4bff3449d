// Shows a page of the site in a frame, and reloads it after an edit that changed it.
"use strict";
const ROOT = "/_/preview";
const frame = document.querySelector("iframe");
const status = document.querySelector("p");
// The address of this page is that of the page in the frame, below ROOT.
const shown = location.pathname.slice(ROOT.length) || "/";
// The entity tag of the page in the frame.
let tag = null;

// The location of the frame; null while it shows another site.
function place() {
  try {
    return frame.contentWindow.location.href === "about:blank" ? null : frame.contentWindow.location;
  } catch {
    return null;
  }
}

async function current(path) {
  const answer = await fetch(path, { method: "HEAD", cache: "no-store", headers: { Accept: "text/html" } });
  return answer.headers.get("ETag") ?? `${answer.status}`;
}

frame.addEventListener("load", async () => {
  const at = place();
  if (!at) return;
  document.title = frame.contentDocument.title || "Preview";
  history.replaceState(null, "", ROOT + at.pathname + at.search + at.hash);
  // Other sites do not let themselves be shown in a frame.
  frame.contentDocument.addEventListener("click", event => {
    const link = event.target.closest?.("a[href]");
    if (link && link.origin !== location.origin) link.target = "_top";
  }, true);
  tag = await current(at.pathname).catch(() => null);
});

const edits = new EventSource("/_/preview.events");
edits.addEventListener("edition", async () => {
  const at = place();
  if (!at) return;
  const now = await current(at.pathname).catch(() => null);
  // A reload keeps the place on the page.
  if (now !== tag) at.reload();
});
edits.addEventListener("open", () => { status.hidden = true; });
edits.addEventListener("error", () => { status.hidden = edits.readyState !== EventSource.CLOSED; });

frame.src = shown + location.search + location.hash;
