import { existsSync, readFileSync } from "node:fs";

/** Its id, and on Linux when it started, because ids are reused: in a container, a launcher often has the same one. Empty if it has ended. */
export function describeProcess(pid) {
  if (!Number.isInteger(pid) || pid <= 1) return "";
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== "EPERM") return "";
  }
  const fields = readStat(pid);
  // Nobody has taken notice of its end yet.
  if (fields[0] === "Z") return "";
  const boot = readIfThere("/proc/sys/kernel/random/boot_id").trim();
  return `${pid} ${boot}/${fields[19] ?? ""}`;
}

/** Of Linux: what follows the command in parentheses, which may contain spaces. The first field is the state, the second the parent. */
export function readStat(pid) {
  const stat = readIfThere(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Empty if the file doesn't exist. */
export function readIfThere(file) {
  try {
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  } catch {
    return "";
  }
}
