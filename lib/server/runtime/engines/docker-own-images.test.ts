import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Docker from "dockerode";
import { afterAll, describe, expect, test } from "vitest";
import { archiveOpener, findBusybox, writeImage } from "@/tests/test-image";
import { findEngineFailure } from "./docker-engine";
import { ensureImage, findImage, ownImages, toTag } from "./docker-image";

const failure =
  (await findEngineFailure()) ?? ((await findBusybox()) === undefined ? "no busybox" : undefined);

describe.skipIf(failure !== undefined)(
  `images of an engine${failure ? ` (skipped: ${failure})` : ""}`,
  async () => {
    const docker = new Docker();
    const folder = await mkdtemp(path.join(tmpdir(), "platform-own-images-"));
    const owner = randomUUID().slice(0, 8);
    const examples = `platform-test-${owner}`;
    const own = ownImages(docker, owner, examples);
    const other = ownImages(docker, randomUUID().slice(0, 8), examples);
    const made: string[] = [];
    afterAll(async () => {
      for (const id of made)
        await docker
          .getImage(id)
          .remove({ force: true })
          .catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    });

    async function given() {
      const archivePath = path.join(folder, `${randomUUID()}.tar`);
      const imageDigest = await writeImage(
        archivePath,
        (await findBusybox()) ?? "",
        `exit 0 # ${randomUUID()}`,
      );
      made.push(imageDigest);
      const order = {
        bundleKind: "image" as const,
        versionId: "v",
        replica: 0,
        organizationId: "",
        imageReference: null,
        appName: "app",
        imageDigest,
        openArchive: await archiveOpener(archivePath),
        environment: { PLATFORM_STATE_API: "http://127.0.0.1:1" },
      };
      return { imageDigest, load: () => ensureImage(docker, order, new Map(), own) };
    }
    const exists = async (id: string) => (await findImage(docker, id)) !== undefined;
    const soon = () => new Date(Date.now() + 60_000);
    const past = () => new Date(Date.now() - 60_000);
    const none = new Set<string>();

    // Guarantee: an image that nothing needs goes when its time is over, and neither before nor while it is needed.
    test("removes an image of ours that nothing wants and that was not used for a while", async () => {
      const { imageDigest, load } = await given();
      await load();
      expect(await own.removeUnused(none, past())).toBe(0);
      expect(await own.removeUnused(new Set([imageDigest]), soon())).toBe(0);
      expect(await other.removeUnused(none, soon())).toBe(0);
      expect(await exists(imageDigest)).toBe(true);
      expect(await own.removeUnused(none, soon())).toBe(1);
      expect(await exists(imageDigest)).toBe(false);
      // It is loaded again when it is needed.
      expect((await load()).id).toBe(imageDigest);
    });

    test("a use renews the time of an image of ours", async () => {
      const [used, unused] = [await given(), await given()];
      const { id } = await used.load();
      await unused.load();
      // Dates have milliseconds.
      await sleep(5);
      const then = new Date();
      await own.noteUse((await findImage(docker, id)) ?? { id, tags: [] });
      await own.removeUnused(none, then);
      expect(await exists(id)).toBe(true);
      expect(await exists(unused.imageDigest)).toBe(false);
    });

    test("keeps images of others, images that others also use, and images of containers", async () => {
      const [stranger, shared, used] = [await given(), await given(), await given()];
      // Loaded without our mark, as by somebody else, and then used by us.
      const strange = await ownlessLoad(stranger);
      await own.noteUse((await findImage(docker, strange)) ?? { id: strange, tags: [] });
      const both = await shared.load();
      await docker.getImage(both.id).tag({ repo: `${examples}.stranger/app`, tag: "latest" });
      const container = await docker.createContainer({ Image: (await used.load()).id });
      await own.removeUnused(none, soon());
      expect(await Promise.all([strange, both.id, used.imageDigest].map(exists))).toEqual([true, true, true]);
      await container.remove();
      await own.removeUnused(none, soon());
      expect(await exists(used.imageDigest)).toBe(false);
    });

    test("removes images that were built from earlier versions of an example, and no other of its tags", async () => {
      const { imageDigest } = await given();
      const { load } = await given();
      const { id } = await load();
      await docker.getImage(id).tag({ repo: `${examples}/vin`, tag: toTag(imageDigest).slice(0, 23) });
      await docker.getImage(id).tag({ repo: `${examples}/vin`, tag: "latest" });
      expect(await other.removeUnused(new Set([imageDigest]), soon())).toBe(0);
      expect(await other.removeUnused(none, soon())).toBe(1);
      expect((await findImage(docker, id))?.tags).toContain(`${examples}/vin:latest`);
    });

    async function ownlessLoad({ imageDigest, load }: Awaited<ReturnType<typeof given>>): Promise<string> {
      await load();
      const archive = await docker.getImage(imageDigest).get();
      const file = path.join(folder, "stranger.tar");
      await writeFile(file, archive);
      await docker.getImage(imageDigest).remove({ force: true });
      await docker.loadImage(createReadStream(file)).then((answer) => answer.resume());
      await expect.poll(() => exists(imageDigest)).toBe(true);
      return imageDigest;
    }
  },
);
