/** What each app may use, and what the apps of an organization may use together. */
import { Resolver } from "node:dns";
import path from "node:path";
import { z } from "zod";
import { MANIFEST_LIMITS, PERMISSION_NAME, PERMISSIONS } from "@/lib/contract/platform/manifest-terms";
import { normalizeDomain } from "@/lib/contract/platform/text";
import { type Capacity, DEFAULT_CONTAINER_LIMITS } from "@/lib/domain/platform/app-limits";
import { parsePeers } from "@/lib/domain/platform/network-peers";
import { findSimilar } from "@/lib/domain/platform/text";
import { KEY_FORMAT } from "./keyring";

const DEFAULT_APP_SETTINGS = {
  PLATFORM_APP_MEMORY_MIB: DEFAULT_CONTAINER_LIMITS.memoryMib,
  PLATFORM_APP_CPUS: DEFAULT_CONTAINER_LIMITS.cpus,
  PLATFORM_APP_PROCESSES: DEFAULT_CONTAINER_LIMITS.processes,
};
const MEBIBYTE = 1024 * 1024;

export interface AppLimits extends Capacity {
  /** Processes and threads. */
  processes: number;
}

interface Settings {
  PLATFORM_APP_MEMORY_MIB: number;
  PLATFORM_APP_CPUS: number;
  PLATFORM_APP_PROCESSES: number;
  PLATFORM_QUOTA_MEMORY_MIB: number;
  PLATFORM_QUOTA_CPUS: number;
}

export function readAppLimits(environment: Omit<Settings, `PLATFORM_QUOTA_${string}`>): AppLimits {
  return {
    memoryBytes: environment.PLATFORM_APP_MEMORY_MIB * MEBIBYTE,
    cpus: environment.PLATFORM_APP_CPUS,
    processes: environment.PLATFORM_APP_PROCESSES,
  };
}

export const DEFAULT_APP_LIMITS = readAppLimits(DEFAULT_APP_SETTINGS);

/** What the running apps of an organization may have together. */
export function readCapacityQuota(environment: Settings): Capacity {
  return {
    memoryBytes: environment.PLATFORM_QUOTA_MEMORY_MIB * MEBIBYTE,
    cpus: environment.PLATFORM_QUOTA_CPUS,
  };
}

// The only place where the server reads environment variables. All other code takes an `Environment`.

const flag = z
  .enum(["0", "1"])
  .default("0")
  .transform((value) => value === "1");
const port = (fallback: number) => z.coerce.number().int().min(0).max(65535).default(fallback);

/** `<in total>/<each>`: of each organization, tenant or address. */
const share = (fallback: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,6}\/[1-9]\d{0,6}$/, "Write two numbers, for example 512/128.")
    .default(fallback)
    .transform((text) => {
      const [total = 0, each = 0] = text.split("/").map(Number);
      return { total, each };
    });

/** Comma-separated addresses and groups of Pods that network policies name. */
const peers = () =>
  z
    .string()
    .refine(
      (list) => parsePeers(list) !== undefined,
      "Write addresses such as 10.1.2.0/24:443, or Pods such as platform/app.kubernetes.io/component=gateway:4001.",
    )
    .default("")
    .transform((list) => parsePeers(list) ?? []);

/** What others append paths to. */
const origin = (example: string) =>
  z.string().refine(isOrigin, `Write an address without a path, for example ${example}.`);

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, host, href } = new URL(text);
  return ["http:", "https:"].includes(protocol) && href === `${protocol}//${host}/`;
}

/** As the driver knows them: it connects without TLS for any other. */
const SSL_MODES = ["disable", "prefer", "require", "verify-ca", "verify-full", "no-verify"];

function hasKnownSslMode(url: string): boolean {
  const mode = URL.canParse(url) ? new URL(url).searchParams.get("sslmode") : null;
  return mode === null || SSL_MODES.includes(mode);
}

function areServers(servers: readonly string[]): boolean {
  try {
    new Resolver().setServers(servers);
    return true;
  } catch {
    return false;
  }
}

const MAIL_FROM = /^(?:[^<>@"\r\n]{1,100} <[^\s<>@,]+@[^\s<>@,]+>|[^\s<>@,]+@[^\s<>@,]+)$/;

export const DEFAULT_APP_SUBNETS = "10.213.0.0/16";

const NO_KEYS = `each key must be ${KEY_FORMAT}`;

const shape = z.object({
  NODE_ENV: z.enum(["production", "development", "test"]).default("production"),
  /** postgres://… URL of PostgreSQL 16 or newer. */
  DATABASE_URL: z
    .string()
    .min(1)
    .refine(hasKnownSslMode, `Its sslmode must be one of ${SSL_MODES.join(", ")}.`),
  /** The most database connections of each part. A gateway has up to 18 more of its own: see docs/production.md. */
  PLATFORM_DATABASE_CONNECTIONS: z.coerce.number().int().min(3).max(500).default(10),
  /** `<id>:<base64url of 32 bytes>`, comma-separated. The first one encrypts, all of them decrypt. */
  PLATFORM_MASTER_KEYS: z.string(NO_KEYS).min(1, NO_KEYS),
  PLATFORM_WEB_PORT: port(3000),
  PLATFORM_WEB_HOST: z.string().default("127.0.0.1"),
  /** Origin that browsers use. */
  PLATFORM_WEB_URL: origin("https://platform.example").default("http://localhost:3000"),
  PLATFORM_GATEWAY_PORT: port(4000),
  PLATFORM_GATEWAY_HOST: z.string().default("127.0.0.1"),
  /** Of the worker's listener, for probes. 0: a free port, which the log names. */
  PLATFORM_WORKER_PORT: port(0),
  PLATFORM_WORKER_HOST: z.string().default("127.0.0.1"),
  /** Of each part's listener for Prometheus. Empty: none. 0: a free port, which the log names. See docs/metrics.md. */
  PLATFORM_METRICS_PORT: z
    .union([z.literal("").transform(() => null), z.coerce.number().int().min(0).max(65535)])
    .default(null),
  PLATFORM_METRICS_HOST: z.string().default("127.0.0.1"),
  /** OpenTelemetry's standard variables that say whether traces are exported. The SDK reads the others: see docs/metrics.md. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().default(""),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.string().default(""),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.string().default(""),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: z.string().default(""),
  OTEL_TRACES_EXPORTER: z.string().default(""),
  OTEL_SDK_DISABLED: z.string().default(""),
  /** And those that say which traces, because the platform asks the sampler before it describes a span. */
  OTEL_TRACES_SAMPLER: z.string().default(""),
  OTEL_TRACES_SAMPLER_ARG: z.string().default(""),
  /** Origin that the core and the command line use. */
  PLATFORM_GATEWAY_URL: origin("https://gateway.example").default("http://127.0.0.1:4000"),
  /** Proxies in front of gateway and web set `X-Forwarded-For`, so its last entry is the client's address. */
  PLATFORM_BEHIND_PROXY: flag,
  /**
   * Requests at once in each gateway, in all and of each organization; of each address for state reads. See
   * docs/limits.md.
   */
  PLATFORM_SHARE_STATE: share("1024/512"),
  PLATFORM_SHARE_CALLS: share("512/128"),
  PLATFORM_SHARE_EVENTS: share("256/64"),
  PLATFORM_SHARE_ENDPOINTS: share("256/64"),
  PLATFORM_SHARE_UPLOADS: share("64/8"),
  PLATFORM_SHARE_STREAMS: share("256/16"),
  PLATFORM_SHARE_OTHER: share("128/16"),
  /** Megabytes of request bodies that a gateway keeps in memory, in all and of each organization. */
  PLATFORM_SHARE_BODY_MB: share("128/32"),
  /** Open connections of a gateway, in all and of each address. Behind a proxy, only the first number counts. */
  PLATFORM_SHARE_CONNECTIONS: share("8192/2048"),
  /** How long gateway and pages that are stopping report it on `/ready` before they stop accepting connections. */
  PLATFORM_DRAIN_NOTICE_MS: z.coerce.number().int().min(0).max(60_000).default(0),
  /** `host:port` of a second listener that serves only the state API, for containers. Empty: none. */
  PLATFORM_STATE_LISTEN: z.string().default(""),
  /** Origin that apps get as `PLATFORM_STATE_API`, without a path. */
  PLATFORM_STATE_API_CONTAINER: z.string().default(""),
  /** Containers reach all that the example apps need, so those that run as processes move to containers. */
  PLATFORM_EXAMPLES_IN_CONTAINERS: flag,
  PLATFORM_DATA_DIR: z.string().default(".data"),
  /** How much disk the images of each organization may use, in megabytes. */
  PLATFORM_STORAGE_QUOTA_MB: z.coerce.number().int().min(1).default(20_000),
  /** A repository of an OCI registry that stores images, for example https://registry.example/platform/apps. Empty: the data folder. */
  PLATFORM_REGISTRY_URL: z
    .union([
      z.literal(""),
      z
        .url({ protocol: /^https?$/ })
        .regex(
          /^[^?#@]*[a-z0-9]\/[a-z0-9]+(?:[._/-]+[a-z0-9]+)*\/?$/,
          "Write the registry's origin and a repository, for example https://registry.example/platform/apps.",
        ),
    ])
    .default(""),
  /** `<user>:<password>` of the registry. Empty: none. */
  PLATFORM_REGISTRY_CREDENTIALS: z
    .string()
    .regex(/^(?:[^:]+:.*)?$/s, "Write <user>:<password>.")
    .default(""),
  /** How much of the database the pictures of each organization's listings may use, in megabytes. */
  PLATFORM_IMAGE_QUOTA_MB: z.coerce.number().int().min(1).default(50),
  /** How long calls, and events with their deliveries, are kept. See docs/decisions/021-retention.md. */
  PLATFORM_KEEP_CALLS_DAYS: z.coerce.number().int().min(1).default(30),
  PLATFORM_KEEP_EVENTS_DAYS: z.coerce.number().int().min(1).default(30),
  /** How often the CPU time and the memory of each running app are measured, in seconds. */
  PLATFORM_METRICS_SECONDS: z.coerce.number().int().min(5).max(300).default(30),
  /** How long the logs of apps are kept, and how many megabytes of each version at most. */
  PLATFORM_KEEP_LOGS_DAYS: z.coerce.number().int().min(1).default(7),
  PLATFORM_KEEP_LOGS_MB: z.coerce.number().int().min(1).default(16),
  /** How long the container engine keeps images that nothing uses. They are loaded again when they are needed. */
  PLATFORM_KEEP_IMAGES_HOURS: z.coerce.number().int().min(1).default(24),
  PLATFORM_CHECKPOINT_MINUTES: z.coerce.number().int().min(1).max(1440).default(60),
  /** How long read notifications, and records of emails without their texts, are kept; and sessions after they ended. */
  PLATFORM_KEEP_NOTIFICATIONS_DAYS: z.coerce.number().int().min(1).default(90),
  PLATFORM_KEEP_SESSIONS_DAYS: z.coerce.number().int().min(1).default(90),
  /** How long the address of an invitation is kept after it was used, was revoked or expired. */
  PLATFORM_KEEP_INVITATIONS_DAYS: z.coerce.number().int().min(1).default(30),
  /**
   * How many synchronous calls each replica of an app gets at the same time from all gateways. Each of its customers gets at most half.
   * The rest wait briefly.
   */
  PLATFORM_APP_CALLS: z.coerce.number().int().min(2).default(64),
  /** How many instances of each version publishers can run at the same time. */
  PLATFORM_APP_REPLICAS: z.coerce.number().int().min(1).max(100).default(5),
  /** Calls in progress at each replica above which the platform adds one, where the publisher lets it. */
  PLATFORM_APP_BUSY_CALLS: z.coerce.number().int().min(1).max(1_000).default(8),
  /**
   * Minutes without a call after which a version is stopped until the next call; 0: never. Without the second setting, only
   * versions that no installation of a production tenant uses.
   */
  PLATFORM_SLEEP_MINUTES: z.coerce.number().int().min(0).default(30),
  PLATFORM_SLEEP_PRODUCTION: flag,
  /** `auto`: Docker if an engine responds, otherwise processes, which are not isolated. Kubernetes is never chosen by itself. */
  PLATFORM_RUNTIME: z.enum(["auto", "docker", "process", "kubernetes"]).default("auto"),
  /** The namespace in which apps run. The platform itself should run in another one. See docs/kubernetes.md. */
  PLATFORM_KUBERNETES_NAMESPACE: z
    .string()
    .regex(
      /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
      "Write the name of a namespace, for example platform-apps.",
    )
    .default("platform-apps"),
  /** Comma-separated secrets in that namespace with the credentials of registries. Empty: none. */
  PLATFORM_KUBERNETES_PULL_SECRET: z.string().default(""),
  /** An image with Node, such as the platform's own: it waits before each app until its network policies are enforced. Empty: none. */
  PLATFORM_KUBERNETES_GUARD_IMAGE: z.string().default(""),
  /** Where calls to apps come from: gateway and worker. */
  PLATFORM_KUBERNETES_CALLERS: peers(),
  /** The state API: what `PLATFORM_STATE_API_CONTAINER` leads to. */
  PLATFORM_KUBERNETES_STATE_API: peers(),
  /** What apps may reach besides the state API and public addresses, such as cores in private networks. */
  PLATFORM_KUBERNETES_EGRESS: peers(),
  /** A kubeconfig for a worker outside the cluster. Inside, Kubernetes sets the other two. */
  KUBECONFIG: z.string().default(""),
  KUBERNETES_SERVICE_HOST: z.string().default(""),
  KUBERNETES_SERVICE_PORT: z.string().default(""),
  /** What each app's container gets: mebibytes of memory, cores, and processes with their threads. */
  PLATFORM_APP_MEMORY_MIB: z.coerce
    .number()
    .int()
    .min(32)
    .default(DEFAULT_APP_SETTINGS.PLATFORM_APP_MEMORY_MIB),
  PLATFORM_APP_CPUS: z.coerce.number().min(0.05).max(1024).default(DEFAULT_APP_SETTINGS.PLATFORM_APP_CPUS),
  PLATFORM_APP_PROCESSES: z.coerce
    .number()
    .int()
    .min(16)
    .default(DEFAULT_APP_SETTINGS.PLATFORM_APP_PROCESSES),
  /** What the running apps of each publishing organization may have together. */
  PLATFORM_QUOTA_MEMORY_MIB: z.coerce.number().int().min(1).default(10_240),
  PLATFORM_QUOTA_CPUS: z.coerce.number().positive().default(20),
  /** The private range from which each app's container gets a subnet of eight addresses. */
  PLATFORM_APP_SUBNETS: z
    .cidrv4({ error: "Write a range of addresses, for example 10.213.0.0/16." })
    .refine((cidr) => Number(cidr.split("/")[1]) <= 24, "Write a range of 256 addresses or more, up to /24.")
    .default(DEFAULT_APP_SUBNETS),
  /**
   * `guard`: containers and Pods reach only the hosts that their manifests declare, through the egress guard, and don't start without it.
   * `open`: the machine's network and its firewall, or the cluster's. `auto`: the guard where it can run; in a cluster, if it is named.
   */
  PLATFORM_EGRESS: z.enum(["auto", "guard", "open"]).default("auto"),
  /** A PEM file with private CAs. Node reads it in each part; workers tell the egress guard, which is not one. */
  NODE_EXTRA_CA_CERTS: z.string().default(""),
  /** In a cluster: the Service that has the addresses of all guards. Empty: there are none. See docs/kubernetes.md. */
  PLATFORM_EGRESS_SERVICE: z.string().default(""),
  /** The Service with the one address at which all of them answer names. */
  PLATFORM_EGRESS_NAMES: z.string().default(""),
  /** Their Pods. */
  PLATFORM_EGRESS_PODS: peers(),
  /** What workers and guards prove to each other that they have. */
  PLATFORM_EGRESS_KEY: z
    .string()
    .refine((key) => key === "" || key.length >= 32, "Write 32 random characters or more.")
    .default(""),
  /** Comma-separated ranges of addresses that no app reaches through the guard, such as those of the cluster's Pods and Services. */
  PLATFORM_EGRESS_NEVER: z
    .string()
    .default("")
    .transform((text) => text.split(",").map((range) => range.trim()))
    .transform((ranges) => ranges.filter((range) => range !== ""))
    .pipe(z.array(z.cidrv4({ error: "Write ranges of addresses, for example 10.96.0.0/12." }))),
  /** Comma-separated permissions that customers' cores have besides the common ones: for the editor's suggestions, and without a warning. */
  PLATFORM_PERMISSIONS: z
    .string()
    .default("")
    .transform((text) => text.split(",").map((name) => name.trim()))
    .transform((names) => [...new Set([...PERMISSIONS, ...names.filter((name) => name !== "")])])
    .pipe(
      z.array(
        z
          .string()
          .max(MANIFEST_LIMITS.name)
          .regex(PERMISSION_NAME, "Write permissions such as ledger:read,commissions:write."),
      ),
    ),
  /** Allows tenants whose core is on this machine or a private network (demo, tests, on-premises). */
  PLATFORM_PRIVATE_CORES: flag,
  /** Allows publishers to name images in registries on this machine or a private network. */
  PLATFORM_PRIVATE_REGISTRIES: flag,
  /** Comma-separated addresses of the name servers that have the records of organizations' domains. Empty: those of this machine. */
  PLATFORM_DNS_SERVERS: z
    .string()
    .default("")
    .transform((text) =>
      text
        .split(",")
        .map((server) => server.trim())
        .filter((server) => server !== ""),
    )
    .refine(areServers, "Write addresses with or without a port, for example 10.0.0.53,[fd00::53]:5353."),
  /** Origin of the platform's own core for sandbox tenants, also on a private network. Empty: no sandboxes. */
  PLATFORM_SANDBOX_CORE_URL: z
    .union([z.literal(""), z.url({ protocol: /^https?$/ })])
    .default("")
    .transform((url) => (url === "" ? "" : new URL(url).origin)),
  /** `smtp://` or `smtps://` URL of the server that sends emails, with user and password if it requires them. Empty: none. */
  PLATFORM_SMTP_URL: z
    .union([
      z.literal(""),
      z.url({ protocol: /^smtps?$/, error: "Write smtp://host:port or smtps://host:port." }),
    ])
    .default(""),
  /** The sender of emails: an address, or `Name <address>`. */
  PLATFORM_MAIL_FROM: z
    .string()
    .regex(MAIL_FROM, "Write an address, for example App Hosting <no-reply@example.com>.")
    .default("App Hosting <no-reply@localhost>"),
  /** Lets `smtp://` servers without STARTTLS have emails, and the password, in plain text. */
  PLATFORM_SMTP_PLAIN: flag,
  /** An OpenID Connect issuer with which people can sign in. Empty: none. */
  PLATFORM_OIDC_ISSUER: z.union([z.literal(""), z.url({ protocol: /^https?$/ })]).default(""),
  PLATFORM_OIDC_CLIENT_ID: z.string().default(""),
  PLATFORM_OIDC_CLIENT_SECRET: z.string().default(""),
  /** As the button on the sign-in page names it. */
  PLATFORM_OIDC_NAME: z.string().max(40).default("single sign-on"),
  /** Comma-separated email domains that the issuer is trusted to verify: it can sign in to accounts with these addresses. */
  PLATFORM_OIDC_DOMAINS: z
    .string()
    .default("")
    .transform((text) =>
      text
        .split(",")
        .map(normalizeDomain)
        .filter((domain) => domain !== ""),
    ),
  PLATFORM_LOG_LEVEL: z.enum(["silent", "error", "warn", "info", "debug"]).default("info"),
});

export interface Environment extends z.infer<typeof shape> {
  production: boolean;
  dataDir: string;
}

/** OpenTelemetry's own, which its exporter reads itself. */
export function readTracesVariables(): NodeJS.Dict<string> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith("OTEL_")));
}

/** Throws an error that lists every missing or invalid variable. */
export function readEnvironment(source: Record<string, string | undefined> = process.env): Environment {
  const parsed = shape.safeParse(source);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`These environment variables are missing or invalid:\n${lines.join("\n")}`);
  }
  const dataDir = path.resolve(/* turbopackIgnore: true */ process.cwd(), parsed.data.PLATFORM_DATA_DIR);
  return { ...parsed.data, production: parsed.data.NODE_ENV === "production", dataDir };
}

/** What other programs of this repository take: the launcher, setup, tests, the command line, and compose. */
const OTHERS_SETTINGS =
  /^PLATFORM_(?:SETUP_.+|TEST_.+|DEV|PAGES_FOLDER|PROFILE|URL|CLIENT_ID|API_KEY|STATE_PORT|CHROMIUM)$/;

/** One warning for each variable that looks like a setting and is none, so that a misspelled one is not just ignored. */
export function warnOfUnknown(source: Record<string, string | undefined>): string[] {
  const known = Object.keys(shape.shape);
  return Object.keys(source)
    .filter((name) => name.startsWith("PLATFORM_") && !known.includes(name) && !OTHERS_SETTINGS.test(name))
    .map((name) => {
      const meant = findSimilar(name, known);
      return `${name} is not a setting of the platform, and is ignored.${meant === undefined ? "" : ` Did you mean ${meant}?`}`;
    });
}

/** Origin of the state API for apps: containers may need another one than processes. */
export function readStateApi(
  { PLATFORM_GATEWAY_URL, PLATFORM_STATE_API_CONTAINER }: StateAddresses,
  { isolates }: { isolates: boolean },
): string {
  return new URL((isolates && PLATFORM_STATE_API_CONTAINER) || PLATFORM_GATEWAY_URL).origin;
}

type StateAddresses = Pick<Environment, "PLATFORM_GATEWAY_URL" | "PLATFORM_STATE_API_CONTAINER">;

/** All origins of the state API that apps may have from this process. */
export function listStateApis(environment: StateAddresses): string[] {
  return [...new Set([true, false].map((isolates) => readStateApi(environment, { isolates })))];
}

/** The platform's own listeners, as their URLs name them. */
export function listOwnPlaces(environment: OwnUrls): { host: string; port: number }[] {
  const { PLATFORM_WEB_URL, PLATFORM_GATEWAY_URL, PLATFORM_REGISTRY_URL } = environment;
  return [PLATFORM_WEB_URL, PLATFORM_GATEWAY_URL, PLATFORM_REGISTRY_URL]
    .filter((url) => URL.canParse(url))
    .map((text) => {
      const { hostname, port, protocol } = new URL(text);
      return { host: hostname.replace(/\.$/, ""), port: Number(port || (protocol === "https:" ? 443 : 80)) };
    });
}

type OwnUrls = Pick<Environment, "PLATFORM_WEB_URL" | "PLATFORM_GATEWAY_URL" | "PLATFORM_REGISTRY_URL">;

const containerSettings = shape.pick({
  PLATFORM_STATE_LISTEN: true,
  PLATFORM_STATE_API_CONTAINER: true,
  PLATFORM_EXAMPLES_IN_CONTAINERS: true,
});

const settingsMessage = z.object({ settings: containerSettings });

/** Applies the launcher's message that a container engine appeared. False for any other message. */
export function applySettings(environment: Environment, message: unknown): boolean {
  const parsed = settingsMessage.safeParse(message);
  if (!parsed.success) return false;
  Object.assign(environment, parsed.data.settings);
  return true;
}
