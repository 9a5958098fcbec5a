/** Manifests that are broken or meant to break something, in an image that is otherwise fine. */
import { createTar, dockerArchive } from "@/lib/server/images/archive/test-archives";
import { HOSTILE_MANIFESTS } from "../manifests/hostile-manifests";
import { APP, type HostileCase, manifest, manifestText } from "./case";

const VERSIONS = [
  "",
  "1",
  "1.2",
  "01.2.3",
  "1.2.3.4",
  "-1.0.0",
  "1.0.0-beta",
  "v1.0.0",
  `1${"0".repeat(30)}.0.0`,
];
const NAMES = [
  "evil/bench",
  "bench",
  "bench/other",
  "bench/../bench",
  "BENCH/bench",
  "bench/bench/x",
  "bench/bench\u0000",
];
const PATHS = [
  "//evil",
  "/../x",
  "/a/../b",
  "@host",
  "/@host",
  "http://evil.example",
  "/health",
  "/_app",
  "/_app/check",
  "/a?b=1",
  "/a b",
  "",
];

export function listManifestCases(): HostileCase[] {
  const broken = HOSTILE_MANIFESTS.filter(({ says }) => says.source.includes("error"));
  return [
    ...broken.map(({ what, text }) =>
      withText(`manifest: ${what}`, "BAD_MANIFEST", text.replaceAll("acme/hostile-app", APP)),
    ),
    ...VERSIONS.map((version) =>
      withText(`manifest: version "${version.slice(0, 20)}"`, "BAD_MANIFEST", manifestText(version)),
    ),
    ...NAMES.map((name) =>
      withText(`manifest: name ${JSON.stringify(name)}`, "BAD_MANIFEST", manifestText("1.1.0", { name })),
    ),
    ...PATHS.map((path) =>
      withText(
        `manifest: path "${path}"`,
        "BAD_MANIFEST",
        manifestText("1.1.0", { core: { webhooks: [{ path, events: ["policy.issued"] }] } }),
      ),
    ),
    withText("manifest: a million unclosed brackets", "BAD_MANIFEST", "[".repeat(1_000_000)),
    withText(
      "manifest: a check that is no boolean",
      "BAD_MANIFEST",
      manifestText("1.1.0", { core: { configurationCheck: "yes" } }),
    ),
    withText("manifest: 1 MiB and a byte", "MANIFEST_TOO_LARGE", " ".repeat(1024 * 1024 + 1)),
    withText("manifest: broken UTF-8", "MANIFEST_NOT_UTF8", Buffer.from([0x22, 0xff, 0x22])),
    withText("manifest: UTF-16", "MANIFEST_NOT_UTF8", Buffer.from("\uFEFF{}", "utf16le")),
    withText("manifest: a NUL", "BAD_MANIFEST", `${manifestText("1.1.0")}\0`),
  ];
}

function withText(name: string, expected: string, text: string | Buffer): HostileCase {
  return {
    name,
    expected,
    archive: async () => dockerArchive({ layers: [await createTar([manifest(text)])] }),
  };
}
