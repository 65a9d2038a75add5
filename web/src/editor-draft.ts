// The text of the editor outlives a reload of its tab.

const draftKey = "terrarium.draft";

export function recallDraft(): string | null {
  try {
    return sessionStorage.getItem(draftKey);
  } catch {
    return null; // storage refused: the draft lasts as long as the page
  }
}

export function keepDraft(text: string): void {
  try {
    if (text) sessionStorage.setItem(draftKey, text);
    else sessionStorage.removeItem(draftKey);
  } catch {
    // Storage refused or full: the draft lasts as long as the page.
  }
}
