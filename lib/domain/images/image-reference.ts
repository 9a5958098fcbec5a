/** References to images in registries, as container engines write them. */

export interface ImageReference {
  /** With the port, if it has one. */
  host: string;
  repository: string;
  /** `sha256:<64 hex digits>` */
  digest: string;
}

type ReferenceFault = "malformed" | "no-registry" | "no-digest";

const HOST =
  /^([a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*|\[[0-9a-f:.]+\])(:\d{1,5})?$/i;
const PART = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
const REPOSITORY = new RegExp(`^${PART}(?:/${PART})*$`);
const TAG = /^\w[\w.-]{0,127}$/;
const LONGEST = 500;

/**
 * `registry.example/team/app@sha256:…`, also with a tag before the digest, which is ignored: a tag can move, so it doesn't say which
 * image was meant.
 */
export function parseReference(text: string): ImageReference | ReferenceFault {
  if (text.length > LONGEST) return "malformed";
  const [named = "", digest, ...rest] = text.split("@");
  const slash = named.indexOf("/");
  const host = slash === -1 ? "" : named.slice(0, slash);
  const [repository = "", tag, ...more] = named.slice(slash + 1).split(":");
  const isNamed = REPOSITORY.test(repository) && (tag === undefined || TAG.test(tag)) && more.length === 0;
  if (!isNamed || rest.length > 0) return "malformed";
  // Engines add Docker Hub to names without a registry.
  if (!/[.:]/.test(host) && host !== "localhost") return "no-registry";
  if (!HOST.test(host)) return "malformed";
  if (digest === undefined) return "no-digest";
  return /^sha256:[0-9a-f]{64}$/.test(digest) ? { host, repository, digest } : "malformed";
}

/** What is wrong with a reference, and what to write instead. */
export function explainFault(fault: ReferenceFault): string {
  const example = "registry.example/team/app@sha256:…";
  return {
    malformed: `This is not a valid image reference. Write it like this: ${example}.`,
    "no-registry": `The reference has no registry. Write it like this: ${example}.`,
    "no-digest":
      "The reference has no digest, so it doesn't say which image is meant: tags can move. " +
      "`docker buildx imagetools inspect <image>` and `docker push` show the digest. Add it as @sha256:….",
  }[fault];
}

/** Where the registry answers. Like engines, without TLS only on this machine. */
export function toRegistryOrigin(host: string): string {
  const name = host.replace(/:\d+$/, "");
  const isLocal = name === "localhost" || name === "[::1]" || /^127(\.\d+){3}$/.test(name);
  if (name === "docker.io") return "https://registry-1.docker.io";
  return `${isLocal ? "http" : "https"}://${host}`;
}
