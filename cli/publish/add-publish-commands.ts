import type { Command } from "commander";
import { MANIFEST_FILE } from "@/lib/contract/manifest-file";
import type { CliContext } from "../terminal/environment";
import { withExamples } from "../terminal/examples";
import type { PublishOptions } from "./publish";

export function addPublishCommands(program: Command, context: CliContext): void {
  const publish = program
    .command("publish")
    .description("Publish an image under the next version number.")
    .argument(
      "[image]",
      "name of a local image, or path of a `docker save` archive; with --build, the tag (default: <organization>/<app>:latest)",
    )
    .option("--manifest <file>", "path of the manifest, which gets the published version", MANIFEST_FILE)
    .option("--build <folder>", "build the image from this folder first")
    .option("--build-arg <name=value>", "pass an argument to the build (can be repeated)", collect, [])
    .option("--no-bump", "publish the number in the manifest as it is")
    .option(
      "--add-manifest",
      `add the manifest to the image as a layer if /${MANIFEST_FILE} is missing or different`,
    )
    .option(
      "--from <reference>",
      "publish registry.example/app@sha256:… without sending it (REGISTRY_USERNAME and REGISTRY_PASSWORD if it is not public)",
    )
    .option("--notes <text|@file>", "release notes of the version, in Markdown")
    .action(async (image: string | undefined, options: PublishOptions) =>
      (await import("./publish")).publish(context, image, options),
    );
  withExamples(publish, [
    "platform-app publish --build .",
    "platform-app publish --build . --notes @release-notes.md",
    "platform-app publish acme/vin-lookup:latest",
    "platform-app version 2.0.0 && platform-app publish acme/vin-lookup:latest --no-bump",
    "platform-app publish --from registry.example.com/vin-lookup@sha256:…",
  ]);
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}
