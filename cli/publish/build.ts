import path from "node:path";
import { MANIFEST_FILE } from "@/lib/contract/manifest-file";
import { buildImage, defaultTag, requireFolder } from "../image/build-image";
import { readWorkingManifest } from "../manifest/working-manifest";
import type { CliContext } from "../terminal/environment";
import { visible } from "../terminal/failure";
import { interruptible } from "../terminal/interruptible";
import { quote } from "../terminal/quote";

export interface BuildOptions {
  tag?: string;
  file: string;
  buildArg?: readonly string[];
  manifest?: string;
}

/** Builds the image as `publish --build` does, after the manifest is checked. */
export async function build(
  { environment, terminal }: CliContext,
  folder: string,
  options: BuildOptions,
): Promise<void> {
  await requireFolder(folder, folder);
  const manifestFile = options.manifest ?? path.join(folder, MANIFEST_FILE);
  const { name, version } = (await readWorkingManifest(manifestFile, terminal)).manifest;
  const image = options.tag ?? defaultTag(name);
  const { file, buildArg: buildArgs = [] } = options;
  terminal.note(`Building ${visible(image)}…`);
  await interruptible("Stopped. The image was not built.", (signal) =>
    buildImage(environment, { tag: image, folder, file, buildArgs }, signal),
  );
  terminal.result(`Built  ${visible(image)}`);
  terminal.data({ name, version, image });
  const where = manifestFile === MANIFEST_FILE ? "" : ` --manifest ${quote(manifestFile)}`;
  terminal.note(`Publish it:  platform-app publish ${quote(image)}${where}`);
}
