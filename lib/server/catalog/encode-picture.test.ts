import { randomBytes } from "node:crypto";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { expect, test } from "vitest";
import { encodeImage } from "./pictures";

const draw = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: { r: 200, g: 40, b: 40, alpha: 0.5 } } });

const encode = (file: Buffer, use: "icon" | "screenshot" = "screenshot") => encodeImage("acme", file, use);

const bmp = Buffer.concat([Buffer.from("BM"), randomBytes(500)]);
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><rect width="9" height="9"/></svg>';
const gif = Buffer.from("GIF89a/*\0\0\0\0\0*/=1;alert(1);//", "latin1");

// Guarantee: only still raster pictures reach a decoder, whatever a file's name or first bytes say.
test.each<[string, Buffer | Promise<Buffer>, RegExp]>([
  ["an SVG with a script", Buffer.from(svg), /not a PNG/],
  ["an SVG behind a byte order mark", Buffer.from(`\ufeff<?xml version="1.0"?>${svg}`), /not a PNG/],
  ["a GIF that is also JavaScript", gif, /not a PNG/],
  ["an animated GIF", draw(400, 400).gif().toBuffer(), /not a PNG/],
  ["a TIFF", draw(400, 400).tiff().toBuffer(), /not a PNG/],
  ["a bitmap", bmp, /not a PNG/],
  ["a PDF", Buffer.from("%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript>>>>"), /not a PNG/],
  ["a page", Buffer.from("<!doctype html><script>alert(1)</script>"), /not a PNG/],
  ["an SVG with a PNG's first bytes", Buffer.from(`\x89PNG\r\n\x1a\n${svg}`, "latin1"), /damaged|not a PNG/],
  [
    "a video container that calls itself AVIF",
    Buffer.from("\0\0\0\x1cftypavif\0\0\0\0mp42isom", "latin1"),
    /damaged|not a PNG/,
  ],
  ["nothing", Buffer.alloc(0), /not a PNG/],
  ["noise", randomBytes(4096), /not a PNG/],
])("refuses %s", async (_what, file, reason) => {
  await expect(encode(await file)).rejects.toMatchObject({
    code: "BAD_INPUT",
    detail: expect.stringMatching(reason),
  });
});

test("refuses an animation", async () => {
  const first = await draw(400, 400).png().toBuffer();
  const frames = await sharp([first, await sharp(first).negate().png().toBuffer()], {
    join: { animated: true },
  })
    .webp({ loop: 0, delay: [100, 100] })
    .toBuffer();
  await expect(encode(frames)).rejects.toMatchObject({ detail: expect.stringContaining("animation") });
});

test.each(["png", "jpeg", "webp", "avif"] as const)("accepts a still %s", async (format) => {
  const { bytes, width, height } = await encode(await draw(640, 400).toFormat(format).toBuffer());
  expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", width: 640, height: 400 });
  expect([width, height]).toEqual([640, 400]);
});

/** A PNG chunk with its length and checksum. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  let crc = ~0;
  for (const byte of body) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeInt32BE(~crc);
  return Buffer.concat([length, body, check]);
}

function png(width: number, height: number, pixels: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

// Guarantee: a small file can't take much memory or time.
test("refuses pictures that unpack to more pixels than the limit, before they are unpacked", async () => {
  const started = process.memoryUsage().rss;
  const bomb = png(50_000, 50_000, deflateSync(Buffer.alloc(20_000_000)));
  expect(bomb.length).toBeLessThan(50_000);
  await expect(encode(bomb)).rejects.toMatchObject({ detail: expect.stringContaining("million pixels") });
  await expect(encode(png(2_000_000_000, 2_000_000_000, Buffer.alloc(9)))).rejects.toMatchObject({
    code: "BAD_INPUT",
  });
  expect(process.memoryUsage().rss - started).toBeLessThan(150_000_000);
});

// Guarantee: neither side alone makes a picture expensive. Decoding either of these took more than a gigabyte.
test.each<[width: number, height: number]>([
  [20_000_000, 1],
  [1, 20_000_000],
  [10_001, 500],
  [500, 10_001],
])("refuses a picture of %i × %i pixels, before it is unpacked", async (width, height) => {
  const started = process.memoryUsage().rss;
  const file = png(width, height, deflateSync(Buffer.alloc(height * (width + 1))));
  for (const use of ["icon", "screenshot"] as const)
    await expect(encode(file, use)).rejects.toMatchObject({
      code: "BAD_INPUT",
      detail: expect.stringMatching(/^This picture is [\d,]+ × [\d,]+ pixels\. Each side/),
    });
  expect(process.memoryUsage().rss - started).toBeLessThan(200_000_000);
});

test("refuses a picture whose decoder would take more memory than others of its size", async () => {
  const file = await draw(5_000, 2_500, 4).avif({ effort: 0 }).toBuffer();
  await expect(encode(file)).rejects.toMatchObject({
    code: "BAD_INPUT",
    detail: expect.stringContaining("too much memory"),
  });
  expect(await encode(await draw(5_000, 2_500, 4).webp({ effort: 0 }).toBuffer())).toMatchObject({
    width: 1600,
  });
});

test("accepts a picture with a side of the limit", async () => {
  expect(await encode(await draw(10_000, 400).png().toBuffer())).toMatchObject({ width: 1600, height: 64 });
  expect(await encode(await draw(400, 10_000).jpeg().toBuffer())).toMatchObject({ width: 96, height: 2400 });
});

test("refuses a picture that ends early", async () => {
  const whole = await sharp(randomBytes(640 * 400 * 3), { raw: { width: 640, height: 400, channels: 3 } })
    .jpeg()
    .toBuffer();
  const cut = encode(whole.subarray(0, whole.length / 2));
  await expect(cut).rejects.toMatchObject({ detail: expect.stringContaining("damaged") });
});

test("refuses pictures too small to be seen", async () => {
  await expect(encode(await draw(32, 32).png().toBuffer(), "icon")).rejects.toMatchObject({
    detail: expect.stringContaining("32 × 32"),
  });
  await expect(encode(await draw(64, 64).png().toBuffer())).rejects.toMatchObject({ code: "BAD_INPUT" });
});

// Guarantee: a picture doesn't reveal where, or with which camera, it was taken.
test("drops EXIF with its place, the color profile, and what follows the picture", async () => {
  const file = await draw(640, 400)
    .withExif({
      IFD0: { Copyright: "canary-name" },
      IFD3: { GPSLatitude: "51/1 30/1 0/1", GPSLatitudeRef: "N" },
    })
    .withIccProfile("p3")
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  expect((await sharp(file).metadata()).exif).toBeDefined();
  const { bytes } = await encode(Buffer.concat([file, Buffer.from("<script>canary-script</script>")]));
  const { exif, icc, xmp, orientation, width, height } = await sharp(bytes).metadata();
  expect({ exif, icc, xmp, orientation }).toEqual({});
  expect(bytes.includes("canary")).toBe(false);
  // The camera was held upright: the orientation was applied.
  expect([width, height]).toEqual([400, 640]);
});

test("icons become squares of 256 pixels that keep all parts and what is transparent", async () => {
  const { bytes } = await encode(await draw(600, 300, 4).png().toBuffer(), "icon");
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: 256, height: 256, channels: 4 });
  expect(data[3]).toBe(0);
  expect(data[(128 * 256 + 128) * 4 + 3]).toBe(128);
});

test("screenshots are at most 1,600 pixels wide, and never enlarged", async () => {
  expect(await encode(await draw(3200, 1800).png().toBuffer())).toMatchObject({ width: 1600, height: 900 });
  expect(await encode(await draw(700, 400).png().toBuffer())).toMatchObject({ width: 700, height: 400 });
  expect((await encode(await draw(400, 9000).png().toBuffer())).height).toBe(2400);
});

// Guarantee: one organization's pictures don't stop another's, and none stop the process.
test("pictures are decoded in turns, off the main thread", async () => {
  const file = await sharp(randomBytes(900 * 700 * 3), { raw: { width: 900, height: 700, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  const ended: string[] = [];
  const flood = Array.from({ length: 12 }, () =>
    encodeImage("flood", file, "screenshot")
      .then(() => void ended.push("flood"))
      .catch((error: unknown) => error),
  );
  setImmediate(() => ended.push("other work"));
  await encodeImage("neighbor", file, "screenshot");
  ended.push("neighbor");
  const done = await Promise.all(flood);
  expect(ended[0]).toBe("other work");
  expect(ended.indexOf("neighbor")).toBeLessThan(ended.lastIndexOf("flood"));
  expect(done).toContainEqual(expect.objectContaining({ code: "TOO_MANY_REQUESTS" }));
});
