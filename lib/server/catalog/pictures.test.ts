import sharp from "sharp";
import { expect, test } from "vitest";
import { listingDrafts, listings, reviews } from "@/drizzle/schema/catalog";
import { givenListing, givenMember, SAMPLE_TEXT, testPlatform } from "@/tests/test-platform";
import { removeOldRecords } from "../surface/remove-old-records";
import { receiveImage, serveImage, storeImage } from "./pictures";

const platform = await testPlatform();

const picture = (red: number) =>
  sharp({ create: { width: 400, height: 300, channels: 3, background: { r: red, g: 40, b: 40 } } })
    .png()
    .toBuffer();

test("a stored picture is served forever as a picture and nothing else", async () => {
  const member = await givenMember(platform);
  const { digest, width } = await storeImage(platform, member, await picture(10), "screenshot");
  expect(width).toBe(400);
  const answer = await serveImage(platform, `${digest}.webp`);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "image/webp",
    "cache-control": "public, max-age=31536000, immutable",
    "content-security-policy": expect.stringContaining("default-src 'none'"),
    "x-content-type-options": "nosniff",
  });
  expect((await sharp(await answer.arrayBuffer()).metadata()).format).toBe("webp");
});

test.each(["", "x.webp", `${"a".repeat(64)}.webp`, `${"a".repeat(64)}.svg`, `../${"a".repeat(64)}.webp`])(
  "%j is not found",
  async (file) => {
    await expect(serveImage(platform, file)).rejects.toMatchObject({ code: "NOT_FOUND" });
  },
);

test("a file over 5 MiB is refused while it arrives, and an unknown use at once", async () => {
  const member = await givenMember(platform);
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      controller.enqueue(new Uint8Array(1024 * 1024));
    },
  });
  const request = (use: string) =>
    new Request(`http://x/api/images?use=${use}`, { method: "POST", body, duplex: "half" } as RequestInit);
  await expect(receiveImage(platform, member, request("icon"))).rejects.toMatchObject({ code: "TOO_LARGE" });
  expect(sent).toBeLessThan(9);
  const other = new Request("http://x/api/images?use=banner", { method: "POST", body: "x" });
  await expect(receiveImage(platform, member, other)).rejects.toMatchObject({ code: "BAD_INPUT" });
});

test("an organization has a quota, and the same picture counts once", async () => {
  const member = await givenMember(platform);
  const small = { ...platform, environment: { ...platform.environment, PLATFORM_IMAGE_QUOTA_MB: 1 } };
  await storeImage(small, member, await picture(1), "screenshot");
  await platform.pool.query(
    `insert into images (organization_id, digest, width, height, bytes)
     select organization_id, 'x', 1, 1, decode(repeat('00', 1000000 - octet_length(bytes)), 'hex') from images`,
  );
  await storeImage(small, member, await picture(1), "screenshot");
  const another = await picture(200);
  await expect(storeImage(small, member, another, "screenshot")).rejects.toMatchObject({
    code: "QUOTA_EXCEEDED",
  });
  await storeImage(small, await givenMember(platform, "harbor"), another, "screenshot");
  const { rows } = await platform.pool.query("select count(*)::int as count from images");
  expect(rows).toEqual([{ count: 3 }]);
});

// Guarantee: no listing, draft or review loses a picture, and unused pictures are removed.
test("retention removes pictures that nothing shows, a day after their upload", async () => {
  const member = await givenMember(platform);
  const { listing, version } = await givenListing(platform, member);
  const digests: string[] = [];
  for (const red of [1, 50, 100, 150, 200, 250])
    digests.push((await storeImage(platform, member, await picture(red), "screenshot")).digest);
  const [icon = "", shown = "", drafted = "", reviewed = "", unused = "", fresh = ""] = digests;
  const screenshots = (image: string) => [{ image, caption: "" }];
  await platform.db.update(listings).set({ icon, screenshots: screenshots(shown) });
  await platform.db.insert(listingDrafts).values({
    listingId: listing.id,
    text: { ...SAMPLE_TEXT, screenshots: screenshots(drafted) },
    updatedBy: "user:x",
  });
  await platform.db.insert(reviews).values({
    listingId: listing.id,
    versionId: version.id,
    text: { ...SAMPLE_TEXT, icon: reviewed },
    submittedBy: member.userId,
  });
  // Another organization's use doesn't keep a picture.
  const stranger = await givenMember(platform, "harbor");
  await storeImage(platform, stranger, await picture(1), "screenshot");
  await platform.pool.query("update images set created_at = now() - interval '25 hours' where digest <> $1", [
    fresh,
  ]);
  expect(await removeOldRecords(platform, { pauseMs: 0, batchSize: 1 })).toMatchObject({ images: 2 });
  const { rows } = await platform.pool.query<{ digest: string }>("select digest from images");
  expect(rows.map(({ digest }) => digest).sort()).toEqual([icon, shown, drafted, reviewed, fresh].sort());
  expect(rows.map(({ digest }) => digest)).not.toContain(unused);
});
