import type { DraftSync } from "./draft-sync";

/** Two events of one return to the page make one question. */
const CHECK_PAUSE_MS = 1_000;

/** What happens to the page: it is left, looked at again, online again, closed. Answers how to stop. */
export function watchPage(sync: DraftSync): () => void {
  let checkedAt = Date.now();
  const check = () => {
    if (Date.now() - checkedAt < CHECK_PAUSE_MS) return;
    checkedAt = Date.now();
    void sync.check();
  };
  const turned = () => (document.visibilityState === "hidden" ? sync.leave() : check());
  const online = () => void sync.saveNow();
  const closing = (event: BeforeUnloadEvent) => {
    if (!sync.keepNow()) event.preventDefault();
  };
  const left = () => sync.leave();
  window.addEventListener("focus", check);
  window.addEventListener("online", online);
  window.addEventListener("pagehide", left);
  window.addEventListener("beforeunload", closing);
  document.addEventListener("visibilitychange", turned);
  return () => {
    window.removeEventListener("focus", check);
    window.removeEventListener("online", online);
    window.removeEventListener("pagehide", left);
    window.removeEventListener("beforeunload", closing);
    document.removeEventListener("visibilitychange", turned);
  };
}
