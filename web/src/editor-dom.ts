// The few lines of DOM that the editor needs. Text goes in as text nodes only.

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Record<string, string> = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  e.append(...children);
  return e;
}

export interface MenuItem {
  id: string;
  label: string;
  choose(): void;
}

/** A button that opens a menu: arrows, Home, End and letters move, Escape and leaving close it. */
export function menuButton(host: HTMLElement, label: string, testid: string, items: MenuItem[]): void {
  const menu = element("div", { role: "menu", class: "menu editor-menu", "aria-label": label });
  const button = element("button", {
    type: "button", "data-testid": testid, "aria-haspopup": "menu", "aria-expanded": "false",
  }, label);
  menu.hidden = true;
  for (const item of items) {
    const entry = element("button", { type: "button", role: "menuitem", tabindex: "-1", "data-item": item.id }, item.label);
    entry.onclick = () => {
      open(false);
      item.choose();
    };
    menu.append(entry);
  }
  const entries = [...menu.children] as HTMLElement[];
  const open = (yes: boolean) => {
    menu.hidden = !yes;
    button.setAttribute("aria-expanded", String(yes));
    if (!yes) return;
    const below = button.getBoundingClientRect();
    menu.style.top = below.bottom + 4 + "px";
    menu.style.left = Math.max(8, Math.min(below.left, innerWidth - menu.offsetWidth - 8)) + "px";
    entries[0]?.focus();
  };
  button.onclick = () => open(menu.hidden === true);
  host.addEventListener("focusout", (e) => {
    if (!host.contains(e.relatedTarget as Node | null)) open(false);
  });
  host.addEventListener("keydown", (e) => {
    const to = menu.hidden ? (e.key === "ArrowDown" ? (open(true), 0) : -1) : move(e.key, entries);
    if (e.key === "Escape" && !menu.hidden) {
      open(false);
      button.focus();
    } else if (to >= 0) entries[to]?.focus();
    else return;
    e.preventDefault();
    e.stopPropagation();
  });
  host.append(button, menu);
}

function move(key: string, entries: HTMLElement[]): number {
  const at = entries.indexOf(document.activeElement as HTMLElement);
  const n = entries.length;
  switch (key) {
    case "ArrowDown": return (at + 1) % n;
    case "ArrowUp": return (at - 1 + n) % n;
    case "Home": return 0;
    case "End": return n - 1;
  }
  if (key.length !== 1) return -1;
  const starts = (e: HTMLElement) => e.textContent!.toLowerCase().startsWith(key.toLowerCase());
  const after = entries.findIndex((e, i) => i > at && starts(e));
  return after >= 0 ? after : entries.findIndex(starts);
}
