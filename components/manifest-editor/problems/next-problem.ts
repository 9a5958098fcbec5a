import type { EditorStore } from "../editor-store";

/** From the problem that was looked at last to the one after or before it, around the end. */
export function jumpToNextProblem(store: EditorStore, by: 1 | -1): void {
  const { issues, jump } = store.state();
  if (issues.length === 0) {
    store.announce("No problems");
    return;
  }
  const last = issues.findIndex(
    ({ pointer, line = 1, column = 1 }) =>
      pointer === jump?.pointer && line === jump.line && column === jump.column,
  );
  const start = last === -1 && by < 0 ? 0 : last;
  const next = issues[(start + by + issues.length) % issues.length];
  if (next === undefined) return;
  store.jumpTo(next);
  store.announce(`${next.severity === "warning" ? "Warning" : "Error"}: ${next.message}`);
}
