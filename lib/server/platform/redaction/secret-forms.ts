/** The forms in which an app may write a value: as it is, and as libraries encode it. */

/** A value that must not be stored or shown, and its setting. */
export interface Secret {
  name: string;
  value: string;
}

export interface SecretForm {
  text: string;
  /** In base64, the characters before and after the form may contain some of the value's bits. */
  hasEdges: boolean;
}

/** Shorter lines of a value, such as "}", reveal nothing. */
const SHORTEST_LINE = 16;

/** Values that JSON, URLs and HTML write as they are. Most keys are like that. */
const NOTHING_TO_ESCAPE = /^[\w.-]*$/;

/** No form is shorter than the value. The forms of a value's start (or end) are the starts (or ends) of its forms. */
export function listForms(value: string): SecretForm[] {
  return [...listWrittenForms(value), ...listEncodedForms(value)];
}

/** All of them contain the value's letters and digits as they are. */
export function listWrittenForms(value: string): SecretForm[] {
  const written = NOTHING_TO_ESCAPE.test(value) ? [value] : new Set([value, ...escapedForms(value)]);
  return [...written].map((text) => ({ text, hasEdges: false }));
}

/** In UTF-8, and in UTF-16 as Windows writes it. */
export function listEncodedForms(value: string): SecretForm[] {
  return [Buffer.from(value, "utf8"), Buffer.from(value, "utf16le")].flatMap((bytes) => {
    const hex = bytes.toString("hex");
    const padded = Buffer.concat([Buffer.alloc(2), bytes]);
    return [
      ...[...new Set([hex, hex.toUpperCase()])].map((text) => ({ text, hasEdges: false })),
      ...[0, 1, 2].flatMap((before) => encodeBase64At(padded.subarray(2 - before), before)),
    ];
  });
}

/** The lines of a value, such as a PEM key, which a log may show one by one. */
export function listLines(value: string): SecretForm[] {
  if (!value.includes("\n")) return [];
  const lines = value.split(/\r?\n/).filter((line) => line.length >= SHORTEST_LINE);
  return lines.map((text) => ({ text, hasEdges: false }));
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

/** `padded`: the value after `before` bytes of something else (modulo 3). */
function encodeBase64At(padded: Buffer, before: number): SecretForm[] {
  const encoded = padded.toString("base64");
  const whole = encoded.slice(Math.ceil((before * 8) / 6), Math.floor((padded.length * 8) / 6));
  const hasEdges = before > 0 || padded.length % 3 > 0;
  const texts = new Set([whole, whole.replaceAll("+", "-").replaceAll("/", "_")]);
  return [...texts].map((text) => ({ text, hasEdges }));
}
