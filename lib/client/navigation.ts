/** Loads the page in full, so that nothing one user saw stays in memory for the next. */
export function leaveFor(path: string): void {
  window.location.assign(path);
}
