import type { Manifest } from "@/lib/contract/catalog/manifest";
import { type Issue, pointerTo, Problem } from "@/lib/contract/platform/problem";
import { splitAppName } from "@/lib/contract/platform/text-shapes";
import { checkManifest } from "@/lib/domain/catalog/manifest/check-manifest";
import {
  compareVersions,
  manifestVersion,
  parseVersion,
  setManifestVersion,
} from "@/lib/domain/catalog/manifest/version";
import type { Publisher } from "@/lib/domain/platform/actor";
import { locateIssues } from "@/lib/domain/platform/json-text/json-source";
import { listOwnPlaces } from "../platform/environment";

export interface AcceptedManifest {
  manifest: Manifest;
  /** Source text with the version's final number. */
  manifestText: string;
}

/**
 * The manifest of a version. The image is built before its number is known, because the command line takes the next one
 * from the platform. So the number may be declared, unless it is below the image's.
 */
export function acceptManifest(text: string, name: string, declaredVersion?: string): AcceptedManifest {
  const manifestText = withDeclaredVersion(text, declaredVersion);
  const next = "Fix the file, build the image again, and publish it.";
  const manifest = requireValid(manifestText, "The image's platform-app.json", next);
  if (manifest.name !== name) throw wrongName(manifest.name, name);
  return { manifest, manifestText };
}

/** The manifest of the editor's draft. Its version number doesn't matter yet. */
export function acceptDraft(text: string, name: string): Manifest {
  const manifest = requireValid(text, "The draft", "Fix it, then release it. The draft is saved.");
  if (manifest.name === name) return manifest;
  const message = `"${manifest.name}" is not "${name}".`;
  const issue = { code: "WRONG_NAME" as const, pointer: "/name", message, severity: "error" as const };
  throw new Problem(
    "BAD_MANIFEST",
    `The draft is named "${manifest.name}", but this listing is "${name}". Set "name" to "${name}".`,
    [issue],
  );
}

/** Hosts of the platform itself, which its egress guard never opens. */
export function findOwnHosts(
  environment: Parameters<typeof listOwnPlaces>[0],
  { core }: Manifest,
  text: string,
): Issue[] {
  const own = listOwnPlaces(environment).map(({ host }) => host);
  const declared = [...(core?.hosts ?? []).entries()].filter(([, { host = "" }]) => own.includes(host));
  const issues = declared.map(([index, { host }]) => ({
    code: "BAD_HOST" as const,
    pointer: pointerTo("core", "hosts", index, "host"),
    message: `"${host}" is a host of this platform, which apps can't reach.`,
    hint: "Remove it. Apps get state from PLATFORM_STATE_API, which needs no entry here.",
  }));
  return locateIssues(text, issues);
}

/** Throws `BAD_MANIFEST`. */
export function requireOtherHosts(...args: Parameters<typeof findOwnHosts>): void {
  const issues = findOwnHosts(...args);
  if (issues.length > 0)
    throw new Problem(
      "BAD_MANIFEST",
      "The manifest declares a host of this platform, which apps can't reach. Remove it from core.hosts, then publish again.",
      issues,
    );
}

function requireValid(text: string, what: string, next: string): Manifest {
  const { manifest, issues } = checkManifest(text);
  if (manifest !== undefined) return manifest;
  const errors = issues.filter((issue) => issue.severity === "error").length;
  const detail = `${what} has ${errors === 1 ? "an error" : `${errors} errors`}. ${next}`;
  throw new Problem("BAD_MANIFEST", detail, issues);
}

function wrongName(found: string, expected: string): Problem {
  const organization = splitAppName(expected)?.organization ?? expected;
  const shown = found.slice(0, 100);
  const foreign = splitAppName(found)?.organization !== organization;
  const detail = foreign
    ? `The manifest is named "${shown}", but these credentials publish for "${organization}". Set "name" to "${expected}", or log in for the other organization.`
    : `The manifest in the image is named "${shown}", but you are publishing "${expected}". Build the image from that app's folder.`;
  return new Problem("BAD_MANIFEST", detail, [
    {
      code: "WRONG_NAME",
      pointer: "/name",
      message: `"${shown}" is not "${expected}".`,
      severity: "error",
    },
  ]);
}

function withDeclaredVersion(text: string, declared: string | undefined): string {
  const own = manifestVersion(text);
  if (declared === undefined || own === undefined || own === declared || parseVersion(own) === undefined)
    return text;
  if (parseVersion(declared) !== undefined && compareVersions(declared, own) > 0)
    return setManifestVersion(text, declared);
  const detail = `The image contains version ${own}, but you are publishing ${declared.slice(0, 40)}. Publish a higher number, or build the image again from the folder that you publish.`;
  throw new Problem("BAD_MANIFEST", detail, [
    {
      code: "VERSION_DIFFERS",
      pointer: "/version",
      message: `${own} in the image, ${declared.slice(0, 40)} declared.`,
      severity: "error",
    },
  ]);
}

/** Takes `<org-name>/<app-name>` or `<app-name>`. Throws `BAD_MANIFEST` for another organization's app. */
export function requireOwnApp(
  { organizationSlug }: Publisher,
  appName: string,
): { name: string; app: string } {
  const name = appName.includes("/") ? appName : `${organizationSlug}/${appName}`;
  const parts = splitAppName(name);
  if (parts?.organization !== organizationSlug)
    throw wrongName(name, `${organizationSlug}/${parts?.app ?? "<app-name>"}`);
  return { name, app: parts.app };
}
