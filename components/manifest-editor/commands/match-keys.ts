/** Which keys an event presses, whatever the keyboard's layout. */

export type PressedKeys = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/** `keys` such as `Mod+Shift+Z`, `Alt+1`, `F8` or `?`. */
export function matchesKeys(keys: string, event: PressedKeys, isMac: boolean): boolean {
  const parts = keys.split("+");
  const wanted = parts.at(-1) ?? "";
  const has = (modifier: string) => parts.includes(modifier);
  const [mod, other] = isMac ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey];
  if (mod !== has("Mod") || other || event.altKey !== has("Alt")) return false;
  // A sign such as "?" is reached with Shift on some layouts and without it on others.
  const isSign = wanted.length === 1 && !/[A-Z0-9]/.test(wanted);
  return (isSign || event.shiftKey === has("Shift")) && nameOf(event) === wanted;
}

/** The letter as typed where it is a Latin one, else the key's place: Alt changes letters on a Mac, other scripts have others. */
function nameOf({ key, code }: PressedKeys): string {
  if (/^[a-z0-9]$/i.test(key)) return key.toUpperCase();
  const place = /^(?:Key|Digit)([A-Z0-9])$/.exec(code)?.[1];
  const isSign = key.length === 1 && key.charCodeAt(0) < 128;
  return place !== undefined && (!isSign || code.startsWith("Key")) ? place : key;
}
