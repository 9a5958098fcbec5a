import { isError } from "@/lib/contract/problem";
import { checkManifest } from "@/lib/domain/manifest/check/check-manifest";
import type { CliContext } from "../terminal/environment";
import { Failure, issueLines, visible } from "../terminal/failure";
import { readManifestFile, readManifestInput } from "./manifest-file";

/** Reports every issue of a manifest, offline. Errors fail the command, warnings do not. */
export async function checkFile({ terminal }: CliContext, source: string): Promise<void> {
  const name = source === "-" ? "<stdin>" : source;
  const text =
    source === "-" ? await readManifestInput(terminal.input()) : (await readManifestFile(source)).text;
  const { manifest, issues } = checkManifest(text);
  for (const line of issueLines(issues, name)) terminal.note(line);
  const warnings = issues.filter(({ severity }) => severity === "warning").length;
  const errors = issues.filter(isError).length;
  if (manifest === undefined || errors > 0)
    throw new Failure(
      "INVALID_MANIFEST",
      `${name} has ${count(errors, "error")} and ${count(warnings, "warning")}.`,
    );
  const suffix = warnings === 0 ? "" : `, with ${count(warnings, "warning")}`;
  terminal.result(
    visible(`${name} is a valid manifest for ${manifest.name}, version ${manifest.version}${suffix}.`),
  );
}

function count(number: number, noun: string): string {
  return `${number === 0 ? "no" : number} ${noun}${number === 1 ? "" : "s"}`;
}
