/** The code of the threads that check uploads. `inspection-threads.ts` starts them. */
import path from "node:path";
import { parentPort } from "node:worker_threads";
import { Problem } from "@/lib/contract/problem";
import { toStorageProblem } from "../bundles/bundle-store";
import { readBundle } from "../bundles/read-bundle";
import { writeArchive, type WrittenArchive } from "../bundles/write-archive";
import { acceptManifest, type AcceptedManifest } from "../versions/accept-manifest";

export interface InspectionOrder {
  /** Contains the upload. The thread writes the normalized archive into it. */
  folder: string;
  /** `<org-name>/<app-name>`. */
  name: string;
  declaredVersion: string | undefined;
}

export interface InspectedUpload extends AcceptedManifest, WrittenArchive {
  imageDigest: string;
  /** Source text of the manifest in the image. */
  imageManifestText: string;
  /** Path of the normalized archive. */
  file: string;
}

export type InspectionReport =
  { inspected: InspectedUpload } | { refused: Pick<Problem, "code" | "detail" | "issues"> };

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
    return { refused: { code, detail, issues } };
  }
}

async function inspect({ folder, name, declaredVersion }: InspectionOrder): Promise<InspectedUpload> {
  const bundle = await readBundle(folder);
  const accepted = acceptManifest(bundle.manifestText, name, declaredVersion);
  const file = path.join(folder, "normalized");
  const { manifestText: imageManifestText, image } = bundle;
  const written = await writeArchive(bundle, file);
  return { ...accepted, ...written, imageManifestText, imageDigest: image.digest, file };
}
