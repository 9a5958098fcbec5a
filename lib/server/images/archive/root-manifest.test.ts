import { describe, expect, test } from "vitest";
import { docker, link, testBundles, text } from "@/tests/received-bundles";
import { pax, rawEntry, rawTar } from "@/tests/hostile-images/raw-entry";
import { createConfig, createTar, dockerArchive, type Item, toDigest } from "./test-archives";

const MANIFEST = "platform-app.json";
const { receive, readIssueCode } = await testBundles();

describe("links are followed as engines follow them", () => {
  const hidden = (...folder: string[]) =>
    folder.map((name): Item => ({ name: `${name}/${MANIFEST}`, content: "2" }));

  test.each<[string, Item[][]]>([
    ["a link in a folder", [[text("1"), link("d/l", "/"), ...hidden("d/l")]]],
    ["a relative link", [[text("1"), link("d/e/l", "../.."), ...hidden("d/e/l")]]],
    ["a link to a link", [[text("1"), link("a", "d/b"), link("d/b", "../."), ...hidden("a")]]],
    [
      "a link that is written through a link",
      [[text("1"), link("a", "d"), link("a/l", "/"), ...hidden("d/l")]],
    ],
    [
      "a hard link to a link",
      [[text("1"), link("d/l", "/"), { name: "h", type: "link", linkname: "d/l" }, ...hidden("h")]],
    ],
    ["a link of a lower layer", [[text("1"), link("d/l", "/")], hidden("d/l")]],
    [
      "a link that only an engine with a folder for each layer follows",
      [
        [text("1"), link("a", "b")],
        [link("a/x", "/"), { name: "b/x", type: "directory" }, ...hidden("a/x")],
      ],
    ],
    ["a whiteout through a link", [[text("1")], [link("d/l", "/"), { name: `d/l/.wh.${MANIFEST}` }]]],
    ["an opaque whiteout through a link", [[text("1")], [link("d/l", "/"), { name: "d/l/.wh..wh..opq" }]]],
  ])("%s can't replace or hide the manifest", async (_what, layers) => {
    expect(await readIssueCode(await docker(...layers))).toBe("UNSAFE_PATH");
  });

  test("links in a circle, and a folder in place of the manifest, are refused", async () => {
    const circle = [text("1"), link("a", "b"), link("b", "a"), { name: "a/file" }];
    expect(await readIssueCode(await docker(circle))).toBe("UNSAFE_PATH");
    expect(await readIssueCode(await docker([text("1")], [{ name: `${MANIFEST}/file` }]))).toBe(
      "MANIFEST_NOT_A_FILE",
    );
  });

  test("ordinary links are accepted, even when a later entry replaces them", async () => {
    const layers = [
      [
        text("1"),
        { name: "usr/bin", type: "directory" } as const,
        { name: "usr/lib/a" },
        link("bin", "usr/bin"),
        link("lib64", "/usr/lib"),
        { name: "bin/sh" },
        { name: "lib64/libc" },
      ],
      [{ name: "bin", type: "directory" } as const, ...hidden("bin"), ...hidden("lib64")],
    ];
    expect(await receive(await docker(...layers))).toMatchObject({ manifestText: "1" });
  });

  // Guarantee: engines can unpack what is accepted, whether or not they see lower layers meanwhile.
  test.each<[string, Item[][]]>([
    ["a path below a link to nothing", [[text("1"), link("a", "b"), { name: "a/x" }]]],
    [
      "a path below a link to a folder of a lower layer",
      [
        [text("1"), { name: "b/y" }],
        [link("a", "b"), { name: "a/x" }],
      ],
    ],
    ["a path below a file", [[text("1"), { name: "a" }, { name: "a/x" }]]],
    ["a path below a file of a lower layer", [[text("1"), { name: "a" }], [{ name: "a/x" }]]],
    ["a path twice", [[text("1"), { name: "a/x" }, { name: "a//x" }]]],
    ["a folder in place of a file", [[text("1"), { name: "a" }, { name: "a", type: "directory" }]]],
    ["a file in place of a folder that an entry needed", [[text("1"), { name: "a/x" }, { name: "a" }]]],
    ["a hard link to nothing", [[text("1"), { name: "a", type: "link", linkname: "b" }]]],
    ["a hard link to what follows", [[text("1"), { name: "a", type: "link", linkname: "b" }, { name: "b" }]]],
    [
      "a hard link to a lower layer",
      [[text("1"), { name: "b" }], [{ name: "a", type: "link", linkname: "b" }]],
    ],
    ["a hard link through ..", [[text("1"), { name: "b" }, { name: "a", type: "link", linkname: "c/../b" }]]],
    ["a whiteout of the same layer", [[text("1"), { name: "a/x" }, { name: ".wh.a" }]]],
    ["a path below a whiteout of the same layer", [[text("1"), { name: ".wh.a" }, { name: "a/x" }]]],
    ["a whiteout that is a folder", [[text("1"), { name: ".wh.a", type: "directory" }]]],
    ["a whiteout of whiteouts", [[text("1"), { name: ".wh..wh.plnk" }]]],
    ["a whiteout of the folder", [[text("1"), { name: "a/.wh.." }]]],
  ])("%s is refused", async (_what, layers) => {
    expect(await readIssueCode(await docker(...layers))).toBe("UNSAFE_PATH");
  });

  test.each<[string, Item[][]]>([
    ["an absolute path", [[{ name: `/${MANIFEST}`, content: "1" }, { name: "/nix/store/a" }]]],
    ["a folder twice", [[text("1"), { name: "a", type: "directory" }, { name: "a", type: "directory" }]]],
    [
      "a folder in place of a lower file",
      [
        [text("1"), { name: "a" }],
        [{ name: "a", type: "directory" }, { name: "a/x" }],
      ],
    ],
    [
      "a path where a lower file was removed",
      [[text("1"), { name: "a" }], [{ name: ".wh.a" }], [{ name: "a/x" }]],
    ],
    [
      "a path below what a removed folder had as a file",
      [[text("1"), { name: "a/b" }], [{ name: ".wh.a" }], [{ name: "a/b/c" }]],
    ],
    [
      "a path below what an opaque folder hides",
      [[text("1"), { name: "a/b" }], [{ name: "a/.wh..wh..opq" }], [{ name: "a/b/c" }]],
    ],
    [
      "a hard link to a file before it",
      [[text("1"), { name: "b" }, { name: "a", type: "link", linkname: "/b" }]],
    ],
  ])("%s is accepted", async (_what, layers) => {
    expect(await receive(await docker(...layers))).toMatchObject({ manifestText: "1" });
  });

  test("an entry for the root itself, as Kaniko writes it, is accepted", async () => {
    const root: Item = { name: "/", type: "directory" };
    expect(await receive(await docker([root, text("1")]))).toMatchObject({ manifestText: "1" });
  });

  test("two layers that are links to each other are refused", async () => {
    const [a, b] = ["a".repeat(64), "b".repeat(64)];
    const config = createConfig({ layers: [Buffer.alloc(0)] });
    const name = `${toDigest(config).slice("sha256:".length)}.json`;
    const archive = await createTar([
      { name, content: config },
      link(`${a}/layer.tar`, `../${b}/layer.tar`),
      link(`${b}/layer.tar`, `../${a}/layer.tar`),
      { name: "manifest.json", content: JSON.stringify([{ Config: name, Layers: [`${a}/layer.tar`] }]) },
    ]);
    expect(await readIssueCode(archive)).toBe("UNSAFE_PATH");
  });
});

// Guarantee: names are bytes, as for engines: those of invalid UTF-8 that decode to the same text are different names.
test("names that differ only in bytes that are not UTF-8 are told apart", async () => {
  const [one, other] = [Buffer.from([0xff]), Buffer.from([0xfe])];
  const below = (folder: Buffer) =>
    rawEntry({ name: Buffer.concat([folder, Buffer.from(`/${MANIFEST}`)]), content: "2" });
  const symlink = (name: Buffer, target: string | Buffer) => rawEntry({ name, type: "2", link: target });
  const archive = (...entries: Buffer[]) =>
    dockerArchive({ layers: [rawTar(rawEntry({ name: MANIFEST, content: "1" }), ...entries)] });
  const beside = await archive(symlink(one, "/"), rawEntry({ name: other, type: "5" }), below(other));
  expect(await receive(beside)).toMatchObject({ manifestText: "1" });
  const through = Buffer.from("a");
  const behind = [
    symlink(one, "/"),
    rawEntry({ name: other, type: "5" }),
    symlink(through, one),
    below(through),
  ];
  expect(await readIssueCode(await archive(...behind))).toBe("UNSAFE_PATH");
});

// Guarantee: engines that remove what has the name of a global header see the same files as those that ignore it.
describe("global headers", () => {
  const manifest = (content: string) => rawEntry({ name: MANIFEST, content });
  const global = (name: string) => pax({ comment: "made by git" }, "g", name);
  const layers = (...tars: Buffer[][]) =>
    dockerArchive({ layers: tars.map((entries) => rawTar(...entries)) });

  test.each<[string, Buffer[][]]>([
    ["the manifest's", [[manifest("1")], [manifest("2"), global(MANIFEST)]]],
    ["the manifest's, written otherwise", [[manifest("1")], [manifest("2"), global(`./${MANIFEST}`)]]],
    ["the manifest's, before it", [[global(MANIFEST), manifest("1")]]],
    ["that of a lower layer's file", [[manifest("1"), rawEntry({ name: "a" })], [global("a")]]],
    ["that of a folder", [[manifest("1"), rawEntry({ name: "a/b" }), global("a/")]]],
    ["a path", [[manifest("1"), global("tmp/GlobalHead")]]],
    ["a whiteout", [[manifest("1")], [global(`.wh.${MANIFEST}`), manifest("2")]]],
    ["that of the root", [[manifest("1"), global(".")]]],
  ])("a name that is %s is refused", async (_what, tars) => {
    expect(await readIssueCode(await layers(...tars))).toBe("UNSAFE_PATH");
  });

  test("those of git, Python and Go are accepted, in several layers too", async () => {
    for (const name of ["pax_global_header", "././@PaxHeader", "GlobalHead.0.0"]) {
      const archive = await layers([global(name), manifest("1")], [global(name), rawEntry({ name: "a" })]);
      expect(await receive(archive), name).toMatchObject({ manifestText: "1" });
    }
  });
});
