/** JSON documents, digests and indexes that are broken, disagree, or fan out. */
import { BUNDLE_LIMITS } from "@/lib/server/images/archive/bad-bundle";
import {
  createConfig,
  createTar,
  dockerArchive,
  type ImageParts,
  type Item,
  ociArchive,
  toDigest,
} from "@/lib/server/images/archive/test-archives";
import { type HostileCase, manifest, manifestText } from "./case";
import { repeatedEntry } from "./path-cases";

const DEEP = "[".repeat(10_000) + "]".repeat(10_000);
const BROKEN: [string, string][] = [
  ["empty", ""],
  ["cut", '[{"Config":'],
  ["null", "null"],
  ["a number", "7"],
  ["an object without members", "{}"],
  ["an entry without members", "[{}]"],
  ["nested 10,000 deep", DEEP],
  ["a million unclosed brackets", "[".repeat(1_000_000)],
  ["more than 1 MiB", JSON.stringify(["x".repeat(1024 * 1024)])],
  ["members of other types", '[{"Config":7,"Layers":{"0":"x"}}]'],
  ["invalid UTF-8", "\u00ff\u00fe["],
];
const layers = async () => [await createTar([manifest(manifestText("1.1.0"))])];
const parts = async (more: Partial<ImageParts> = {}): Promise<ImageParts> => ({
  layers: await layers(),
  ...more,
});

export function listDocumentCases(): HostileCase[] {
  return [
    ...BROKEN.flatMap(([what, content]): HostileCase[] => [
      refused(`manifest.json: ${what}`, "NOT_AN_IMAGE", () =>
        createTar([{ name: "manifest.json", content }]),
      ),
      refused(`index.json: ${what}`, "NOT_AN_IMAGE", () => createTar([{ name: "index.json", content }])),
      refused(`configuration: ${what}`, "NOT_AN_IMAGE", () => withConfig(content)),
    ]),
    refused("no image in manifest.json", "SEVERAL_IMAGES", () =>
      createTar([{ name: "manifest.json", content: "[]" }]),
    ),
    refused("neither document", "NOT_AN_IMAGE", () => createTar([{ name: "readme.txt", content: "x" }])),
    refused("a configuration that is missing", "BLOB_MISSING", () =>
      createTar([{ name: "manifest.json", content: '[{"Config":"c.json","Layers":[]}]' }]),
    ),
    refused("a file twice", "UNSAFE_PATH", repeatedEntry),
    ...listDigestCases(),
    ...listIndexCases(),
  ];
}

function listDigestCases(): HostileCase[] {
  const wrong = toDigest(Buffer.from("x"));
  return [
    refused("a wrong layer digest", "WRONG_DIGEST", async () =>
      dockerArchive(await parts({ diffIds: [wrong] })),
    ),
    refused("a wrong layer digest (oci)", "WRONG_DIGEST", async () =>
      ociArchive([await parts({ diffIds: [wrong] })]),
    ),
    refused("no layer digest", "WRONG_DIGEST", async () => dockerArchive(await parts({ diffIds: [] }))),
    refused("a layer digest too many", "WRONG_DIGEST", async () =>
      dockerArchive(await parts({ diffIds: [toDigest((await layers())[0] ?? Buffer.alloc(0)), wrong] })),
    ),
    refused("a configuration under another digest", "WRONG_DIGEST", () =>
      createTar([
        {
          name: "manifest.json",
          content: JSON.stringify([{ Config: `${"0".repeat(64)}.json`, Layers: [] }]),
        },
        { name: `${"0".repeat(64)}.json`, content: createConfig({ layers: [] }) },
      ]),
    ),
    ...["config", "layers"].flatMap((where) =>
      [-1, 1, 1e9].map((by) =>
        refused(`a size of ${where} that is off by ${by}`, "WRONG_DIGEST", () => ociWith(where, by)),
      ),
    ),
    refused("a negative size", "NOT_AN_IMAGE", () => ociWith("config", -1e9)),
    refused("a digest of another kind", "NOT_AN_IMAGE", () =>
      ociIndex([{ digest: "md5:d41d8cd98f00b204e9800998ecf8427e", size: 0 }]),
    ),
    refused("a manifest that is missing", "BLOB_MISSING", () => ociIndex([{ digest: wrong, size: 1 }])),
  ];
}

function listIndexCases(): HostileCase[] {
  return [
    ...["arm64", "386", "s390x", "AMD64", "amd64 ", ""].flatMap((architecture) => [
      refused(`for ${architecture || "no architecture"}`, "WRONG_ARCHITECTURE", async () =>
        dockerArchive(await parts({ architecture })),
      ),
      refused(`an index for ${architecture || "no architecture"} only`, "WRONG_ARCHITECTURE", async () =>
        ociArchive([await parts({ architecture })]),
      ),
    ]),
    refused("two images", "SEVERAL_IMAGES", async () =>
      ociArchive([await parts(), { layers: [...(await layers()), await createTar([])] }]),
    ),
    refused("no images", "NOT_AN_IMAGE", () => ociIndex([])),
    refused("more references than an archive may have", "TOO_MANY_REFERENCES", () =>
      ociIndex(
        Array.from({ length: BUNDLE_LIMITS.references + 1 }, () => ({
          digest: toDigest(Buffer.from("x")),
          size: 1,
        })),
      ),
    ),
    refused("an index that lists another platform", "INDEX_DISAGREES", async () => {
      const config = createConfig(await parts({ architecture: "arm64" }));
      return ociDocument(config, { os: "linux", architecture: "amd64" });
    }),
    refused("two layouts of different images", "INDEX_DISAGREES", async () => {
      const other = await ociArchive([{ layers: [...(await layers()), await createTar([])] }]);
      return Buffer.concat([(await dockerArchive(await parts())).subarray(0, -1024), other]);
    }),
  ];
}

const refused = (name: string, expected: string, archive: () => Promise<Buffer>): HostileCase => ({
  name,
  expected,
  archive,
});

function withConfig(content: string): Promise<Buffer> {
  return createTar([
    { name: "manifest.json", content: '[{"Config":"c.json","Layers":[]}]' },
    { name: "c.json", content },
  ]);
}

const describe = (content: Buffer) => ({ digest: toDigest(content), size: content.length });
const blob = (content: Buffer): Item => ({
  name: `blobs/sha256/${toDigest(content).slice("sha256:".length)}`,
  content,
});

function ociIndex(manifests: object[], ...blobs: Item[]): Promise<Buffer> {
  const content = JSON.stringify({ schemaVersion: 2, manifests });
  return createTar([{ name: "index.json", content }, ...blobs]);
}

async function ociDocument(config: Buffer, platform: object): Promise<Buffer> {
  const [layer = Buffer.alloc(0)] = await layers();
  const document = Buffer.from(
    JSON.stringify({ schemaVersion: 2, config: describe(config), layers: [describe(layer)] }),
  );
  return ociIndex([{ ...describe(document), platform }], blob(document), blob(config), blob(layer));
}

/** An OCI layout whose manifest gives another size for a blob. */
async function ociWith(where: string, by: number): Promise<Buffer> {
  const [layer = Buffer.alloc(0)] = await layers();
  const config = createConfig({ layers: [layer] });
  const off = (content: Buffer) => ({ ...describe(content), size: content.length + by });
  const document = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      config: where === "config" ? off(config) : describe(config),
      layers: [where === "layers" ? off(layer) : describe(layer)],
    }),
  );
  return ociIndex([describe(document)], blob(document), blob(config), blob(layer));
}
