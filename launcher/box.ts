import { z } from "zod";

/** The worker's ready message: what it can run apps in. */
const readyMessage = z.object({
  runtimes: z.array(
    z.object({ name: z.string(), isolates: z.boolean(), unavailable: z.string().optional() }),
  ),
});

/** What isolates apps here, in one line. */
export function isolationOf(message: unknown): string {
  const parsed = readyMessage.safeParse(message);
  const usable = parsed.success
    ? parsed.data.runtimes.filter((runtime) => runtime.unavailable === undefined)
    : [];
  if (usable.some((runtime) => runtime.isolates))
    return "in containers, isolated from this machine and each other";
  if (usable.length > 0) return "as plain processes: nothing isolates them (no container engine)";
  const reason = parsed.success
    ? parsed.data.runtimes.find((runtime) => runtime.unavailable !== undefined)?.unavailable
    : undefined;
  return `not at all: ${reason ?? "the worker does not say why"}`;
}

export function drawBox(sections: [string, string][][]): string {
  const label = Math.max(...sections.flat().map(([name]) => name.length));
  const lines = sections.map((rows) =>
    rows.map(([name, value]) => `${name.padEnd(label)}  ${value}`.trimEnd()),
  );
  const width = Math.max(...lines.flat().map((line) => line.length));
  const rule = (left: string, right: string) => `${left}${"─".repeat(width + 4)}${right}`;
  const body = lines.map((rows) => rows.map((line) => `│  ${line.padEnd(width)}  │`).join("\n"));
  return [rule("┌", "┐"), body.join(`\n${rule("├", "┤")}\n`), rule("└", "┘")].join("\n");
}
