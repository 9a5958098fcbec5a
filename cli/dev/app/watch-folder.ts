/** Reports when files of an app change. Folders of tools and of build results are left out. */
import { watch, type FSWatcher } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";

const IGNORED = new Set([
  "node_modules",
  "dist",
  "build",
  "target",
  "bin",
  "obj",
  "venv",
  "coverage",
  "__pycache__",
]);
/** Editors write in several steps. */
const DEBOUNCE_MS = 150;
const POLL_MS = 500;
const MOST_FILES = 20_000;

/** Relative paths of what changed. */
export type OnChange = (files: string[]) => void;

export function isWatched(file: string): boolean {
  const parts = file.split(/[\\/]/);
  const name = parts.at(-1) ?? "";
  if (parts.some((part) => IGNORED.has(part) || part.startsWith("."))) return false;
  return !/~$|\.(swp|swx|tmp|log|pyc|class)$|^\d+$/.test(name);
}

/** Returns a function that ends it. */
export function watchFolder(folder: string, onChange: OnChange): () => void {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const note = (file: string) => {
    if (!isWatched(file)) return;
    changed.add(file);
    clearTimeout(timer);
    timer = setTimeout(() => {
      onChange([...changed].sort());
      changed.clear();
    }, DEBOUNCE_MS);
  };
  const end = process.platform === "linux" ? poll(folder, note) : watchOrPoll(folder, note);
  return () => {
    clearTimeout(timer);
    end();
  };
}

/** Recursive watches of the system, where they work. */
function watchOrPoll(folder: string, note: (file: string) => void): () => void {
  let watcher: FSWatcher;
  try {
    watcher = watch(folder, { recursive: true }, (_event, file) => note(file ?? "."));
  } catch {
    return poll(folder, note);
  }
  let end = () => watcher.close();
  watcher.on("error", () => {
    watcher.close();
    end = poll(folder, note);
  });
  return () => end();
}

/** Node's recursive watch on Linux misses files that editors replace, so the folder is read twice a second. */
function poll(folder: string, note: (file: string) => void): () => void {
  let known: Map<string, string> | undefined;
  let isEnded = false;
  let timer: NodeJS.Timeout;
  const look = async () => {
    const found = new Map<string, string>();
    await list(folder, "", found);
    if (isEnded) return;
    const before = known;
    if (before !== undefined) {
      for (const [file, mark] of found) if (before.get(file) !== mark) note(file);
      for (const file of before.keys()) if (!found.has(file)) note(file);
    }
    known = found;
    timer = setTimeout(() => void look(), POLL_MS);
  };
  void look();
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}

async function list(root: string, below: string, found: Map<string, string>): Promise<void> {
  const entries = await readdir(path.join(root, below), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const file = path.join(below, entry.name);
    if (!isWatched(file) || found.size >= MOST_FILES) continue;
    if (entry.isDirectory()) await list(root, file, found);
    else if (entry.isFile()) {
      const status = await stat(path.join(root, file)).catch(() => undefined);
      if (status !== undefined) found.set(file, `${status.mtimeMs} ${status.size} ${status.ino}`);
    }
  }
}
