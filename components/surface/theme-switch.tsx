import { Monitor, Moon, Sun } from "lucide-react";
import { buttonStyles } from "@/components/ui/links";

/**
 * Runs before the page is drawn, so that it never flashes in the wrong theme, and answers to the switch without React.
 * A stored choice wins over the system's theme; without one, the system's applies. Other tabs follow.
 */
export const APPLY_THEME = `(function () {
  var root = document.documentElement;
  var system = matchMedia("(prefers-color-scheme: dark)");
  var chosen = null;
  try { chosen = localStorage.getItem("theme"); } catch {}
  function apply() {
    root.dataset.theme = chosen === "light" || chosen === "dark" ? chosen : "system";
    var dark = chosen === "dark" || (chosen !== "light" && system.matches);
    if (root.classList.contains("dark") === dark) return;
    root.toggleAttribute("data-theme-changing", true);
    root.classList.toggle("dark", dark);
    getComputedStyle(root).color;
    setTimeout(function () { root.toggleAttribute("data-theme-changing", false); }, 1);
  }
  apply();
  // React resets the document when it draws a page that the server could not, such as one that does not exist.
  new MutationObserver(function () {
    if (root.dataset.theme === undefined) apply();
  }).observe(root, { attributes: true, attributeFilter: ["data-theme"] });
  system.addEventListener("change", apply);
  addEventListener("storage", function (event) {
    if (event.key !== "theme") return;
    chosen = event.newValue;
    apply();
  });
  addEventListener("click", function (event) {
    if (!event.target.closest("[data-theme-switch]")) return;
    chosen = { system: "light", light: "dark", dark: null }[root.dataset.theme];
    try {
      if (chosen === null) localStorage.removeItem("theme");
      else localStorage.setItem("theme", chosen);
    } catch {}
    apply();
  });
})();`;

const CHOICES = [
  {
    icon: Monitor,
    text: "Theme: system. Switch to light.",
    shown: "inline-flex [[data-theme=light]_&]:hidden [[data-theme=dark]_&]:hidden",
  },
  { icon: Sun, text: "Theme: light. Switch to dark.", shown: "hidden [[data-theme=light]_&]:inline-flex" },
  { icon: Moon, text: "Theme: dark. Switch to system.", shown: "hidden [[data-theme=dark]_&]:inline-flex" },
] as const;

/** System, light, dark, in turn. CSS picks icon and name, because the server doesn't know the browser's choice. */
export function ThemeSwitch() {
  return (
    <button type="button" data-theme-switch className={buttonStyles({ tone: "quiet", size: "icon" })}>
      {CHOICES.map(({ icon: Icon, text, shown }) => (
        <span key={text} title={text} className={shown}>
          <Icon aria-hidden className="size-4" />
          <span className="sr-only">{text}</span>
        </span>
      ))}
    </button>
  );
}
