/** The code of the threads that check uploads. `uploads.ts` starts them. */
import { parentPort } from "node:worker_threads";
import { Problem } from "@/lib/contract/platform/problem";
import type { SentImage } from "../../images/archive/image";
import { listConfigWarnings } from "../../images/archive/image-config";
import { toStorageProblem } from "../../images/incoming-folder";
import { hasLeakedMemory } from "../../images/archive/decompress";
import { readBundle } from "../../images/archive/read-bundle";
import { writeBlobs, type WrittenImage } from "../../images/keep-blobs";
import { type AcceptedManifest, acceptManifest } from "../accept-manifest";

export interface InspectionOrder {
  /** Contains the upload. The thread writes the blobs of the image into it. */
  folder: string;
  /** `<org-name>/<app-name>`. */
  name: string;
  declaredVersion: string | undefined;
  /** An image that was sent blob by blob, not as an archive. */
  sent?: SentImage;
  /** Which of several images, such as `linux/amd64/v2`. */
  wanted?: string | undefined;
}

export interface InspectedUpload extends AcceptedManifest, WrittenImage {
  imageDigest: string;
  /** Source text of the manifest in the image. */
  imageManifestText: string;
  /** What will keep the app from running. */
  warnings: string[];
}

export type InspectionReport =
  | { inspected: InspectedUpload }
  | {
      refused: Pick<Problem, "code" | "detail" | "issues">;
      /** Whether the thread is to be ended, because it has memory that it can't free. */
      isSpent: boolean;
    };

parentPort?.on("message", (order: InspectionOrder) => {
  void report(order).then((result) => parentPort?.postMessage(result));
});
parentPort?.postMessage("ready");

async function report(order: InspectionOrder): Promise<InspectionReport> {
  try {
    return { inspected: await inspect(order) };
  } catch (error) {
    const problem = toStorageProblem(error);
    if (!(problem instanceof Problem)) throw error;
    const { code, detail, issues } = problem;
    return { refused: { code, detail, issues }, isSpent: hasLeakedMemory() };
  }
}

async function inspect(order: InspectionOrder): Promise<InspectedUpload> {
  const { folder, name, declaredVersion } = order;
  const bundle = await readBundle(folder, order);
  const accepted = acceptManifest(bundle.manifestText, name, declaredVersion);
  const { manifestText: imageManifestText, image } = bundle;
  const written = await writeBlobs(bundle, folder);
  const warnings = listConfigWarnings(image.config);
  return { ...accepted, ...written, imageManifestText, imageDigest: image.digest, warnings };
}
