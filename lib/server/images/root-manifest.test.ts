import { describe, expect, test } from "vitest";
import { docker, link, testBundles, text } from "@/tests/received-bundles";
import { createConfig, createTar, type Item, toDigest } from "./test-archives";

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
        link("bin", "usr/bin"),
        link("lib64", "/usr/lib"),
        { name: "bin/sh" },
        { name: "lib64/libc" },
      ],
      [{ name: "bin", type: "directory" } as const, ...hidden("bin"), ...hidden("lib64")],
    ];
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
