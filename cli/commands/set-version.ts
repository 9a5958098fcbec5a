import { realpath, stat } from "node:fs/promises";
import {
  bumpVersion,
  manifestVersion,
  parseVersion,
  setManifestVersion,
} from "@/lib/domain/catalog/manifest/version";
import { readManifestFile } from "../manifest/manifest-file";
import type { CliContext } from "../terminal/environment";
import { Failure } from "../terminal/failure";
import { replaceFile } from "../terminal/replace-file";

/** Changes the version number in the file, and no other byte. `step`: `minor`, `patch`, `major`, or a number. */
export async function setVersion(
  { terminal }: CliContext,
  step: string,
  { manifest: name }: { manifest: string },
): Promise<void> {
  const { file, text } = await readManifestFile(name);
  const previous = manifestVersion(text);
  const version = nextNumber(step, previous, name);
  const target = await realpath(file);
  await replaceFile(target, setManifestVersion(text, version), (await stat(target)).mode & 0o777);
  terminal.result(`${name}: version ${previous ?? "none"} → ${version}`);
  terminal.data({ file, previous, version });
}

function nextNumber(step: string, previous: string | undefined, name: string): string {
  if (parseVersion(step) !== undefined) return step;
  if (step !== "major" && step !== "minor" && step !== "patch")
    throw new Failure(
      "WRONG_USAGE",
      `"${step}" is not a valid version. Use major, minor, patch, or three numbers such as 2.0.0.`,
    );
  const parts = previous === undefined ? undefined : parseVersion(previous);
  if (previous === undefined || parts === undefined)
    throw new Failure("INVALID_MANIFEST", `${name} has no valid version to increase.`, {
      next: ["platform-app version 1.0.0"],
    });
  const [major, minor, patch] = parts;
  if (step === "minor") return bumpVersion(previous);
  const next = step === "major" ? `${major + 1}.0.0` : `${major}.${minor}.${patch + 1}`;
  if (parseVersion(next) !== undefined) return next;
  throw new Failure(
    "WRONG_USAGE",
    `Version ${previous} can't be increased any further. Pass a version number instead.`,
  );
}
