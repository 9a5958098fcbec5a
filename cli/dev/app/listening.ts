/** Where an app listens that isn't reached at its port, as Linux says. It is only a hint: what can't be read is unknown. */
import { readdir, readFile, readlink } from "node:fs/promises";
import { explainListening, parseListeners } from "@/lib/domain/runtime/instance";

/** In a row of the kernel's tables. */
const INODE_COLUMN = 9;

/**
 * Of a process of this machine, and of all that it started.
 * @param group its process group
 */
export async function explainGroup(group: number, port: number): Promise<string> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const inodes = new Set((await Promise.all(pids.map((pid) => listSockets(pid, group)))).flat());
  const rows = (await readTables("self")).split("\n");
  const own = rows.filter((row) => inodes.has(row.trim().split(/\s+/)[INODE_COLUMN] ?? ""));
  // This machine's loopback is where it should listen.
  const isReached = (row: string) =>
    parseListeners(row).some((each) => each.port === port && each.family === 4);
  return own.some(isReached) ? "" : explainTables(own.join("\n"), port);
}

/** Of a container. @param pid of its first process, if this machine runs it; 0 if not */
export async function explainContainer(
  pid: number,
  port: number,
  readInside: () => Promise<string>,
): Promise<string> {
  const tables = pid > 0 ? await readTables(String(pid)) : "";
  return explainTables(tables.trim() === "" ? await readInside() : tables, port);
}

function explainTables(tables: string, port: number): string {
  const listeners = parseListeners(tables);
  return listeners.length === 0 ? "" : (explainListening({ port, listeners }, true) ?? "");
}

/** @param pid or `self` */
async function readTables(pid: string): Promise<string> {
  const read = (name: string) => readFile(`/proc/${pid}/net/${name}`, "utf8").catch(() => "");
  return `${await read("tcp")}\n${await read("tcp6")}`;
}

/** Inodes of the sockets that a process has open, if it is of the group. */
async function listSockets(pid: string, group: number): Promise<string[]> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses can contain anything. After it: state, parent, group.
    const [, , own] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (Number(own) !== group) return [];
    const files = await readdir(`/proc/${pid}/fd`);
    const links = await Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => "")));
    return links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []);
  } catch {
    return [];
  }
}
