/** Which of several images is meant: one rule for archives and registries, for the platform and the command line. */
import { badBundle } from "./bad-bundle";

/** Every app runs on it (contract, section 8). */
const RUNS_ON = "linux/amd64";

export interface ImagePlatform {
  os: string;
  architecture: string;
  /** Such as `v2`: instructions that the image needs. */
  variant?: string | undefined;
}

/** An image of an index. */
interface PlatformImage {
  digest: string;
  platform: ImagePlatform;
}

/** `linux/amd64` or `linux/amd64/v2`. Version 1 is what amd64 means without a variant. */
export function namePlatform({ os, architecture, variant = "" }: ImagePlatform): string {
  const name = `${os}/${architecture}`;
  return variant === "" || (architecture === "amd64" && variant === "v1") ? name : `${name}/${variant}`;
}

interface Listed {
  platform?: ImagePlatform | undefined;
  annotations?: Readonly<Record<string, string>> | null | undefined;
}

/** Builders list an attestation, such as where an image comes from, as an image for no platform. */
export function isAttestation({ platform, annotations }: Listed): boolean {
  return (
    (platform?.os === "unknown" && platform.architecture === "unknown") ||
    annotations?.["vnd.docker.reference.type"] === "attestation-manifest"
  );
}

export function runsHere({ os, architecture }: ImagePlatform): boolean {
  return `${os}/${architecture}` === RUNS_ON;
}

/**
 * The one image for linux/amd64. If there are several, `wanted` says which: one with exactly this name, or else the only one of this
 * architecture. The same image counts once, however often it is listed.
 * @param platforms all that are listed, also of images that can't be chosen
 * @throws `WRONG_ARCHITECTURE` if there is none, `SEVERAL_IMAGES`
 */
export function choosePlatform<Listed extends PlatformImage>(
  listed: readonly Listed[],
  wanted: string | undefined,
  { platforms, path = "" }: { platforms: readonly ImagePlatform[]; path?: string },
): Listed {
  const names = [...new Set([...platforms, ...listed.map(({ platform }) => platform)].map(namePlatform))];
  const here = listed.filter(({ platform }) => runsHere(platform));
  if (here.length === 0)
    throw badBundle(
      "WRONG_ARCHITECTURE",
      "",
      `The image is for ${listNames(names)}, but apps run on ${RUNS_ON}.`,
    );
  const name = wanted === undefined ? undefined : namePlatform(parsePlatform(wanted));
  const exact = here.filter(({ platform }) => namePlatform(platform) === name);
  const fitting = name === undefined || (name === RUNS_ON && exact.length === 0) ? here : exact;
  const [chosen] = fitting;
  if (chosen === undefined) throw unknownPlatform(name ?? "", names, path);
  const digests = [...new Set(fitting.map(({ digest }) => digest))];
  if (digests.length === 1) return chosen;
  throw severalImages(fitting, digests.length, path);
}

/** @param text `os/architecture`, or with a variant */
function parsePlatform(text: string): ImagePlatform {
  const [os = "", architecture = "", variant] = text.split("/");
  return { os, architecture, variant };
}

function unknownPlatform(name: string, names: readonly string[], path: string) {
  const shown = name.slice(0, 40);
  const reason = names.includes(name)
    ? `Apps run on ${RUNS_ON}, so the image for ${shown} can't be published.`
    : `There is no image for ${shown}.`;
  const message = `${reason} There are images for ${listNames(names)}.`;
  return badBundle(
    "WRONG_ARCHITECTURE",
    path,
    message,
    `Choose one of those for ${RUNS_ON} with --platform.`,
  );
}

function severalImages(fitting: readonly PlatformImage[], count: number, path: string) {
  const names = [...new Set(fitting.map(({ platform }) => namePlatform(platform)))];
  const message = `There are ${count} images for ${RUNS_ON}${names.length > 1 ? `: ${listNames(names)}` : ""}.`;
  const hint =
    names.length > 1
      ? `Choose one with --platform, such as \`--platform ${names.at(-1)?.slice(0, 40) ?? ""}\`, or with \`platform\` in a request.`
      : "Name the digest of one of them, or save exactly one image: `docker save <image> -o app.tar`.";
  return badBundle("SEVERAL_IMAGES", path, message, hint);
}

/** They are a stranger's texts. */
function listNames(names: readonly string[]): string {
  return (
    names
      .slice(0, 10)
      .map((name) => name.slice(0, 40))
      .join(", ") || "no platform"
  );
}
