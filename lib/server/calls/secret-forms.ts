/** The forms in which a value turns up in what an app writes: as it is, and as its libraries encode it. */

export interface SecretForm {
  text: string;
  /** Base64 of a longer text holds the value between two characters that belong to it in part. */
  base64: boolean;
}

export function formsOf(value: string): SecretForm[] {
  const bytes = Buffer.from(value, "utf8");
  const hex = bytes.toString("hex");
  const plain = [
    value,
    ...jsonForms(value),
    ...jsonForms(value).map((form) => inJson(form)),
    ...urlForms(value),
    ...htmlForms(value),
    hex,
    hex.toUpperCase(),
  ];
  const base64 = [0, 1, 2].flatMap((before) => base64At(bytes, before));
  return [
    ...[...new Set(plain)].map((text) => ({ text, base64: false })),
    ...[...new Set(base64)].map((text) => ({ text, base64: true })),
  ];
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
