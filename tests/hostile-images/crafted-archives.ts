/**
 * Archives that readers may take for different things, put together at random from a seed: entries that write, hide or reach the
 * manifest in every way that tar has, honest ones between them.
 */
import { dockerArchive } from "@/lib/server/images/archive/test-archives";
import { createRandom } from "./case";
import { craftHeader } from "./crafted-headers";
import { pax, type Pick, rawEntry, rawTar } from "./raw-entry";

const MANIFEST = "platform-app.json";

/** Each returns the entries of one attempt. */
const ATTEMPTS: ((pick: Pick, text: string) => Buffer[])[] = [
  (_, content) => [rawEntry({ name: MANIFEST, content })],
  (pick, content) => [
    rawEntry({ name: `${pick(["./", "/", "//", ".//", "/./", "././"])}${MANIFEST}`, content }),
  ],
  (pick, content) => [
    rawEntry({ name: `${MANIFEST}${pick(["/", "//", "/."])}`, content, type: pick(["0", "\0", "5", "7"]) }),
  ],
  (pick, content) => [
    rawEntry({ name: MANIFEST, content, type: pick(["\0", "7", "D", "M", "V", "N", "A", "9", "S"]) }),
  ],
  (pick, content) => [
    pax({ path: pick([MANIFEST, `${MANIFEST}/`, "x"]) }),
    rawEntry({ name: pick(["x", MANIFEST]), content }),
  ],
  (pick, content) => [
    rawEntry({ name: "././@LongLink", type: "L", content: `${pick([MANIFEST, "y"])}\0`, magic: "ustar  \0" }),
    ...pick([
      [],
      [pax({ path: pick([MANIFEST, "z"]) })],
      [rawEntry({ name: "l", type: "L", content: "w\0" })],
    ]),
    rawEntry({ name: pick(["x", MANIFEST]), content }),
  ],
  (pick, content) => [
    pax({ path: pick([MANIFEST, "y"]) }),
    pick([pax({ path: "z" }), pax({ comment: "g" }, "g"), pax({ mtime: "1" }), pax({ path: MANIFEST }, "g")]),
    rawEntry({ name: pick(["x", MANIFEST]), content }),
  ],
  (pick, content) => [
    pax({ [pick(["path", "size", "comment", "linkpath"])]: pick([MANIFEST, "3", ""]) }, "g"),
    rawEntry({ name: "x", content }),
  ],
  (pick, content) => [
    pax({ size: pick(["0", "1", String(content.length), "600", "-1", "0x1", "+1"]) }),
    rawEntry({ name: MANIFEST, content }),
  ],
  (pick, content) => [
    rawEntry({
      name: MANIFEST,
      content,
      size: pick([
        "0000000001 \0",
        "\x00\x00000000000012",
        "       2\0",
        "2",
        "00000000002\0",
        "-1",
        "1\x0002",
      ]),
    }),
  ],
  (pick, content) => [
    rawEntry({
      name: MANIFEST,
      prefix: pick(["", "d", ".", "a/b"]),
      content,
      magic: pick(["ustar\x0000", "ustar  \0", "\0\0\0\0\0\0\0\0", "ustar 00", "ustar\x0011"]),
    }),
  ],
  (pick, content) => [
    rawEntry({ name: "d", type: "2", link: pick([".", "/", "..", "e", "d"]) }),
    rawEntry({ name: `d/${MANIFEST}`, content }),
  ],
  (pick, content) => [
    rawEntry({ name: "e/f", content }),
    rawEntry({
      name: pick([MANIFEST, "h", "e/f"]),
      type: "1",
      link: pick(["e/f", "/e/f", "e//f", "g", MANIFEST, "../e/f"]),
    }),
  ],
  (pick) => [
    rawEntry({
      name: pick([
        `.wh.${MANIFEST}`,
        ".wh..wh..opq",
        ".wh..",
        ".wh...",
        ".wh.",
        `e/.wh.${MANIFEST}`,
        ".wh.e",
        `.wh..wh.${MANIFEST}`,
        ".wh..wh.plnk",
      ]),
    }),
  ],
  (pick) => [
    rawEntry({
      name: pick(["e", "e/f", "e/f/g", MANIFEST]),
      type: pick(["0", "5", "2", "5", "6"]),
      link: "e",
    }),
  ],
  (pick, content) => [
    rawEntry({
      name: Buffer.concat([Buffer.from("n"), Buffer.from([pick([0x61, 0xff, 0xfe, 0xc3])])]),
      type: "2",
      link: "/",
    }),
    rawEntry({
      name: Buffer.concat([
        Buffer.from("n"),
        Buffer.from([pick([0x61, 0xff, 0xfe])]),
        Buffer.from(`/${MANIFEST}`),
      ]),
      content,
    }),
  ],
  (pick, content) => [
    rawEntry({ name: `q/${"n".repeat(pick([90, 97]))}`, content }),
    pax({ path: `q/${"m".repeat(pick([200, 255, 256, 300]))}` }),
    rawEntry({ name: "x", content }),
  ],
  (pick, content) => [
    rawEntry({ name: pick(["e/", "q/", "./"]), type: "5" }),
    rawEntry({ name: pick(["e/f", "q/r"]), content }),
  ],
  (pick, content) => [
    rawEntry({
      name: MANIFEST,
      content,
      magic: "ustar  \0",
      fields: { 345: pick(["", "12\0", "zz", "d/e"]) },
    }),
  ],
  (pick, content) => [
    rawEntry({
      name: "x",
      type: pick(["1", "2", "5", "3", "4", "6"]),
      link: pick(["e/f", "y"]),
      size: "00000001000\0",
    }),
    rawEntry({ name: MANIFEST, content }),
  ],
  (pick, content) => [rawEntry(craftHeader(pick, MANIFEST, content)), rawEntry({ name: "after" })],
  (pick, content) => [
    rawEntry({ name: MANIFEST, content }),
    pax(
      { comment: "g" },
      "g",
      pick([
        "pax_global_header",
        MANIFEST,
        `./${MANIFEST}`,
        `.wh.${MANIFEST}`,
        ".wh..wh..opq",
        "e/f",
        "after",
      ]),
    ),
    rawEntry({ name: "after" }),
  ],
  (pick, content) => [
    pax({
      [`SCHILY.xattr.${pick(["user.a", "security.capability", "trusted.overlay.opaque", "trusted.overlay.metacopy", "system.a", "a"])}`]:
        pick(["y", "", "\u0001\0\0\u0002".padEnd(20, "\0"), "v".repeat(5_000)]),
    }),
    rawEntry({ name: pick([MANIFEST, "e"]), content }),
  ],
  (pick) => [
    rawEntry({
      name: pick([MANIFEST, "e"]),
      type: "3",
      fields: { 329: pick(["0000000\0", "0000001\0"]), 337: pick(["0000000\0", "0000003\0"]) },
    }),
  ],
  (pick, content) => [
    rawEntry({ name: pick(["BZh9", Buffer.from("\u00fd7zXZ", "latin1"), "P*M\u0018"]), content }),
    rawEntry({ name: MANIFEST, content }),
  ],
  (pick, content) => [
    rawEntry({
      name: "x",
      content,
      fields: { [pick([100, 108, 116, 136, 329, 337])]: pick(["zzz", "0000644\0", "      \0\0", "-0001\0"]) },
    }),
  ],
];

export function createPick(seed: number): Pick {
  const random = createRandom(seed);
  return (items) => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  };
}

/** A tar of one header that was put together at random, and an entry that readers must still find behind it. */
export function craftHeaders(seed: number): Buffer {
  const pick = createPick(seed);
  return rawTar(rawEntry(craftHeader(pick, MANIFEST, "content")), rawEntry({ name: "after", content: "x" }));
}

/** @returns a docker archive of one to three layers. What is written as the manifest differs each time. */
export function craftArchive(seed: number): Promise<Buffer> {
  const pick = createPick(seed);
  let written = 0;
  const attempt = () => {
    written += 1;
    return pick(ATTEMPTS)(pick, `{"v":${written}}`);
  };
  const layers = Array.from({ length: pick([1, 1, 2, 3]) }, (_, at) => {
    const base = at === 0 ? [rawEntry({ name: pick([MANIFEST, "first"]), content: '{"v":0}' })] : [];
    const more = Array.from({ length: pick([1, 1, 1, 2]) }, attempt).flat();
    return rawTar(...base, ...more);
  });
  return dockerArchive({ layers });
}
