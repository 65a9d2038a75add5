// Runs before the first paint, so that a person who chose light or dark never sees the other flash by.
const chosen = (() => {
  try {
    return localStorage.getItem("terrarium.theme");
  } catch {
    return null; // storage refused: follow the system
  }
})();
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
