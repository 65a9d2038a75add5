// The frame of the page before and beside page.wasm: light and dark, the views of a narrow screen, and the
// splitters. It knows nothing of clusters.

import { recall, remember } from "./remember";

const root = document.documentElement;

function startTheme(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const button = document.getElementById("theme")!;
  const isDark = () => (root.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
  const label = () => {
    button.setAttribute("aria-label", isDark() ? "Switch to light" : "Switch to dark");
    button.title = isDark() ? "Light" : "Dark";
  };
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    remember("theme", root.dataset.theme);
    label();
  });
  dark.addEventListener("change", label);
  label();
}

function showView(view: string): void {
  root.dataset.view = view;
  for (const b of document.querySelectorAll<HTMLElement>(".views button")) {
    if (b.dataset.view === view) b.setAttribute("aria-current", "true");
    else b.removeAttribute("aria-current");
  }
  dispatchEvent(new Event("resize")); // what was hidden had no size
}

function startViews(): void {
  document.querySelector(".views")!.addEventListener("click", (e) => {
    const view = (e.target as HTMLElement).closest<HTMLElement>("[data-view]")?.dataset.view;
    if (!view) return;
    document.dispatchEvent(new CustomEvent("terrarium:deselect")); // the inspector covers the view
    showView(view);
  });
  document.addEventListener("terrarium:view", (e) => showView((e as CustomEvent).detail.view));
}

interface Split {
  id: string;
  property: string; // the custom property on .frame that holds the size in pixels
  min: number;
  // size of the pane for a pointer at (x, y); frame is the rectangle of .frame
  at(x: number, y: number, frame: DOMRect): number;
  max(frame: DOMRect): number;
  grow: string; // the key that makes the pane larger
  shrink: string;
}

const splits: Split[] = [
  {
    id: "split-editor", property: "--editor-width", min: 240, grow: "ArrowRight", shrink: "ArrowLeft",
    at: (x, _y, f) => x - f.left,
    max: (f) => f.width * 0.6,
  },
  {
    id: "split-timeline", property: "--timeline-height", min: 96, grow: "ArrowUp", shrink: "ArrowDown",
    at: (_x, y, f) => f.bottom - y,
    max: (f) => f.height * 0.75,
  },
];

function startSplit(s: Split): void {
  const frame = document.getElementById("frame")!;
  const bar = document.getElementById(s.id)!;
  const set = (px: number, keep: boolean) => {
    const size = Math.round(Math.max(s.min, Math.min(px, s.max(frame.getBoundingClientRect()))));
    frame.style.setProperty(s.property, size + "px");
    bar.setAttribute("aria-valuenow", String(size));
    if (keep) remember(s.id, String(size));
    dispatchEvent(new Event("resize"));
  };
  const now = () => {
    const pane = document.getElementById(s.id === "split-editor" ? "editor-pane" : "timeline-pane")!;
    return s.id === "split-editor" ? pane.offsetWidth : pane.offsetHeight;
  };
  const kept = Number(recall(s.id));
  if (kept > 0) set(kept, false);
  else bar.setAttribute("aria-valuenow", String(now()));

  bar.addEventListener("pointerdown", (e) => {
    bar.setPointerCapture(e.pointerId);
    e.preventDefault();
  });
  bar.addEventListener("pointermove", (e) => {
    if (bar.hasPointerCapture(e.pointerId)) set(s.at(e.clientX, e.clientY, frame.getBoundingClientRect()), true);
  });
  bar.addEventListener("keydown", (e) => {
    if (e.key !== s.grow && e.key !== s.shrink) return;
    set(now() + (e.key === s.grow ? 24 : -24), true);
    e.preventDefault();
  });
  bar.addEventListener("dblclick", () => {
    frame.style.removeProperty(s.property);
    remember(s.id, "");
    dispatchEvent(new Event("resize"));
  });
}

startTheme();
startViews();
splits.forEach(startSplit);
