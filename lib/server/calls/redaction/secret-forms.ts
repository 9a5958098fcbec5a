/** The forms in which a value turns up in what an app writes: as it is, and as its libraries encode it. */

/** A value that must not be kept or shown, and the setting that it belongs to. */
export interface Secret {
  name: string;
  value: string;
}

export interface SecretForm {
  text: string;
  /** Base64 of a longer text holds the value between two characters that belong to it in part. */
  base64: boolean;
}

/** A line of a longer value: "}" is one, and tells nothing. */
const SHORTEST_LINE = 16;

/** Neither JSON nor an address nor HTML has another form of it. Most keys are so. */
const NOTHING_TO_ESCAPE = /^[\w.-]*$/;

/** None is shorter than the value. Those of a value's beginning are the beginnings of its forms, and so for its end. */
export function listForms(value: string): SecretForm[] {
  const bytes = Buffer.from(value, "utf8");
  const hex = bytes.toString("hex");
  const written = NOTHING_TO_ESCAPE.test(value) ? [] : escapedForms(value);
  const plain = [value, ...written, hex, hex.toUpperCase()];
  const base64 = [0, 1, 2].flatMap((before) => base64At(bytes, before));
  return [
    ...[...new Set(plain)].map((text) => ({ text, base64: false })),
    ...[...new Set(base64)].map((text) => ({ text, base64: true })),
  ];
}

/** A log shows a value of several lines, such as a PEM key, line by line. */
export function listLines(value: string): SecretForm[] {
  if (!value.includes("\n")) return [];
  const lines = value.split(/\r?\n/).filter((line) => line.length >= SHORTEST_LINE);
  return lines.map((text) => ({ text, base64: false }));
}

function escapedForms(value: string): string[] {
  const json = jsonForms(value);
  return [...json, ...json.map((form) => inJson(form)), ...urlForms(value), ...htmlForms(value)];
}

function inJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/** Python and PHP escape all but ASCII, and PHP the slash. */
function jsonForms(value: string): string[] {
  const escaped = inJson(value);
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

/** A space is `%20` or `+`; what else is escaped differs from library to library, and so does the case of hex. */
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

/** What stands in base64 of anything that has `before` bytes (modulo three) before the value, whatever they are. */
function base64At(bytes: Buffer, before: number): string[] {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
  const whole = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  return [whole, whole.replaceAll("+", "-").replaceAll("/", "_")];
}
