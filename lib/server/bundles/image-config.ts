/** An image's configuration as it is stored. Engines obey it, so what apps may not decide is removed. */
import { isRecord } from "@/lib/domain/json-text/json-value";
import { sha256 } from "./archive-index";
import type { Image } from "./image";

/**
 * Without the image's volumes: an engine would mount an empty folder over the files at each of them, and it can't start a
 * container with a volume at `/` or `/proc`. The digest is the one of what is stored, so that what is moderated is what
 * runs; images without volumes keep the digest that their publisher knows.
 */
export function withoutVolumes(image: Image): Image {
  const text = image.config.toString("utf8");
  if (!declaresVolumes(text)) return image;
  const parsed: unknown = JSON.parse(text);
  const kept = mapMembers(parsed, (key, member) =>
    isKey(key, "config", "container_config")
      ? mapMembers(member, (name, value) => (isKey(name, "volumes") ? undefined : value))
      : member,
  );
  const config = Buffer.from(JSON.stringify(kept));
  return { ...image, config, digest: sha256(config) };
}

/** Read from the text, because engines merge repeated keys and take them in any case, and `JSON.parse` shows only the last. */
function declaresVolumes(text: string): boolean {
  const plain = text.replace(/\\u([0-9a-f]{4})/gi, (_escape, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return /"volumes"\s*:(?!\s*null\b)/iu.test(plain);
}

function isKey(key: string, ...names: string[]): boolean {
  return names.some((name) => new RegExp(`^${name}$`, "iu").test(key));
}

/** Leaves out members for which `map` returns undefined. */
function mapMembers(value: unknown, map: (key: string, member: unknown) => unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => [key, map(key, member)] as const)
      .filter(([, member]) => member !== undefined),
  );
}
