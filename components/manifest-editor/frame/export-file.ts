/** What leaves the editor for the person's machine. */

/** Downloads exactly the text. */
export function downloadText(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers begin to read only after the click is over.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** False where the browser offers no clipboard (plain http on another host than localhost). */
export async function copyToClipboard(text: string): Promise<boolean> {
  if (!("clipboard" in navigator)) return false;
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}
