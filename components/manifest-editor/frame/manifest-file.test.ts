import { expect, test } from "vitest";
import { readManifestFile, sizeText } from "./manifest-file";

test("any UTF-8 is imported as it is: broken JSON, a byte order mark, a NUL, line ends", async () => {
  for (const text of ["", "{ broken", '\uFEFF{"name":1}\r\n', "a\u0000b", "\u{1F600}"]) {
    expect(await readManifestFile(new Blob([text]))).toEqual({ text });
  }
});

test("what is no UTF-8, such as UTF-16 or an image, is refused with how to mend it", async () => {
  for (const bytes of [[0xff, 0xfe, 0x7b, 0x00], [0x89, 0x50, 0x4e, 0x47], [0xc3], [0xed, 0xa0, 0x80]]) {
    const read = await readManifestFile(new Blob([new Uint8Array(bytes)]));
    expect(read).toEqual({ fault: expect.stringContaining("not UTF-8") });
  }
});

test("a file over the limit is refused by its size, before it is read", async () => {
  const large = new Blob([new Uint8Array(1024 * 1024 + 1)]);
  large.arrayBuffer = () => Promise.reject(new Error("it was read"));
  expect(await readManifestFile(large)).toEqual({
    fault: "It has 1.01 MiB; a manifest has at most 1 MiB.",
  });
  expect(await readManifestFile(new Blob(["x".repeat(1024 * 1024)]))).toHaveProperty("text");
});

test("a file that cannot be read says so", async () => {
  const folder = new Blob(["x"]);
  folder.arrayBuffer = () => Promise.reject(new DOMException("gone", "NotFoundError"));
  expect(await readManifestFile(folder)).toEqual({ fault: expect.stringContaining("could not be read") });
});

test("sizes are never told smaller than they are", () => {
  expect([sizeText(7), sizeText(1025), sizeText(1024 * 1024 + 1), sizeText(10 * 1024 * 1024)]).toEqual([
    "7 bytes",
    "2 KiB",
    "1.01 MiB",
    "10 MiB",
  ]);
});
