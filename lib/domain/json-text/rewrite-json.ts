/**
 * Changes the source of a JSON value and leaves every other byte as it is. Items that move or are copied keep their
 * source; new text follows the style of its neighbors.
 */
import { addChild, assemble, childWriter, toPieces, childContexts, type Piece } from "./assemble-json";
import { isRecord, getMember, type Path } from "./json-value";
import { contextAt, writeJson, type WriteContext } from "./json-layout";
import { childAt, readContainer, type JsonContainer } from "./json-source";
import { pairItems } from "./pair-items";
import { sameValue } from "./json-value";

/** Writes a value at `path` and creates missing parents; `undefined` removes the value, if there is one. */
export function setIn(source: string, path: Path, value: unknown, context: WriteContext): string {
  const [part, ...rest] = path;
  if (part === undefined) return value === undefined ? source : replace(source, value, context);
  const container = readContainer(source, 0);
  if (container === undefined)
    return value === undefined ? source : replace(source, wrap(path, value), context);
  const child = childAt(container, part);
  if (child === undefined) {
    const fits = (container.kind === "array") === (typeof part === "number");
    if (value === undefined || !fits) return source;
    return addChild(source, container, container.children.length, part, wrap(rest, value), context);
  }
  if (value === undefined && rest.length === 0)
    return assemble(
      source,
      container,
      toPieces(source, container).filter(({ slot }) => container.children[slot] !== child),
      context,
    );
  const changed = setIn(
    source.slice(child.start, child.end),
    rest,
    value,
    contextAt(source, child.from, context),
  );
  return source.slice(0, child.start) + changed + source.slice(child.end);
}

/** Changes the source of the value at `path`; undefined if there is none. */
export function changeIn(
  source: string,
  path: Path,
  context: WriteContext,
  change: (source: string, context: WriteContext) => string,
): string | undefined {
  const [part, ...rest] = path;
  if (part === undefined) return change(source, context);
  const child = childAt(readContainer(source, 0), part);
  if (child === undefined) return undefined;
  const inner = source.slice(child.start, child.end);
  const changed = changeIn(inner, rest, contextAt(source, child.from, context), change);
  if (changed === undefined) return undefined;
  return source.slice(0, child.start) + changed + source.slice(child.end);
}

/** Replaces a value. Between two objects or two lists, writes only what differs. */
function replace(source: string, value: unknown, context: WriteContext): string {
  const old: unknown = JSON.parse(source);
  if (sameValue(old, value)) return source;
  const container = readContainer(source, 0);
  if (container?.kind === "array" && Array.isArray(old) && Array.isArray(value) && old.length > 0)
    return replaceItems(source, container, old, value, context);
  if (container?.kind === "object" && isRecord(value) && container.children.length > 0)
    return replaceMembers(source, container, value, context);
  return writeJson(value, context, !context.flat);
}

function replaceMembers(
  source: string,
  container: JsonContainer,
  value: Record<string, unknown>,
  context: WriteContext,
): string {
  const contexts = childContexts(source, container, context);
  const kept = container.children.flatMap((child, slot): Piece[] => {
    const member = getMember(value, child.key ?? "");
    if (member === undefined) return [];
    const changed = replace(source.slice(child.start, child.end), member, contexts[slot] ?? context);
    return [{ slot, text: source.slice(child.from, child.start) + changed }];
  });
  const present = new Set(container.children.map(({ key }) => key));
  const write = childWriter(source, container, container.children.length, context);
  const added = Object.entries(value)
    .filter(([key, member]) => !present.has(key) && member !== undefined)
    .map(([key, member]) => write(key, member));
  return assemble(source, container, [...kept, ...added], context);
}

function replaceItems(
  source: string,
  container: JsonContainer,
  old: readonly unknown[],
  value: readonly unknown[],
  context: WriteContext,
): string {
  const from = pairItems(old, value);
  const contexts = childContexts(source, container, context);
  const write = childWriter(source, container, container.children.length, context);
  const pieces = value.map((item, index): Piece => {
    const pair = from[index] ?? -1;
    const child = container.children[pair];
    if (child === undefined) return write(index, item);
    const text = replace(source.slice(child.start, child.end), item, contexts[pair] ?? context);
    return { slot: old.length === value.length ? index : pair, text };
  });
  return assemble(source, container, pieces, context);
}

function wrap(path: Path, value: unknown): unknown {
  return path.reduceRight<unknown>(
    (inner, part) => (typeof part === "number" ? [inner] : { [part]: inner }),
    value,
  );
}
