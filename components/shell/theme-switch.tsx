import { Moon, Sun } from "lucide-react";
import { buttonStyles } from "@/components/ui/button-styles";

/**
 * Runs before the page is drawn, so that it never flashes in the wrong theme, and answers to the switch without React.
 * A stored choice wins over the system's theme; other tabs follow.
 */
export const APPLY_THEME = `(function () {
  var root = document.documentElement;
  var system = matchMedia("(prefers-color-scheme: dark)");
  var chosen = null;
  try { chosen = localStorage.getItem("theme"); } catch {}
  function apply() {
    var dark = chosen === "dark" || (chosen !== "light" && system.matches);
    if (root.classList.contains("dark") === dark) return;
    root.toggleAttribute("data-theme-changing", true);
    root.classList.toggle("dark", dark);
    getComputedStyle(root).color;
    setTimeout(function () { root.toggleAttribute("data-theme-changing", false); }, 1);
  }
  apply();
  system.addEventListener("change", apply);
  addEventListener("storage", function (event) {
    if (event.key !== "theme") return;
    chosen = event.newValue;
    apply();
  });
  addEventListener("click", function (event) {
    if (!event.target.closest("[data-theme-switch]")) return;
    chosen = root.classList.contains("dark") ? "light" : "dark";
    try { localStorage.setItem("theme", chosen); } catch {}
    apply();
  });
})();`;

/** CSS picks the icon: the server doesn't know which theme the browser uses. */
export function ThemeSwitch() {
  return (
    <button
      type="button"
      data-theme-switch
      aria-label="Switch between light and dark"
      className={buttonStyles({ tone: "quiet", size: "icon" })}
    >
      <Sun aria-hidden className="size-4 dark:hidden" />
      <Moon aria-hidden className="hidden size-4 dark:block" />
    </button>
  );
}
