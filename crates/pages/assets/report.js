// The theme of a page.

function prepareTheme(button) {
  const root = document.documentElement;
  const isDark = () => {
    const { theme } = root.dataset;
    return theme ? theme === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
  };
  const label = () => {
    button.textContent = isDark() ? "Light" : "Dark";
  };
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    label();
  });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", label);
  label();
  button.hidden = false;
}

prepareTheme(byId("theme"));
document.documentElement.dataset.ready = "true";
