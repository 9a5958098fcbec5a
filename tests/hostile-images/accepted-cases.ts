/** Unusual archives that honest tools write. Refusing one of them would be as wrong as accepting a hostile one. */
import { gzipSync } from "node:zlib";
import {
  createTar,
  dockerArchive,
  type ImageParts,
  type Item,
  ociArchive,
  toZstdFrame,
} from "@/lib/server/images/archive/test-archives";
import { ACCEPTED, type HostileCase, link, manifest, manifestText, patchHeader } from "./case";

const SKIPPABLE = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
/** What an image may ask for, and does not get. */
const ASKS = {
  User: "root",
  Volumes: { "/": {}, "../../etc": {} },
  Env: ["PLATFORM_STATE_API=http://evil.example", "PATH=/evil"],
  Healthcheck: { Test: ["CMD", "/bin/evil"] },
  Labels: { "com.docker.compose.project": "platform" },
  ExposedPorts: { "22/tcp": {} },
};

export function listAcceptedCases(): HostileCase[] {
  return [
    accepted("docker archive", (layers) => dockerArchive({ layers })),
    accepted("OCI layout", (layers) => ociArchive([{ layers }])),
    accepted("gzipped archive", async (layers) => gzipSync(await dockerArchive({ layers }))),
    accepted("zstd layers", (layers) =>
      dockerArchive({ layers, stored: layers.map((each) => toZstdFrame(each)) }),
    ),
    accepted("zstd window of 32 MiB, and skippable frames", (layers) =>
      dockerArchive({
        layers,
        stored: layers.map((each) => Buffer.concat([SKIPPABLE, toZstdFrame(each, 25), SKIPPABLE])),
      }),
    ),
    accepted("gzip layers of two members", (layers) =>
      dockerArchive({
        layers,
        stored: layers.map((each) =>
          Buffer.concat([gzipSync(each.subarray(0, 700)), gzipSync(each.subarray(700))]),
        ),
      }),
    ),
    accepted("an image that asks for volumes, root and more", (layers) =>
      dockerArchive({ layers, config: ASKS }),
    ),
    accepted("an index with another platform and amd64", async (layers) => {
      const other: ImageParts = { layers, architecture: "arm64" };
      return ociArchive([other, { layers }]);
    }),
    accepted("both layouts of one image", async (layers) =>
      Buffer.concat([(await dockerArchive({ layers })).subarray(0, -1024), await ociArchive([{ layers }])]),
    ),
    accepted("125 layers", async (layers) => {
      const more = await createTar([{ name: "x", content: "x" }]);
      return dockerArchive({ layers: [...layers, ...Array.from({ length: 124 }, () => more)] });
    }),
    accepted("a whiteout and a new manifest above it", async ([layer = Buffer.alloc(0)]) =>
      dockerArchive({
        layers: [
          await createTar([manifest("{}")]),
          await createTar([{ name: ".wh.platform-app.json" }]),
          layer,
        ],
      }),
    ),
    accepted("links between ordinary files, in a circle too", async (layers) =>
      dockerArchive({ layers: [await createTar(LINKS), ...layers] }),
    ),
    {
      name: "an entry for the root, and a leading ./",
      expected: ACCEPTED,
      archive: async (version) => {
        const content = manifestText(version);
        const items: Item[] = [
          { name: "./", type: "directory" },
          { name: "./platform-app.json", content },
        ];
        return dockerArchive({ layers: [await createTar(items)] });
      },
    },
    {
      name: "a path in a pax header",
      expected: ACCEPTED,
      archive: async (version) => {
        const items = [
          { name: "pax", content: "26 path=platform-app.json\n" },
          { name: "x", content: manifestText(version) },
        ];
        return dockerArchive({ layers: [patchHeader(await createTar(items), 0, 156, "x")] });
      },
    },
    {
      name: "HTML, direction marks and unknown keys in a manifest",
      expected: ACCEPTED,
      archive: async (version) => {
        const field = { name: "a", title: "<img src=x onerror=alert(1)>\u202E", type: "Text", unknown: [1] };
        const text = manifestText(version, { app: { fields: [field] }, future: { deep: [{}] } });
        return dockerArchive({ layers: [await createTar([manifest(text)])] });
      },
    },
  ];
}

const LINKS: Item[] = [
  link("bin", "usr/bin"),
  { name: "usr/bin/node", content: "x" },
  link("a", "b"),
  link("b", "a"),
  link("etc/up", "../../../../usr"),
];

function accepted(name: string, pack: (layers: Buffer[]) => Promise<Buffer>): HostileCase {
  const archive = async (version: string) =>
    pack([await createTar([manifest(manifestText(version)), { name: "a", content: "x".repeat(2_000) }])]);
  return { name, expected: ACCEPTED, archive };
}
