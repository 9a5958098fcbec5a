/** Whole terminal escape sequences: CSI, OSC, and the two-byte kind. */
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;

/** Control characters except tab and newline, and marks that change the direction of text. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The last `bytes` of an app's output, made harmless to show in a page or a terminal. */
export function cleanLog(raw: Buffer | string, bytes: number): string {
  const buffer = typeof raw === "string" ? Buffer.from(raw) : raw;
  const text = buffer.subarray(-bytes).toString("utf8");
  return text
    .replace(ESCAPES, "")
    .replaceAll("\r\n", "\n")
    .replace(CONTROLS, "")
    .replace(/^\uFFFD+/, "");
}
