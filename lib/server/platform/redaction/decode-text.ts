/**
 * Undoes what encoders and layout add to a text, at any depth: escapes of JSON and of programming languages, of URLs and of HTML, the
 * NULs of UTF-16, and line breaks. Texts and values are decoded alike, so that a value is found however it was written.
 *
 * It reads the text once. What it has read is a stack of units. A unit that completes an escape replaces it by what it stands for,
 * which may complete another escape: `%255Cu0026` becomes `%5Cu0026`, `\u0026`, `&`. Each step shortens the stack, so the time is
 * linear, whatever the text nests.
 *
 * Some differences are dropped on both sides, because levels of nesting cannot be counted: backslashes that escape nothing else,
 * whether a tab is written as `t`, where lines break and how they are indented, and which quotes follow each other and how many. SQL,
 * YAML and CSV double a quote, and shells split a text at it, so quotes in a row become one.
 */
import { characterEntities } from "character-entities";

export interface DecodedText {
  text: string;
  /** The part of the original text that `start` to `end` of the decoded text come from. */
  locate(start: number, end: number): Place;
}

interface Place {
  start: number;
  end: number;
  /** The end of the backslashes that follow. */
  afterBackslashes: number;
  /** The letter of an escaped line break before it, which may have been one after a backslash, and where that is. */
  letterBefore?: { letter: string; start: number };
}

/** What may have to be undone. Most texts have none of it, and testing for it is cheap. */
const ENCODED = /[\0\r\n\t\\]|%[\dA-Fa-fuU]|&[#A-Za-z]|["'`]{2}/;

/** Of a value, each of them is written as the same. */
const QUOTE_MARK = /["'`]/;

/** What decoding looks at while no escape is open. */
const NOTABLE = /[\0\t\r\n\\%&]/g;

/** Undefined if there is nothing to decode. */
export function decodeText(source: string): DecodedText | undefined {
  return ENCODED.test(source) ? runDecoder(source).finish() : undefined;
}

/** The same for a text whose positions don't matter. */
export function decode(text: string): string {
  return ENCODED.test(text) || QUOTE_MARK.test(text) ? runDecoder(text).finish().text : text;
}

/**
 * The decoded text, and the same without what a cut left of an escape: at its end of any that is still open there, and at its start
 * of what may be the rest of one.
 */
export function decodeCut(source: string, cut: "start" | "end"): DecodedText[] {
  if (cut === "end") {
    const decoder = runDecoder(source);
    return [undefined, ...decoder.openAt()].map((size) => decoder.finish(size));
  }
  const rest = /^(?:#?\w{1,31};|[uUx%]?\{?[\dA-Fa-f]{1,8}\}?|.)/.exec(source)?.[0].length ?? 0;
  const whole = decodeText(source);
  if (whole === undefined) return [];
  const { text, locate } = runDecoder(source.slice(rest)).finish();
  return [
    whole,
    {
      text,
      locate(start, end) {
        const place = locate(start, end);
        return {
          ...place,
          start: start === 0 ? 0 : place.start + rest,
          end: place.end + rest,
          afterBackslashes: place.afterBackslashes + rest,
        };
      },
    },
  ];
}

const TAB = 0x09;
const BREAK = 0x0a;
const SPACE = 0x20;
const PERCENT = 0x25;
const AND = 0x26;
const SEMICOLON = 0x3b;
const HASH = 0x23;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const BACKSLASH = 0x5c;
const BACKTICK = 0x60;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const LOWER_N = 0x6e;
const LOWER_R = 0x72;
const LOWER_T = 0x74;
const LOWER_U = 0x75;
const LOWER_X = 0x78;
const UPPER_U = 0x55;

/** Escapes within escapes that may still be completed. More of them is not what an encoder writes. */
const MOST_OPEN = 16;

/** The longest name of a character in HTML has 31 letters; a number may start with zeros. */
const LONGEST_ENTITY = 64;

/** A byte of UTF-8 whose character is not complete, or a character of Latin-1. Otherwise a unit has the depth of its escapes. */
const BYTE = 255;

function runDecoder(source: string) {
  const units = new Uint16Array(source.length);
  /** How many escapes within each other a unit was written as, or `BYTE`. */
  const depths = new Uint8Array(source.length);
  const starts = new Int32Array(source.length);
  const ends = new Int32Array(source.length);
  let size = 0;
  /** Where the escapes start that may still be completed. */
  const open: number[] = [];
  /** The size at the last line break. What indents the next line is dropped, however it is written. */
  let breakAt = -1;
  /** By where the next unit is. */
  const letters = new Map<number, { letter: string; start: number }>();

  function emit(unit: number, start: number, end: number, depth: number): void {
    units[size] = unit;
    depths[size] = depth;
    starts[size] = start;
    ends[size] = end;
    size += 1;
  }

  function push(unit: number, start: number, end: number, depth: number): void {
    if (unit === 0) return;
    if (unit === BREAK || unit === 0x0d) {
      breakAt = size;
      return;
    }
    if (size === breakAt && (unit === SPACE || unit === TAB)) return;
    if (unit === BACKSLASH || unit === PERCENT || unit === AND) pushIntroducer(unit, start, end, depth);
    else pushBody(unit === TAB ? LOWER_T : unit, start, end, depth);
  }

  function pushIntroducer(unit: number, start: number, end: number, depth: number): void {
    const last = size - 1;
    const isRun = unit === BACKSLASH && units[last] === BACKSLASH && open.at(-1) === last;
    if (isRun && (depths[last] ?? 0) <= depth) {
      // Each level of JSON doubles them. One that is less deep starts an escape of an outer level.
      ends[last] = end;
      depths[last] = depth;
      return;
    }
    if (open.length === MOST_OPEN) open.shift();
    open.push(size);
    emit(unit, start, end, depth);
  }

  /** A unit that is part of the innermost open escape, or ends all of them. */
  function pushBody(unit: number, start: number, end: number, depth: number): void {
    const from = open.at(-1);
    emit(unit, start, end, depth);
    if (from === undefined) return;
    const introducer = units[from];
    const isOpen =
      introducer === PERCENT
        ? readPercent(from)
        : introducer === AND
          ? readEntity(from, unit)
          : readBackslash(from, unit);
    if (!isOpen) open.length = 0;
  }

  /** These return false if no escape is open any longer. */
  function readPercent(from: number): boolean {
    const length = size - from;
    const isUnicode = ((units[from + 1] ?? 0) | 0x20) === LOWER_U;
    if (length === 2 && isUnicode) return true;
    const digits = readHex(from + (isUnicode ? 2 : 1), size);
    if (digits === undefined) return false;
    if (isUnicode && length === 6) return replace(from, [digits]);
    return !isUnicode && length === 3 ? replaceByte(from, digits) : true;
  }

  function readBackslash(from: number, unit: number): boolean {
    const length = size - from;
    const kind = units[from + 1] ?? 0;
    if (length === 2) {
      if (unit === LOWER_N || unit === LOWER_R) {
        letters.set(from, { letter: unit === LOWER_N ? "n" : "r", start: starts[from + 1] ?? 0 });
        return replace(from, [BREAK]);
      }
      if (unit === LOWER_T) return replace(from, [TAB]);
      return unit === LOWER_U || unit === LOWER_X || unit === UPPER_U || isOctal(unit);
    }
    if (isOctal(kind)) {
      if (!isOctal(unit) || kind > 0x33) return false;
      const [, first = 0, second = 0, third = 0] = units.subarray(from, size);
      const byte = ((first & 7) << 6) | ((second & 7) << 3) | (third & 7);
      return length === 4 ? replaceByte(from, byte) : true;
    }
    if (units[from + 2] === OPEN_BRACE) {
      if (length > LONGEST_ENTITY) return false;
      if (unit !== CLOSE_BRACE) return length === 3 || isHex(unit);
      const point = readHex(from + 3, size - 1);
      return point === undefined ? false : replace(from, toUnits(point));
    }
    if (!isHex(unit)) return false;
    if (kind === LOWER_X) return length === 4 ? replaceByte(from, readHex(from + 2, size) ?? 0) : true;
    if (length !== (kind === UPPER_U ? 10 : 6)) return true;
    return replace(from, toUnits(readHex(from + 2, size) ?? 0));
  }

  function readEntity(from: number, unit: number): boolean {
    if (size - from > LONGEST_ENTITY) return false;
    if (unit !== SEMICOLON) return isWordUnit(unit) || (unit === HASH && size - from === 2);
    const name = String.fromCharCode(...units.subarray(from + 1, size - 1));
    const number = /^#(?:[xX]([\dA-Fa-f]+)|(\d+))$/.exec(name);
    if (number !== null)
      return replace(from, toUnits(number[1] === undefined ? Number(number[2]) : parseInt(number[1], 16)));
    const meaning = Object.hasOwn(characterEntities, name) ? (characterEntities[name] ?? "") : "";
    return meaning === ""
      ? false
      : replace(
          from,
          [...meaning].flatMap((each) => toUnits(each.codePointAt(0) ?? 0)),
        );
  }

  function readHex(from: number, to: number): number | undefined {
    let number = 0;
    for (let at = from; at < to; at += 1) {
      const unit = units[at] ?? 0;
      if (!isHex(unit)) return undefined;
      number = number * 16 + hexValue(unit);
    }
    return to > from ? number : undefined;
  }

  /** Replaces an escape by what it stands for, which may complete an escape around it. */
  function replace(from: number, meaning: readonly number[]): boolean {
    const start = starts[from] ?? 0;
    const end = ends[size - 1] ?? 0;
    const depth = Math.min((depths[from] ?? 0) + 1, BYTE - 1);
    size = from;
    if (size < breakAt) breakAt = -1;
    open.pop();
    for (const unit of meaning) push(unit, start, end, depth);
    return open.length > 0;
  }

  function replaceByte(from: number, byte: number): boolean {
    if (byte < 0x80) return replace(from, [byte]);
    const end = ends[size - 1] ?? 0;
    size = from;
    emit(byte & 0xff, starts[from] ?? 0, end, BYTE);
    open.length = 0;
    joinBytes(end);
    return false;
  }

  /** Replaces the bytes of a character of UTF-8 by the character, once they are complete. */
  function joinBytes(end: number): void {
    const isByte = (at: number, least: number, most: number) =>
      depths[at] === BYTE && (units[at] ?? 0) >= least && (units[at] ?? 0) <= most;
    let first = size - 1;
    while (first > 0 && size - first < 4 && isByte(first, 0x80, 0xbf)) first -= 1;
    if (!isByte(first, 0xc0, 0xf7)) return;
    const lead = units[first] ?? 0;
    const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (size - first !== length) return;
    let point = lead & (0xff >> (length + 1));
    for (let at = first + 1; at < size; at += 1) point = (point << 6) | ((units[at] ?? 0) & 0x3f);
    const start = starts[first] ?? 0;
    size = first;
    for (const unit of toUnits(point)) push(unit, start, end, 1);
  }

  for (let at = 0; at < source.length;) {
    if (open.length > 0 || size === breakAt) {
      push(source.charCodeAt(at), at, at + 1, 0);
      at += 1;
      continue;
    }
    NOTABLE.lastIndex = at;
    const next = NOTABLE.exec(source)?.index ?? source.length;
    for (; at < next; at += 1) emit(source.charCodeAt(at), at, at + 1, 0);
    if (at < source.length) push(source.charCodeAt(at), at, at + 1, 0);
    at += 1;
  }

  return {
    /** Where what follows may change what was read. */
    openAt(): number[] {
      const isUnfinished = (at: number) => depths[at] === BYTE || isHighSurrogate(units[at]);
      const sizes = [...open, size].flatMap((end) => {
        let start = end;
        while (start > 0 && isUnfinished(start - 1)) start -= 1;
        return [end, start];
      });
      return [...new Set(sizes)].filter((each) => each < size);
    },
    /** The first `length` units, without backslashes, and with one quote for those in a row. */
    finish(length = size): DecodedText {
      const kept = new Uint16Array(length);
      const places = new Int32Array(length);
      let count = 0;
      for (let at = 0; at < length; at += 1) {
        const unit = units[at] ?? 0;
        if (unit === BACKSLASH) continue;
        const isQuote = unit === QUOTE || unit === APOSTROPHE || unit === BACKTICK;
        if (isQuote && kept[count - 1] === QUOTE) continue;
        kept[count] = isQuote ? QUOTE : unit;
        places[count++] = at;
      }
      /** The last of the units that became this one. */
      const lastOf = (index: number) => {
        let last = places[index] ?? 0;
        if (kept[index] !== QUOTE) return last;
        for (let at = last + 1; at < (index + 1 < count ? (places[index + 1] ?? 0) : length); at += 1)
          if (units[at] !== BACKSLASH) last = at;
        return last;
      };
      const text = Buffer.from(kept.buffer, 0, 2 * count).toString("utf16le");
      return {
        text,
        locate(start, end) {
          const first = places[start] ?? 0;
          const escaped = first > 0 && units[first - 1] === BACKSLASH && !isWordUnit(units[first] ?? 0);
          const last = lastOf(end - 1);
          let backslash = last;
          while (backslash + 1 < length && units[backslash + 1] === BACKSLASH) backslash += 1;
          return {
            start: starts[escaped ? first - 1 : first] ?? 0,
            end: end === count && length < size ? source.length : (ends[last] ?? 0),
            afterBackslashes: ends[backslash] ?? 0,
            letterBefore: letters.get(first),
          };
        },
      };
    },
  };
}

const isHighSurrogate = (unit = 0) => unit >= 0xd800 && unit < 0xdc00;
const isOctal = (unit: number) => unit >= 0x30 && unit <= 0x37;
const isHex = (unit: number) =>
  (unit >= 0x30 && unit <= 0x39) || ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x66);
const hexValue = (unit: number) => (unit <= 0x39 ? unit - 0x30 : (unit | 0x20) - 0x57);
const isWordUnit = (unit: number) =>
  (unit >= 0x30 && unit <= 0x39) || ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a) || unit === 0x5f;

/** Nothing for a number that is no character. */
function toUnits(point: number): number[] {
  if (point > 0x10ffff) return [];
  if (point < 0x10000) return [point];
  return [0xd800 + ((point - 0x10000) >> 10), 0xdc00 + ((point - 0x10000) & 0x3ff)];
}
