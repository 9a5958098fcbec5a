/** Which entries were shown, so that none is shown twice. Remembers the newest. */
const MOST = 20_000;

export function rememberShown() {
  const shown = new Set<string>();
  return (id: string): boolean => {
    if (shown.has(id)) return false;
    shown.add(id);
    if (shown.size > MOST) for (const oldest of shown) return shown.delete(oldest);
    return true;
  };
}
