/** A whole load, not a client navigation: nothing of what one person saw stays in memory for the next. */
export function leaveFor(path: string): void {
  window.location.assign(path);
}
