import { MANIFEST_FILE } from "@/lib/contract/platform/manifest-terms";
import { isError, type Issue } from "@/lib/contract/platform/problem";
import { checkManifest } from "@/lib/domain/catalog/manifest/check-manifest";
import { describeIssues, type Source } from "../manifest/describe-issues";
import { readManifestFile, readManifestInput } from "../manifest/manifest-file";
import type { CliContext, Terminal } from "../terminal/environment";
import { Failure, visible } from "../terminal/failure";

export interface ValidateOptions {
  /** Warnings fail as well. */
  strict?: boolean;
}

/** Reports every issue of every file, with the validator of the platform. Works offline. */
export async function validate(
  { terminal }: CliContext,
  files: readonly string[],
  { strict = false }: ValidateOptions,
): Promise<void> {
  const names = files.length === 0 ? [MANIFEST_FILE] : files;
  const counts = { error: 0, warning: 0, hint: 0 };
  for (const name of names) {
    const source = await readSource(name, terminal).catch((error: unknown) => {
      if (names.length === 1 || !(error instanceof Failure)) throw error;
      return error;
    });
    if (source instanceof Failure) {
      counts.error += 1;
      reportUnread(name, source, terminal);
      continue;
    }
    for (const { severity = "error" } of validateSource(source, strict, terminal)) counts[severity] += 1;
  }
  if (counts.error === 0 && (!strict || counts.warning === 0)) return;
  const where = names.length === 1 ? visible(names[0] === "-" ? "<stdin>" : String(names[0])) : "all files";
  const suffix = strict && counts.error === 0 ? " With --strict, warnings count as errors." : "";
  throw new Failure("INVALID_MANIFEST", `${describeCounts(counts)} in ${where}.${suffix}`, {
    isReported: true,
  });
}

async function readSource(name: string, terminal: Terminal): Promise<Source> {
  if (name === "-") return { name: "<stdin>", text: await readManifestInput(terminal.input()) };
  return { name, text: (await readManifestFile(name, "pass the path to the manifest")).text };
}

/** The other files are checked all the same. */
function reportUnread(name: string, { code, message }: Failure, terminal: Terminal): void {
  terminal.result(visible(message));
  const issue = { code, pointer: "", message, severity: "error" as const };
  terminal.data({ file: name, valid: false, errors: 1, issues: [issue] });
}

function validateSource(source: Source, strict: boolean, terminal: Terminal): readonly Issue<string>[] {
  const { manifest, issues } = checkManifest(source.text);
  const isValid =
    manifest !== undefined && !(strict && issues.some(({ severity }) => severity === "warning"));
  for (const line of describeIssues(issues, source, terminal)) terminal.result(line);
  if (manifest !== undefined && isValid) {
    const warnings = issues.filter(({ severity }) => severity === "warning").length;
    const suffix = warnings === 0 ? "" : `, with ${count(warnings, "warning")}`;
    const { name, version } = manifest;
    terminal.result(visible(`${source.name} is a valid manifest for ${name}, version ${version}${suffix}.`));
  }
  terminal.data({
    file: source.name,
    valid: isValid,
    name: manifest?.name,
    version: manifest?.version,
    errors: issues.filter(isError).length,
    issues,
  });
  return issues;
}

function describeCounts({ error, warning }: { error: number; warning: number }): string {
  const parts = [error === 0 ? [] : count(error, "error"), warning === 0 ? [] : count(warning, "warning")];
  return parts.flat().join(" and ");
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
