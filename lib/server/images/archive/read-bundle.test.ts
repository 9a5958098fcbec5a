import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { docker, image, readEntries, testBundles, text } from "@/tests/received-bundles";
import { openArchive } from "../open-archive";
import { scanLayers } from "./read-bundle";
import {
  createConfig,
  createTar,
  dockerArchive,
  type Item,
  ociArchive,
  toDigest,
  toZstdFrame,
} from "./test-archives";

const MANIFEST = "platform-app.json";
const { environment, receive, readIssueCode } = await testBundles();

describe("an accepted archive", () => {
  test("gives the same image as a docker archive or an OCI layout, gzipped as a whole or not", async () => {
    const parts = await image([text("{}")]);
    const digest = toDigest(createConfig(parts));
    const gzipped = { ...parts, stored: parts.layers.map((layer) => gzipSync(layer)) };
    for (const archive of [
      await dockerArchive(parts),
      await dockerArchive(gzipped),
      await ociArchive([parts]),
    ]) {
      expect(await receive(archive)).toMatchObject({ manifestText: "{}", imageDigest: digest });
      expect(await receive(gzipSync(archive))).toMatchObject({ imageDigest: digest });
    }
  });

  test("is normalized independently of the image's name, and the result is accepted again", async () => {
    const parts = await image([text("{}")], [{ name: "server.js", content: "x".repeat(100_000) }]);
    const first = await receive(await dockerArchive(parts));
    const renamed = await receive(await dockerArchive(parts, [{ name: "repositories", content: "{}" }]));
    expect(renamed.archiveDigest).toBe(first.archiveDigest);
    const kept = await receive(await dockerArchive(parts), true);
    expect(await receive(await openArchive(environment, kept.archiveDigest))).toEqual(first);
  });

  test("may contain a multi-platform index: the linux/amd64 image is taken", async () => {
    const [one, other] = [await image([text('{"a":1}')]), await image([text('{"b":1}')])];
    const archive = await ociArchive([{ ...one, architecture: "arm64" }, other]);
    expect(await receive(archive)).toMatchObject({ manifestText: '{"b":1}' });
  });

  test("may contain a repeated layer as a link to the first, as older engines write it", async () => {
    const hex = "a".repeat(64);
    const parts = await image([text("{}")], []);
    const [first, second] = parts.layers;
    const entries = await readEntries(
      await dockerArchive({ layers: [first, second, second].filter(Buffer.isBuffer) }),
    );
    const linked = entries.map((item): Item => {
      if (item.name === "1/layer.tar") return { ...item, name: `${hex}/layer.tar` };
      if (item.name === "2/layer.tar")
        return { name: item.name, type: "symlink", linkname: `../${hex}/layer.tar` };
      const content = item.content.toString().replace('"1/layer.tar"', `"${hex}/layer.tar"`);
      return item.name === "manifest.json" ? { ...item, content } : item;
    });
    expect(await receive(await createTar(linked))).toMatchObject({ manifestText: "{}" });
  });

  test("may have zstd layers, which are unpacked for engines that can't read them", async () => {
    const layer = await createTar([text("{}")]);
    const stored = [toZstdFrame(layer)];
    const plain = await receive(await dockerArchive({ layers: [layer] }));
    const { archiveDigest } = await receive(await dockerArchive({ layers: [layer], stored }), true);
    expect(archiveDigest).not.toBe(plain.archiveDigest);
    expect(await receive(await openArchive(environment, archiveDigest))).toEqual(plain);
  });
});

describe("the manifest is the one in the union of the layers", () => {
  test("the top layer wins", async () => {
    expect(await receive(await docker([text("1")], [{ name: `./${MANIFEST}`, content: "2" }]))).toMatchObject(
      { manifestText: "2" },
    );
  });

  test("a whiteout and an opaque whiteout hide lower layers, not their own", async () => {
    for (const name of [`.wh.${MANIFEST}`, ".wh..wh..opq"]) {
      expect(await readIssueCode(await docker([text("1")], [{ name }]))).toBe("MANIFEST_MISSING");
    }
    expect(await receive(await docker([text("1")], [text("2"), { name: ".wh..wh..opq" }]))).toMatchObject({
      manifestText: "2",
    });
    const both = [text("2"), { name: `.wh.${MANIFEST}` }];
    expect(await readIssueCode(await docker([text("1")], both))).toBe("UNSAFE_PATH");
    expect(await readIssueCode(await docker([text("1")], both.toReversed()))).toBe("UNSAFE_PATH");
  });

  test("a link, folder or device with this name is refused, unless a later layer replaces it", async () => {
    const types: Item[] = [
      { name: MANIFEST, type: "symlink", linkname: "/etc/passwd" },
      { name: MANIFEST, type: "directory" },
      { name: MANIFEST, type: "character-device" },
    ];
    const hardLink: Item[] = [
      { name: "other.json" },
      { name: MANIFEST, type: "link", linkname: "other.json" },
    ];
    for (const items of [...types.map((item) => [item]), hardLink]) {
      expect(await readIssueCode(await docker([text("1")], items))).toBe("MANIFEST_NOT_A_FILE");
      expect(await receive(await docker(items, [text("2")]))).toMatchObject({ manifestText: "2" });
    }
    expect(await readIssueCode(await docker(hardLink.slice(1), [text("2")]))).toBe("UNSAFE_PATH");
  });

  test.each<[string, Item[]]>([
    ["MANIFEST_MISSING", [{ name: `app/${MANIFEST}`, content: "{}" }]],
    ["MANIFEST_TWICE", [text("1"), text("2")]],
    ["MANIFEST_TWICE", [text("1"), { name: `./${MANIFEST}`, content: "2" }]],
    ["MANIFEST_TOO_LARGE", [text(" ".repeat(1024 * 1024 + 1))]],
    ["MANIFEST_NOT_UTF8", [{ name: MANIFEST, content: Buffer.from([0x22, 0xff, 0x22]) }]],
    ["UNSAFE_PATH", [text("{}"), { name: "../etc/cron.d/x", content: "x" }]],
    ["UNSAFE_PATH", [text("{}"), { name: "/../etc/passwd", content: "x" }]],
    [
      "UNSAFE_PATH",
      [
        { name: "here", type: "symlink", linkname: "/" },
        { name: `here/${MANIFEST}`, content: "{}" },
      ],
    ],
  ])("%s", async (code, items) => {
    expect(await readIssueCode(await docker(items))).toBe(code);
  });
});

describe("what would be accepted but could not run", () => {
  test("more layers than engines chain is refused, and a repeated layer is stored once", async () => {
    const manifest = await createTar([text("{}")]);
    const empty = await createTar([{ name: "x", content: "x".repeat(10_000) }]);
    const withLayers = (count: number) =>
      dockerArchive({ layers: [manifest, ...Array.from({ length: count - 1 }, () => empty)] });
    expect(await readIssueCode(await withLayers(126))).toBe("TOO_MANY_LAYERS");
    const { archiveDigest } = await receive(await withLayers(125), true);
    expect((await buffer(await openArchive(environment, archiveDigest))).length).toBeLessThan(64 * 1024);
    expect(await receive(await openArchive(environment, archiveDigest))).toMatchObject({ archiveDigest });
  });

  test.each([["/"], ["/proc"], ["../../etc"], ["/app"]])(
    "a volume at %s is not stored, and the digest is the one of what is stored",
    async (volume) => {
      const { layers } = await image([text("{}")]);
      const config = { Cmd: ["/app"], Volumes: { [volume]: {} } };
      const { imageDigest } = await receive(await dockerArchive({ layers, config }));
      expect(imageDigest).toBe(toDigest(createConfig({ layers, config: { Cmd: ["/app"] } })));
    },
  );

  // Guarantee: engines run what moderators were shown. They take members in any case, and the last one of several.
  test("a configuration that engines read differently is refused, and absent volumes change nothing", async () => {
    const { layers } = await image([text("{}")]);
    const archiveWith = async (config: string | Buffer) => {
      const [before = "", after = ""] = createConfig({ layers }).toString().split('"config":{}');
      const whole = Buffer.concat([Buffer.from(before), Buffer.from(config), Buffer.from(after)]);
      const entries = await readEntries(await dockerArchive({ layers }));
      const name = `${toDigest(whole).slice("sha256:".length)}.json`;
      const changed = entries.map(({ name: old, content }) => {
        if (old.endsWith(".json") && old !== "manifest.json") return { name, content: whole };
        return old === "manifest.json"
          ? { name: old, content: JSON.stringify([{ Config: name, Layers: ["0/layer.tar"] }]) }
          : { name: old, content };
      });
      return { archive: await createTar(changed), digest: toDigest(whole) };
    };
    for (const config of [
      '"config":{"volumes":{"/app":{}}}',
      '"Config":{"Volumes":{"/app":{}}}',
      '"config":{"Cmd":["/app"]},"Config":{"Cmd":["/evil"]}',
      '"config":{"Cmd":["/app"],"cmd":["/evil"]}',
      '"config":{"Cmd":["/app"],"\\u0063md":["/evil"]}',
      '"config":{"Volumes":{"/app":{}}},"config":{}',
      '"config":{"U\u017fer":"root"}',
      '"config":{"Healthchec\u212a":{}}',
      '"config":{"Labels":{"a":"1","a":"2"}}',
      '"config":{"Healthcheck":{"Test":["CMD","a"],"test":["CMD","b"]}}',
      '"history":[{"annotations":1},{"created_by":"a","Created_By":"b"}]',
      Buffer.from([...Buffer.from('"config":{"User":"'), 0xff, ...Buffer.from('"}')]),
    ])
      expect(await readIssueCode((await archiveWith(config)).archive), String(config)).toBe("NOT_AN_IMAGE");
    for (const config of [
      '"config":{"Volumes":null}',
      '"config":{"Env":["volumes=1"]}',
      '"config":{"Labels":{"user":"a","User":"b"},"ExposedPorts":{"80/TCP":{},"80/tcp":{}}}',
    ]) {
      const { archive, digest } = await archiveWith(config);
      expect((await receive(archive)).imageDigest, config).toBe(digest);
    }
  });
});

// Guarantee: a blob costs what one layer costs, however many layers name it.
test("a blob that several layers name is read as often as one that a single layer names", async () => {
  const [manifest, more] = await Promise.all([
    createTar([text("{}")]),
    createTar([{ name: "x", content: "x" }]),
  ]);
  const countReads = async (layers: Buffer[]) => {
    let reads = 0;
    const open = async function* (content: Buffer) {
      reads += 1;
      yield content;
    };
    const sources = layers.map((content) => ({
      diffId: toDigest(content),
      source: {
        name: toDigest(content),
        bytes: content.length,
        isStored: false,
        open: () => open(content),
      },
    }));
    const config = createConfig({ layers });
    const scanned = await scanLayers({ config, digest: toDigest(config), layers: sources });
    expect(scanned.layers).toHaveLength(layers.length);
    expect(scanned.manifest.bytes().toString()).toBe("{}");
    return reads;
  };
  const once = await countReads([manifest, more]);
  expect(await countReads([manifest, more, more, more])).toBe(once);
  expect(await countReads([more, manifest, more])).toBe(once);
});
