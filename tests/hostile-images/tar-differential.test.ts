/** The platform's tar reader against tar-stream, on archives that one of them or both can read. */
import tar from "tar-stream";
import { expect, test } from "vitest";
import { type TarEntry, TarScanner } from "@/lib/server/images/archive/tar-scanner";
import { toText } from "@/lib/server/images/archive/tar-text";
import { createTar, type Item } from "@/lib/server/images/archive/test-archives";
import { createRandom } from "./case";
import { mutate } from "./mutate";

type Read = Pick<TarEntry, "name" | "size">[] | "refused";

function scan(bytes: Buffer): Read {
  const entries: TarEntry[] = [];
  const scanner = new TarScanner((entry) => void entries.push(entry));
  try {
    scanner.push(bytes);
    scanner.end();
  } catch (error) {
    // Anything but the documented plain error would be a crash.
    if (!(error instanceof Error) || error.name !== "Error") throw error;
    return "refused";
  }
  // Layers with such an entry are refused when it is looked at.
  if (entries.some(({ name }) => name === "")) return "refused";
  return entries
    .filter(({ type }) => type === "file")
    .map(({ name, size }) => ({ name: toText(name), size }));
}

async function extract(bytes: Buffer): Promise<Read> {
  const reader = tar.extract();
  reader.end(bytes);
  const files: Read = [];
  try {
    for await (const entry of reader) {
      const { name, size = 0, type } = entry.header;
      if (type === "file" || type === "contiguous-file") files.push({ name, size });
      entry.resume();
    }
  } catch {
    return "refused";
  }
  return files;
}

function randomItems(random: () => number): Item[] {
  return Array.from({ length: 1 + Math.floor(random() * 12) }, (_, at): Item => {
    const name = `${"d/".repeat(Math.floor(random() * 80))}f${at}${random() < 0.3 ? "é…".repeat(20) : ""}`;
    return { name, content: "x".repeat(Math.floor(random() * 2_000)) };
  });
}

// Guarantee: an honest tar has the same files in the platform's reader as in the one of the Node world.
test("1,000 honest tars: the same names and sizes, also with long and foreign names", async () => {
  const random = createRandom(57);
  for (let left = 1_000; left > 0; left -= 1) {
    const bytes = await createTar(randomItems(random));
    expect(scan(bytes)).toEqual(await extract(bytes));
  }
});

// Guarantee: what both readers accept is the same; the platform's is the stricter one and never crashes.
test("5,000 mutated tars: whatever both read, they read alike", async () => {
  const random = createRandom(58);
  let both = 0;
  const different: number[] = [];
  for (let seed = 0; seed < 5_000; seed += 1) {
    const bytes = mutate(await createTar(randomItems(random)), seed);
    const [one, other] = [scan(bytes), await extract(bytes)];
    if (one === "refused" || other === "refused") continue;
    both += 1;
    if (JSON.stringify(one) !== JSON.stringify(other)) different.push(seed);
  }
  console.log(
    `figure tar_differential_both ${both} tars\nfigure tar_differential_different ${different.length} tars`,
  );
  expect(different).toEqual([]);
}, 120_000);
