/**
 * Which images of an engine this platform put there, and when it last used them. Both are in the engine: our tag says the
 * first, and setting it again renews its time, which says the second. An image that somebody else loaded never gets our tag,
 * and one that others tagged as well stays when our tag is removed.
 */
import type Docker from "dockerode";
import { z } from "zod";
import { isStatus } from "./docker-engine";

/** Images that were built from the folders of example apps. Platforms on one engine share them. */
export const EXAMPLE_REPOSITORY = "platform-demo";
const PUBLISHED_REPOSITORY = "platform-apps";

/** Engines allow no colon in a tag. Tags may be shortened. */
export const toTag = (imageDigest: string) => imageDigest.replace(":", "-");
const DIGEST_TAG = /:(sha256-[0-9a-f]{16,64})$/;

/** Small, so that one pass doesn't keep the engine busy. */
const MOST_AT_ONCE = 20;

const listed = z.array(z.object({ RepoTags: z.array(z.string()).nullish() }));
const inspected = z.object({ Metadata: z.object({ LastTagTime: z.string().optional() }).optional() });

export interface OwnImages {
  /** Marks an image that this platform has just loaded. */
  mark(id: string, imageDigest: string): Promise<void>;
  /** Notes that an image is about to be used, if it is ours. */
  noteUse(image: { id: string; tags: readonly string[] }): Promise<void>;
  /**
   * Removes the images that are ours, were not used since, and have none of these digests. The engine keeps those of
   * containers. Returns how many were removed.
   */
  removeUnused(wanted: ReadonlySet<string>, unusedSince: Date): Promise<number>;
}

/** @param owner identifies the platform on the engine */
export function ownImages(docker: Docker, owner: string, examples = EXAMPLE_REPOSITORY): OwnImages {
  const published = `${PUBLISHED_REPOSITORY}/${owner}`;
  const isOurs = (name: string) => name.startsWith(`${published}:`) || name.startsWith(`${examples}/`);

  async function setTag(id: string, name: string): Promise<void> {
    const colon = name.lastIndexOf(":");
    await docker.getImage(id).tag({ repo: name.slice(0, colon), tag: name.slice(colon + 1) });
  }

  async function listNames(): Promise<string[]> {
    const reference = [published, `${examples}/*`];
    const images = listed.parse(await docker.listImages({ filters: { reference } }));
    return images.flatMap(({ RepoTags }) => RepoTags ?? []).filter(isOurs);
  }

  async function isUnusedSince(name: string, since: Date): Promise<boolean> {
    const { Metadata } = inspected.parse(await docker.getImage(name).inspect());
    // An engine that doesn't say it leaves the decision to what the database knows.
    return Metadata?.LastTagTime === undefined || new Date(Metadata.LastTagTime) < since;
  }

  async function removeIfUnused(name: string, since: Date): Promise<boolean> {
    try {
      if (!(await isUnusedSince(name, since))) return false;
      await docker.getImage(name).remove();
      return true;
    } catch (error) {
      // 404: it is gone. 409: a container uses it.
      if (!isStatus(error, 404, 409)) throw error;
      return false;
    }
  }

  return {
    mark: (id, imageDigest) => setTag(id, `${published}:${toTag(imageDigest)}`),
    noteUse: async ({ id, tags }) => {
      for (const name of tags.filter(isOurs)) await setTag(id, name);
    },
    removeUnused: async (wanted, unusedSince) => {
      const isWanted = (tag: string) => [...wanted].some((digest) => toTag(digest).startsWith(tag));
      let removed = 0;
      for (const name of await listNames()) {
        const tag = DIGEST_TAG.exec(name)?.[1];
        if (tag === undefined || isWanted(tag)) continue;
        if (await removeIfUnused(name, unusedSince)) removed += 1;
        if (removed === MOST_AT_ONCE) break;
      }
      return removed;
    },
  };
}
