import { expect, test } from "vitest";
import { formatSize, readManifestFile } from "./frame-actions";

test("any UTF-8 is imported unchanged: broken JSON, a byte order mark, NUL, line endings", async () => {
  for (const text of ["", "{ broken", '\uFEFF{"name":1}\r\n', "a\u0000b", "\u{1F600}"]) {
    expect(await readManifestFile(new Blob([text]))).toEqual({ text });
  }
});

test("other encodings and binary files are refused with the way to fix them", async () => {
  for (const bytes of [[0xff, 0xfe, 0x7b, 0x00], [0x89, 0x50, 0x4e, 0x47], [0xc3], [0xed, 0xa0, 0x80]]) {
    const read = await readManifestFile(new Blob([new Uint8Array(bytes)]));
    expect(read).toEqual({ error: expect.stringContaining("not valid UTF-8") });
  }
});

test("a file over the limit is refused by its size, before it is read", async () => {
  const large = new Blob([new Uint8Array(1024 * 1024 + 1)]);
  large.arrayBuffer = () => Promise.reject(new Error("it was read"));
  expect(await readManifestFile(large)).toEqual({
    error: "The file is 1.01 MiB. A manifest can be at most 1 MiB.",
  });
  expect(await readManifestFile(new Blob(["x".repeat(1024 * 1024)]))).toHaveProperty("text");
});

test("an unreadable file is reported", async () => {
  const folder = new Blob(["x"]);
  folder.arrayBuffer = () => Promise.reject(new DOMException("gone", "NotFoundError"));
  expect(await readManifestFile(folder)).toEqual({ error: expect.stringContaining("couldn't be read") });
});

test("sizes are rounded up", () => {
  expect([
    formatSize(7),
    formatSize(1025),
    formatSize(1024 * 1024 + 1),
    formatSize(10 * 1024 * 1024),
  ]).toEqual(["7 bytes", "2 KiB", "1.01 MiB", "10 MiB"]);
});
