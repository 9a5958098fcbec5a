/**
 * Reads the JSON documents of an image as engines read them, or refuses them. Engines are written in Go: it takes members in any case,
 * the last one of several counts, or they are merged, and invalid UTF-8 becomes U+FFFD. JavaScript takes other members of the same text.
 */
import { isUtf8 } from "node:buffer";
import { visit } from "jsonc-parser";
import type { z } from "zod";
import { isShallow, parseJson } from "@/lib/contract/platform/problem";
import { badBundle } from "./bad-bundle";

/** How the members are spelled that engines know. */
const MEMBERS = {
  /** `manifest.json` of a docker archive. */
  archive: ["Config", "RepoTags", "Layers", "Parent", "LayerSources"],
  /** Manifests and indexes. */
  oci: [
    ...[
      "schemaVersion",
      "mediaType",
      "artifactType",
      "config",
      "layers",
      "manifests",
      "subject",
      "annotations",
    ],
    ...[
      "digest",
      "size",
      "urls",
      "data",
      "platform",
      "architecture",
      "os",
      "os.version",
      "os.features",
      "variant",
    ],
  ],
  /** An image's configuration; what is in its member `config` begins with a capital. */
  config: [
    ...["architecture", "os", "os.version", "os.features", "variant", "config", "container_config", "rootfs"],
    ...[
      "type",
      "diff_ids",
      "history",
      "created",
      "created_by",
      "empty_layer",
      "author",
      "comment",
      "container",
    ],
    ...["docker_version", "id", "parent", "throwaway"],
    ...[
      "Hostname",
      "Domainname",
      "User",
      "AttachStdin",
      "AttachStdout",
      "AttachStderr",
      "ExposedPorts",
      "Tty",
    ],
    ...[
      "OpenStdin",
      "StdinOnce",
      "Env",
      "Cmd",
      "Healthcheck",
      "ArgsEscaped",
      "Image",
      "Volumes",
      "WorkingDir",
    ],
    ...[
      "Entrypoint",
      "NetworkDisabled",
      "MacAddress",
      "OnBuild",
      "Labels",
      "StopSignal",
      "StopTimeout",
      "Shell",
    ],
    ...["Test", "Interval", "Timeout", "StartPeriod", "StartInterval", "Retries", "Memory", "MemorySwap"],
    ...["CpuShares", "CpuSet", "Size"],
  ],
} as const;

export type DocumentKind = keyof typeof MEMBERS;

const SPELLING = new Map(
  Object.entries(MEMBERS).map(([kind, names]) => [kind, new Map(names.map((name) => [fold(name), name]))]),
);

/** Their members are data, not names that engines know. */
const MAPS: ReadonlySet<string> = new Set(["labels", "annotations", "exposedports", "volumes"]);

/** Throws `BAD_BUNDLE` with `NOT_AN_IMAGE` if the document is not valid, or could be read in two ways. @param path in the archive */
export function parseDocument<Shape extends z.ZodType>(
  shape: Shape,
  bytes: Buffer,
  path: string,
  kind: DocumentKind,
): z.infer<Shape> {
  const shown = path.slice(0, 120);
  const refuse = (what: string) => badBundle("NOT_AN_IMAGE", path, `${shown} ${what}.`);
  if (!isUtf8(bytes)) throw refuse("is not valid UTF-8");
  const text = bytes.toString("utf8");
  const value = parseJson(text);
  if (!isShallow(value)) throw refuse("is nested too deeply");
  const parsed = shape.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const at = issue?.path.join(".").slice(0, 80) ?? "";
    const why = issue?.code === "custom" ? `: ${issue.message}` : "";
    throw refuse(`is not valid in a container image${at === "" ? "" : ` (at ${at}${why})`}`);
  }
  const ambiguous = findAmbiguous(text, kind);
  if (ambiguous !== undefined) throw refuse(ambiguous);
  return parsed.data;
}

/** Members of a configuration that are whole numbers, which Go reads only if they are written as such. */
const WHOLE: ReadonlySet<unknown> = new Set([
  ...["Interval", "Timeout", "StartPeriod", "StartInterval", "Retries", "StopTimeout"],
  ...["Memory", "MemorySwap", "CpuShares", "Size"],
]);

/** What is wrong with the first member that readers take differently. @param text valid JSON */
function findAmbiguous(text: string, kind: DocumentKind): string | undefined {
  let found: string | undefined;
  /** Of the objects around the current place: the members so far, folded unless it is a map. */
  const open: { names: Set<string>; isMap: boolean }[] = [];
  visit(text, {
    onObjectBegin: (_offset, _length, _line, _character, pathOf) => {
      const name = pathOf().at(-1);
      open.push({ names: new Set(), isMap: typeof name === "string" && MAPS.has(fold(name)) });
    },
    onObjectEnd: () => void open.pop(),
    onLiteralValue: (value: unknown, offset, length, _line, _character, pathOf) => {
      if (found !== undefined || kind !== "config" || typeof value !== "number") return;
      const name = pathOf().at(-1);
      const written = text.slice(offset, offset + length);
      if (WHOLE.has(name) && !/^-?\d{1,15}$/.test(written))
        found = `has ${written.slice(0, 40)} as ${String(name)}, which engines don't take for a whole number`;
    },
    onObjectProperty: (name) => {
      const object = open.at(-1);
      if (found !== undefined || object === undefined) return;
      const known = object.isMap ? undefined : SPELLING.get(kind)?.get(fold(name));
      const key = object.isMap ? name : fold(name);
      const shown = JSON.stringify(name.slice(0, 80));
      if (object.names.has(key))
        found = `has the member ${shown} twice, and engines also take it in another case`;
      else if (known !== undefined && known !== name)
        found = `has the member ${shown}, which engines read as ${JSON.stringify(known)}`;
      object.names.add(key);
    },
  });
  return found;
}

/** Two signs fold to ASCII letters: the long s (U+017F) and the Kelvin sign (U+212A). */
function fold(name: string): string {
  return name.replaceAll("\u017f", "s").replaceAll("\u212a", "k").toLowerCase();
}
