/** Paths, links and whiteouts that would put or hide a file where nobody looks. */
import { createTar, dockerArchive, type Item } from "@/lib/server/images/archive/test-archives";
import { type HostileCase, inBothLayouts, link, manifest, manifestText } from "./case";

const MANIFEST = "platform-app.json";
const valid = manifest(manifestText("1.1.0"));

const OUTSIDE = [
  "../etc/x",
  "/../etc/passwd",
  "a/../../x",
  "a/../x",
  "..",
  "//../evil",
  "a/b/../../../x",
  "../../../../root/.ssh/x",
];
const DOCUMENT_PATHS = ["../../etc/passwd", "/etc/passwd", "a\\b", "blobs/../../x"];
const KINDS: Item[] = [
  { name: MANIFEST, type: "symlink", linkname: "/etc/passwd" },
  { name: MANIFEST, type: "symlink", linkname: MANIFEST },
  { name: MANIFEST, type: "directory" },
  { name: MANIFEST, type: "character-device" },
];

/** A link to the root through `depth` more links. */
function linksToRoot(depth: number): Item[] {
  return Array.from({ length: depth + 1 }, (_, at) => link(`l${at}`, at === 0 ? "." : `l${at - 1}`));
}

export function listPathCases(): HostileCase[] {
  return [
    ...OUTSIDE.flatMap((name) =>
      inBothLayouts(`path ${name}`, "UNSAFE_PATH", [valid, { name, content: "x" }]),
    ),
    ...DOCUMENT_PATHS.flatMap((name): HostileCase[] => [
      {
        name: `configuration at ${name}`,
        expected: "UNSAFE_PATH",
        archive: () => documents(JSON.stringify([{ Config: name, Layers: [] }])),
      },
      {
        name: `layer at ${name}`,
        expected: "UNSAFE_PATH",
        archive: async () => {
          const config = JSON.stringify({ architecture: "amd64", os: "linux", rootfs: { diff_ids: [] } });
          return documents(JSON.stringify([{ Config: "c.json", Layers: [name] }]), {
            name: "c.json",
            content: config,
          });
        },
      },
    ]),
    ...KINDS.flatMap((item) =>
      inBothLayouts(
        `manifest is a ${item.type} ${item.linkname ?? ""}`,
        "MANIFEST_NOT_A_FILE",
        [valid],
        [item],
      ),
    ),
    ...inBothLayouts(
      "manifest is a hard link",
      "MANIFEST_NOT_A_FILE",
      [valid],
      [{ name: "other.json" }, { name: MANIFEST, type: "link", linkname: "other.json" }],
    ),
    ...inBothLayouts(
      "hard link to a lower layer",
      "UNSAFE_PATH",
      [valid, { name: "other.json" }],
      [{ name: "x", type: "link", linkname: "other.json" }],
    ),
    ...inBothLayouts("a path twice in a layer", "UNSAFE_PATH", [valid, { name: "x" }, { name: "./x" }]),
    ...inBothLayouts("a path below a file", "UNSAFE_PATH", [valid, { name: "x" }, { name: "x/y" }]),
    ...[0, 1, 2, 5, 20].flatMap((depth) => [
      ...inBothLayouts(`manifest through ${depth + 1} links`, "UNSAFE_PATH", [
        ...linksToRoot(depth),
        { name: `l${depth}/${MANIFEST}`, content: "{}" },
      ]),
      ...inBothLayouts(
        `whiteout through ${depth + 1} links of a lower layer`,
        "UNSAFE_PATH",
        [valid, ...linksToRoot(depth)],
        [{ name: `l${depth}/.wh.${MANIFEST}` }],
      ),
    ]),
    ...inBothLayouts("whiteout", "MANIFEST_MISSING", [valid], [{ name: `.wh.${MANIFEST}` }]),
    ...inBothLayouts("opaque whiteout", "MANIFEST_MISSING", [valid], [{ name: ".wh..wh..opq" }]),
    ...inBothLayouts("manifest as a folder", "MANIFEST_NOT_A_FILE", [
      { name: `${MANIFEST}/x`, content: "x" },
    ]),
    ...inBothLayouts("manifest twice", "MANIFEST_TWICE", [valid, { name: `./${MANIFEST}`, content: "{}" }]),
    ...inBothLayouts("manifest in a folder", "MANIFEST_MISSING", [
      { name: `app/${MANIFEST}`, content: "{}" },
    ]),
    ...inBothLayouts("no manifest", "MANIFEST_MISSING", [{ name: "x", content: "x" }]),
    ...inBothLayouts("a path of 6,000 characters", "LAYER_BROKEN", [
      valid,
      { name: "x/".repeat(3_000), content: "" },
    ]),
    {
      name: "layer is a link out of the archive",
      expected: "UNSAFE_PATH",
      archive: () => withLayerEntry({ name: "0/layer.tar", type: "symlink", linkname: "../../etc/passwd" }),
    },
    {
      name: "layer is a hard link",
      expected: "UNSAFE_PATH",
      archive: () => withLayerEntry({ name: "0/layer.tar", type: "link", linkname: "manifest.json" }),
    },
    {
      name: "layer is a folder",
      expected: "BLOB_MISSING",
      archive: () => withLayerEntry({ name: "0/layer.tar", type: "directory" }),
    },
  ];
}

function documents(content: string, ...others: Item[]): Promise<Buffer> {
  return createTar([{ name: "manifest.json", content }, ...others]);
}

async function withLayerEntry(entry: Item): Promise<Buffer> {
  const config = JSON.stringify({
    ...{ architecture: "amd64", os: "linux" },
    rootfs: { diff_ids: [`sha256:${"0".repeat(64)}`] },
  });
  const content = JSON.stringify([{ Config: "c.json", Layers: ["0/layer.tar"] }]);
  return documents(content, { name: "c.json", content: config }, entry);
}

/** An archive with all of its files twice. */
export async function repeatedEntry(): Promise<Buffer> {
  const archive = await dockerArchive({ layers: [await createTar([valid])] });
  // Without the two blocks of zeros at the end of the first.
  return Buffer.concat([archive.subarray(0, -1024), archive]);
}
