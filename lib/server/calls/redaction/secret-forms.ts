/** The forms in which an app may write a value: as it is, and as libraries encode it. */

/** A value that must not be stored or shown, and its setting. */
export interface Secret {
  name: string;
  value: string;
}

export interface SecretForm {
  text: string;
  /** In base64 of a longer text, the characters before and after the form may contain some of the value's bits. */
  base64: boolean;
}

/** Shorter lines of a value, such as "}", reveal nothing. */
const SHORTEST_LINE = 16;

/** Values that JSON, URLs and HTML write as they are. Most keys are like that. */
const NOTHING_TO_ESCAPE = /^[\w.-]*$/;

/** No form is shorter than the value. The forms of a value's start (or end) are the starts (or ends) of its forms. */
export function listForms(value: string): SecretForm[] {
  const bytes = Buffer.from(value, "utf8");
  const hex = bytes.toString("hex");
  const written = NOTHING_TO_ESCAPE.test(value) ? [] : escapedForms(value);
  const plain = [value, ...written, hex, hex.toUpperCase()];
  const base64 = [0, 1, 2].flatMap((before) => encodeBase64At(bytes, before));
  return [
    ...[...new Set(plain)].map((text) => ({ text, base64: false })),
    ...[...new Set(base64)].map((text) => ({ text, base64: true })),
  ];
}

/** The lines of a value, such as a PEM key, which a log may show one by one. */
export function listLines(value: string): SecretForm[] {
  if (!value.includes("\n")) return [];
  const lines = value.split(/\r?\n/).filter((line) => line.length >= SHORTEST_LINE);
  return lines.map((text) => ({ text, base64: false }));
}

function escapedForms(value: string): string[] {
  const json = jsonForms(value);
  return [...json, ...json.map((form) => escapeJson(form)), ...urlForms(value), ...htmlForms(value)];
}

function escapeJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/** Python and PHP escape everything but ASCII; PHP escapes slashes too. */
function jsonForms(value: string): string[] {
  const escaped = escapeJson(value);
  const ascii = (upper: boolean) =>
    escaped.replace(/[\u007f-\uffff]/g, (character) => {
      const code = character.charCodeAt(0).toString(16).padStart(4, "0");
      return `\\u${upper ? code.toUpperCase() : code}`;
    });
  return [
    escaped,
    ascii(false),
    ascii(true),
    ascii(false).replaceAll("/", "\\/"),
    escaped.replaceAll("/", "\\/"),
  ];
}

/** Libraries differ in the characters they escape, in the case of hex digits, and in `%20` or `+` for a space. */
function urlForms(value: string): string[] {
  const component = encodeURIComponent(value);
  const strict = component.replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
  const spaced = [component, strict, encodeURI(value)].flatMap((form) => [form, form.replaceAll("%20", "+")]);
  const all = [...spaced, new URLSearchParams([["", value]]).toString().slice(1)];
  return [...all, ...all.map((form) => form.replace(/%[0-9A-F]{2}/g, (each) => each.toLowerCase()))];
}

function htmlForms(value: string): string[] {
  const escaped = value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const quoted = escaped.replaceAll('"', "&quot;");
  return [escaped, quoted, quoted.replaceAll("'", "&#39;"), quoted.replaceAll("'", "&#x27;")];
}

/** The value in base64 of a text that has `before` bytes (modulo 3) in front of it. */
function encodeBase64At(bytes: Buffer, before: number): string[] {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
  const whole = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  return [whole, whole.replaceAll("+", "-").replaceAll("/", "_")];
}
