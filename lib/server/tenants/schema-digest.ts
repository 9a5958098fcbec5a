import { createHash } from "node:crypto";

/** SHA-256 (hex) of a JSON value with the members of its objects in order: the same schema gives the same digest. */
export function schemaDigest(schema: unknown): string {
  return createHash("sha256").update(sortedJson(schema)).digest("hex");
}

function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${sortedJson(member)}`);
  return `{${members.join(",")}}`;
}
