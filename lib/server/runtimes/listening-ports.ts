import { readFile } from "node:fs/promises";

const LISTEN = "0A";

/**
 * What the process's network namespace listens on, from the kernel's table, as "0.0.0.0:3000".
 * Undefined where that table cannot be read: another system, a remote engine, no right.
 */
export async function listeningAddresses(pid: number): Promise<string[] | undefined> {
  try {
    const tables = await Promise.all(
      ["tcp", "tcp6"].map((name) => readFile(`/proc/${pid}/net/${name}`, "utf8")),
    );
    return [...new Set(tables.flatMap((table) => table.split("\n").slice(1)).flatMap(listenerOf))];
  } catch {
    return undefined;
  }
}

/** A row is `sl local_address rem_address st …`; the address is hexadecimal, in the host's byte order. */
function listenerOf(row: string): string[] {
  const [, local, , state] = row.trim().split(/\s+/);
  const [address, port] = local?.split(":") ?? [];
  if (state !== LISTEN || address === undefined || port === undefined) return [];
  // 127.0.0.11 is the engine's own name server.
  if (address === "0B00007F") return [];
  return [`${isLoopback(address) ? "127.0.0.1" : "0.0.0.0"}:${Number.parseInt(port, 16)}`];
}

function isLoopback(hex: string): boolean {
  return (hex.length === 8 && hex.endsWith("7F")) || hex === "00000000000000000000000001000000";
}
