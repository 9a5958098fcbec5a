import { checkManifest } from "@/lib/domain/manifest/check/check-manifest";
import { Failure, issueLines, visible } from "./failure";
import { readManifestFile } from "./manifest-file";
import type { Terminal } from "./terminal";

/** Everything that is wrong with a manifest, without a platform. Errors fail the command, warnings do not. */
export async function checkFile(terminal: Terminal, name: string): Promise<void> {
  const { text } = await readManifestFile(name);
  const { manifest, issues } = checkManifest(text);
  for (const line of issueLines(issues, name)) terminal.note(line);
  const warnings = issues.filter(({ severity }) => severity === "warning").length;
  const errors = issues.length - warnings;
  if (manifest === undefined || errors > 0)
    throw new Failure(`${name} has ${count(errors, "error")} and ${count(warnings, "warning")}.`);
  const told = warnings === 0 ? "" : `, with ${count(warnings, "warning")}`;
  terminal.result(
    visible(`${name} is a valid manifest of ${manifest.name}, version ${manifest.version}${told}.`),
  );
}

function count(number: number, noun: string): string {
  return `${number === 0 ? "no" : number} ${noun}${number === 1 ? "" : "s"}`;
}
