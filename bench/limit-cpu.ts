/** Gives processes less than a core each, as on small machines of their own. Only root on Linux can do so. */
import { access, mkdir, readFile, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";

const ROOT = "/sys/fs/cgroup";
/** Short, so that no request waits long for its process's next turn. */
const PERIOD_US = 5_000;

/** Limits a process to a share of one core. Resolves with how to remove the limit after the process has ended. */
export async function limitCpu(pid: number, cores: number): Promise<() => Promise<void>> {
  const quotaUs = Math.round(PERIOD_US * cores);
  const isUnified = await access(path.join(ROOT, "cgroup.controllers")).then(
    () => true,
    () => false,
  );
  const group = path.join(ROOT, isUnified ? "" : "cpu", `bench-${pid}`);
  const write = (file: string, value: string | number) => writeFile(path.join(group, file), `${value}`);
  if (isUnified) await writeFile(path.join(ROOT, "cgroup.subtree_control"), "+cpu");
  await mkdir(group);
  if (isUnified) await write("cpu.max", `${quotaUs} ${PERIOD_US}`);
  else {
    await write("cpu.cfs_period_us", PERIOD_US);
    await write("cpu.cfs_quota_us", quotaUs);
  }
  await write("cgroup.procs", pid);
  return async () => {
    // A process that was killed leaves its group a moment later.
    while ((await readFile(path.join(group, "cgroup.procs"), "utf8")) !== "")
      await new Promise((resolve) => setTimeout(resolve, 10));
    await rmdir(group);
  };
}
