/**
 * Changes of a JSON value's source that leave every byte of it as it is that they do not name: items that move or are
 * copied take their source along, and what is written new looks like its neighbours.
 */
import { addChild, assemble, childWriter, piecesOf, placesOf, type Piece } from "./assemble-json";
import { isRecord, memberOf, type Path } from "./finding";
import { placeAt, writeJson, type JsonPlace } from "./json-layout";
import { childAt, readContainer, type JsonContainer } from "./json-source";
import { pairItems } from "./pair-items";
import { sameValue } from "./same-value";

/** Writes a value at `path`, and what is missing around it; `undefined` removes, and what is not there stays so. */
export function setIn(source: string, path: Path, value: unknown, place: JsonPlace): string {
  const [part, ...rest] = path;
  if (part === undefined) return value === undefined ? source : replace(source, value, place);
  const container = readContainer(source, 0);
  if (container === undefined)
    return value === undefined ? source : replace(source, wrap(path, value), place);
  const child = childAt(container, part);
  if (child === undefined) {
    const fits = (container.kind === "array") === (typeof part === "number");
    if (value === undefined || !fits) return source;
    return addChild(source, container, container.children.length, part, wrap(rest, value), place);
  }
  if (value === undefined && rest.length === 0)
    return assemble(
      source,
      container,
      piecesOf(source, container).filter(({ slot }) => container.children[slot] !== child),
      place,
    );
  const changed = setIn(
    source.slice(child.start, child.end),
    rest,
    value,
    placeAt(source, child.from, place),
  );
  return source.slice(0, child.start) + changed + source.slice(child.end);
}

/** Changes the source of what is at `path`; undefined where nothing is. */
export function changeIn(
  source: string,
  path: Path,
  place: JsonPlace,
  change: (source: string, place: JsonPlace) => string,
): string | undefined {
  const [part, ...rest] = path;
  if (part === undefined) return change(source, place);
  const child = childAt(readContainer(source, 0), part);
  if (child === undefined) return undefined;
  const inner = source.slice(child.start, child.end);
  const changed = changeIn(inner, rest, placeAt(source, child.from, place), change);
  if (changed === undefined) return undefined;
  return source.slice(0, child.start) + changed + source.slice(child.end);
}

/** Another value in the place of one: where both are objects or both are lists, only what differs is written. */
function replace(source: string, value: unknown, place: JsonPlace): string {
  const old: unknown = JSON.parse(source);
  if (sameValue(old, value)) return source;
  const container = readContainer(source, 0);
  if (container?.kind === "array" && Array.isArray(old) && Array.isArray(value) && old.length > 0)
    return replaceItems(source, container, old, value, place);
  if (container?.kind === "object" && isRecord(value) && container.children.length > 0)
    return replaceMembers(source, container, value, place);
  return writeJson(value, place, !place.flat);
}

function replaceMembers(
  source: string,
  container: JsonContainer,
  value: Record<string, unknown>,
  place: JsonPlace,
): string {
  const places = placesOf(source, container, place);
  const kept = container.children.flatMap((child, slot): Piece[] => {
    const member = memberOf(value, child.key ?? "");
    if (member === undefined) return [];
    const changed = replace(source.slice(child.start, child.end), member, places[slot] ?? place);
    return [{ slot, text: source.slice(child.from, child.start) + changed }];
  });
  const present = new Set(container.children.map(({ key }) => key));
  const write = childWriter(source, container, container.children.length, place);
  const added = Object.entries(value)
    .filter(([key, member]) => !present.has(key) && member !== undefined)
    .map(([key, member]) => write(key, member));
  return assemble(source, container, [...kept, ...added], place);
}

function replaceItems(
  source: string,
  container: JsonContainer,
  old: readonly unknown[],
  value: readonly unknown[],
  place: JsonPlace,
): string {
  const from = pairItems(old, value);
  const places = placesOf(source, container, place);
  const write = childWriter(source, container, container.children.length, place);
  const pieces = value.map((item, index): Piece => {
    const pair = from[index] ?? -1;
    const child = container.children[pair];
    if (child === undefined) return write(index, item);
    const text = replace(source.slice(child.start, child.end), item, places[pair] ?? place);
    return { slot: old.length === value.length ? index : pair, text };
  });
  return assemble(source, container, pieces, place);
}

function wrap(path: Path, value: unknown): unknown {
  return path.reduceRight<unknown>(
    (inner, part) => (typeof part === "number" ? [inner] : { [part]: inner }),
    value,
  );
}
