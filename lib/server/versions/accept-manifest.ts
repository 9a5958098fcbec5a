import { splitAppName } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Manifest } from "@/lib/contract/manifest";
import { checkManifest } from "@/lib/domain/manifest/check/check-manifest";
import { bumpVersion, manifestVersion, parseVersion, setManifestVersion } from "@/lib/domain/version";
import type { Publisher } from "@/lib/domain/actor";

interface AcceptedManifest {
  manifest: Manifest;
  /** The source text, with the number that the version gets. */
  manifestText: string;
}

/**
 * The manifest of a version. The command line bumps the working folder's file after the image was built, so the
 * image may hold the number from before: it counts as the declared one when one bump leads there.
 */
export function acceptManifest(text: string, name: string, declaredVersion?: string): AcceptedManifest {
  const manifestText = withDeclaredVersion(text, declaredVersion);
  const manifest = requireValid(
    manifestText,
    (errors) =>
      `The image's platform-app.json has ${errors}. Mend the file, build the image again and publish it.`,
  );
  if (manifest.name !== name) throw wrongName(manifest.name, name);
  return { manifest, manifestText };
}

/** The manifest of the editor's draft; its version number may still be any. */
export function acceptDraft(text: string, name: string): Manifest {
  const manifest = requireValid(
    text,
    (errors) => `The draft has ${errors}. It is saved; mend it, then release it.`,
  );
  if (manifest.name === name) return manifest;
  const message = `"${manifest.name}" is not "${name}".`;
  const issue = { code: "WRONG_NAME", pointer: "/name", message, severity: "error" as const };
  throw new Problem("BAD_MANIFEST", `This listing is "${name}": write "name": "${name}".`, [issue]);
}

function requireValid(text: string, detailOf: (errors: string) => string): Manifest {
  const { manifest, issues } = checkManifest(text);
  if (manifest !== undefined) return manifest;
  const errors = issues.filter((issue) => issue.severity === "error").length;
  throw new Problem("BAD_MANIFEST", detailOf(errors === 1 ? "an error" : `${errors} errors`), issues);
}

function wrongName(found: string, expected: string): Problem {
  const organization = splitAppName(expected)?.organization ?? expected;
  const foreign = splitAppName(found)?.organization !== organization;
  const detail = foreign
    ? `The manifest names "${found.slice(0, 100)}", but these credentials publish for "${organization}": write "name": "${expected}", or log in for the other organization.`
    : `The manifest in the image names "${found.slice(0, 100)}", but this publishes "${expected}": build the image from the folder of that app.`;
  return new Problem("BAD_MANIFEST", detail, [
    {
      code: "WRONG_NAME",
      pointer: "/name",
      message: `"${found.slice(0, 100)}" is not "${expected}".`,
      severity: "error",
    },
  ]);
}

function withDeclaredVersion(text: string, declared: string | undefined): string {
  const own = manifestVersion(text);
  if (declared === undefined || own === undefined || own === declared || parseVersion(own) === undefined)
    return text;
  if (parseVersion(declared) !== undefined && bumpVersion(own) === declared)
    return setManifestVersion(text, declared);
  const detail = `The image holds version ${own} and ${declared.slice(0, 40)} was to be published. Build the image again from the folder that you publish.`;
  throw new Problem("BAD_MANIFEST", detail, [
    {
      code: "VERSION_DIFFERS",
      pointer: "/version",
      message: `${own} in the image, ${declared.slice(0, 40)} declared.`,
      severity: "error",
    },
  ]);
}

/** `<org-name>/<app-name>`, or its second half alone, as an app of the publisher's: `BAD_MANIFEST` for any other. */
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
