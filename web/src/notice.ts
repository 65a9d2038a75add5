// The strip at the top of the page for what a person must know or decide now.

/** notice shows text with one thing to do about it; without text it hides the strip. */
export function notice(text: string, action?: string, act?: () => void): void {
  const strip = document.getElementById("notice");
  if (!strip) return;
  strip.replaceChildren();
  strip.hidden = text === "";
  if (text === "") return;
  const words = document.createElement("p");
  words.textContent = text;
  strip.append(words);
  if (!action || !act) return;
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.testid = "notice-action";
  button.textContent = action;
  button.addEventListener("click", () => {
    button.disabled = true;
    act();
  });
  strip.append(button);
}
