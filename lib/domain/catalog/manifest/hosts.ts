/** Which hosts a manifest may name, and which hosts a name covers. */

/** Names that never lead to the internet (RFC 6761, RFC 6762, RFC 8375), and those that networks commonly use inside. */
const PRIVATE_ZONES = [
  "localhost",
  "local",
  "localdomain",
  "internal",
  "intranet",
  "private",
  "corp",
  "home",
  "lan",
  "home.arpa",
  "in-addr.arpa",
  "ip6.arpa",
  "onion",
];

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

interface HostProblem {
  message: string;
  hint: string;
}

const EXAMPLE = 'Write a name such as "api.example.com", or "*.example.com" for all hosts below it.';

/** Why a manifest can't name this host; undefined if it can. */
export function findHostProblem(host: string): HostProblem | undefined {
  const shown = `"${host.slice(0, 80)}"`;
  if (host === "") return { message: "This host is empty.", hint: EXAMPLE };
  if (host === "*")
    return {
      message: "A host can't be a single *.",
      hint: 'List the hosts. To allow any host on the internet, leave out "hosts".',
    };
  if (host !== host.trim())
    return {
      message: `The host ${shown} has spaces around it.`,
      hint: `Write "${host.trim().slice(0, 80)}".`,
    };
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(host) ? toUrl(host) : undefined;
  if (url !== undefined || host.includes("/"))
    return {
      message: `${shown} is an address, not a host.`,
      hint: `Write only the host${sayHost(url ?? toUrl(`https://${host}`))}.`,
    };
  if (host.includes("@"))
    return { message: `${shown} contains an @.`, hint: `Write only the host, without a user. ${EXAMPLE}` };
  if (isAddress(host))
    return {
      message: `${shown} is an IP address.`,
      hint: "Write a host name, because TLS and certificates work with names.",
    };
  const port = /^(.+):(\d+)$/.exec(host);
  if (port !== null)
    return {
      message: `${shown} contains a port.`,
      hint: `Write "host": "${(port[1] ?? "").slice(0, 80)}", "ports": [${port[2] ?? ""}].`,
    };
  return findNameProblem(host, shown);
}

function findNameProblem(host: string, shown: string): HostProblem | undefined {
  if (host.endsWith(".")) return { message: `${shown} ends with a dot.`, hint: "Remove the dot at the end." };
  const name = host.startsWith("*.") ? host.slice(2) : host;
  if (name.includes("*"))
    return {
      message: `${shown} has a * that isn't the whole first part.`,
      hint: 'Only the first part can be "*", as in "*.example.com".',
    };
  const ascii = toUrl(`https://${name}`)?.hostname;
  if (/[^\0-\x7f]/.test(name))
    return {
      message: `${shown} contains characters that must be written in ASCII.`,
      hint: ascii === undefined ? EXAMPLE : `Write it as "${host.startsWith("*.") ? "*." : ""}${ascii}".`,
    };
  if (name !== name.toLowerCase())
    return { message: `${shown} has capital letters.`, hint: `Write "${host.toLowerCase().slice(0, 80)}".` };
  const labels = name.split(".");
  if (name.length > 253 || labels.some((label) => !LABEL.test(label)))
    return {
      message: `${shown} is not a host name.`,
      hint: `Each part between dots has 1 to 63 letters, digits, and hyphens inside. ${EXAMPLE}`,
    };
  if (isPrivateName(name))
    return {
      message: `${shown} is a name inside a network, which apps can't reach.`,
      hint: "Use a public name. A customer's own host can be entered in a setting.",
    };
  if (labels.length < 2)
    return host === name
      ? { message: `${shown} has no domain.`, hint: EXAMPLE }
      : {
          message: `${shown} would cover a whole top-level domain.`,
          hint: 'Name the domain, as in "*.example.com".',
        };
  return undefined;
}

/** `localhost` and names below it, and the other names that never lead to the internet. */
export function isPrivateName(name: string): boolean {
  return PRIVATE_ZONES.some((zone) => name === zone || name.endsWith(`.${zone}`));
}

/** Whether `declared`, such as `*.example.com`, allows `name`, which has neither capitals nor a dot at its end. */
export function coversHost(declared: string, name: string): boolean {
  return declared.startsWith("*.") ? name.endsWith(declared.slice(1)) : name === declared;
}

/** Version 4 in every form that resolvers read (`127.1`, `0x7f000001`, `2130706433`), and version 6. */
function isAddress(host: string): boolean {
  if (host.startsWith("[") || host.split(":").length > 2) return true;
  const [name = ""] = host.split(":");
  return /^(0x[0-9a-f]*|\d+)(\.(0x[0-9a-f]*|\d+)){0,3}\.?$/i.test(name);
}

function toUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function sayHost(url: URL | undefined): string {
  return url === undefined || url.hostname === ""
    ? ', such as "api.example.com"'
    : `, "${url.hostname.slice(0, 80)}"`;
}
