import "@/app/globals.css";
import { afterEach, vi } from "vitest";
import { cleanup } from "vitest-browser-react";

document.title = "Component test";
document.documentElement.lang = "en";

// A test ends with its component, and the next one starts as in another browser: components that leave send and store what is unsaved, and
// retry what fails. So nothing that is sent from here on is answered, and nothing that is stored is kept.
afterEach(async () => {
  vi.stubGlobal("fetch", () => new Promise(() => {}));
  // What was answered before arrives.
  await new Promise((resolve) => setTimeout(resolve));
  await cleanup();
  localStorage.clear();
  sessionStorage.clear();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});
