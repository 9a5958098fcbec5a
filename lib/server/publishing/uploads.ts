/** The uploads that this process is receiving or checking. Each has a folder of its own until it ends. */
import { Problem } from "@/lib/contract/problem";
import { createIncomingFolder, removeIncomingFolder } from "../blobs/incoming";
import type { Environment } from "../platform/environment";

export interface Upload {
  organizationId: string;
  folder: string;
  /** Aborted when the sender is gone or the process ends. */
  signal: AbortSignal;
  /** Removes the folder. */
  end: () => Promise<void>;
}

/** Something that the end of the process aborts and waits for. */
interface Tracked {
  signal: AbortSignal;
  end: () => void;
}

interface Active {
  controller: AbortController;
  ended: Promise<void>;
}

const active = new Set<Active>();

/** For what writes no files of its own. The caller must end it. */
export function trackUpload(sender: AbortSignal): Tracked {
  const controller = new AbortController();
  let leave = () => {};
  const entry = { controller, ended: new Promise<void>((resolve) => (leave = resolve)) };
  active.add(entry);
  const end = () => {
    active.delete(entry);
    leave();
  };
  return { signal: AbortSignal.any([sender, controller.signal]), end };
}

/** The caller must end it. */
export async function beginUpload(
  environment: Environment,
  organizationId: string,
  sender: AbortSignal = new AbortController().signal,
): Promise<Upload> {
  const tracked = trackUpload(sender);
  let folder = "";
  const end = async () => {
    if (folder !== "") await removeIncomingFolder(folder);
    tracked.end();
  };
  try {
    folder = await createIncomingFolder(environment);
  } catch (error) {
    await end();
    throw error;
  }
  return { organizationId, folder, signal: tracked.signal, end };
}

/** Refuses what is still being received or checked, and resolves when nothing of it is left on the disk. */
export async function abortUploads(): Promise<void> {
  const restarting = new Problem("UNAVAILABLE", "The platform is restarting. Publish again in a moment.");
  const uploads = [...active];
  for (const { controller } of uploads) controller.abort(restarting);
  await Promise.all(uploads.map(({ ended }) => ended));
}
