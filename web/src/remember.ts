// What this browser remembers of the page, where it lets the page remember anything.

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem("terrarium." + key, value);
  } catch {
    // Storage refused: the choice lasts as long as the page.
  }
}

export function recall(key: string): string | null {
  try {
    return localStorage.getItem("terrarium." + key);
  } catch {
    return null;
  }
}
