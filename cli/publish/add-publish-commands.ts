import { Argument, type Command } from "commander";
import { MANIFEST_FILE } from "@/lib/contract/manifest-file";
import type { CliContext } from "../terminal/environment";
import { withExamples } from "../terminal/examples";
import { addAppOptions, type AppOptions } from "../manifest/app-options";
import type { BuildOptions } from "./build";
import type { WebPage } from "./open";
import type { PublishOptions } from "./publish";

const WEB_PAGES: readonly WebPage[] = ["listing", "docs", "logs", "calls", "keys"];

export function addPublishCommands(program: Command, context: CliContext): void {
  const build = program
    .command("build")
    .description("Check the manifest, then build the app's image for amd64.")
    .argument("[folder]", "folder of the app", ".")
    .option("--tag <name>", "name of the image (default: the app's name, such as acme/vin-lookup:latest)")
    .option("--file <dockerfile>", "Dockerfile in the app's folder", "Dockerfile")
    .option("--build-arg <name=value>", "pass an argument to the build (can be repeated)", collect)
    .option("--manifest <file>", `path to the manifest (default: ${MANIFEST_FILE} in the app's folder)`)
    .action(async (folder: string, options: BuildOptions) =>
      (await import("./build")).build(context, folder, options),
    );
  withExamples(build, [
    "platform-app build",
    "platform-app build . --tag acme/vin-lookup:1.4.0 --build-arg BASE=node:24-slim",
  ]);
  const publish = program
    .command("publish")
    .description("Publish an image under the next version number.")
    .argument(
      "[image]",
      "name of a local image, or path to a `docker save` archive; with --build, the name of the image to build (default: the app's name, such as acme/vin-lookup:latest)",
    )
    .option(
      "--manifest <file>",
      "path to the manifest, which is updated with the published version",
      MANIFEST_FILE,
    )
    .option("--build <folder>", "build the image from this folder first")
    .option("--build-arg <name=value>", "pass an argument to the build (can be repeated)", collect)
    .option("--no-bump", "publish the version number in the manifest without increasing it")
    .option(
      "--add-manifest",
      `add the manifest to the image as a layer if /${MANIFEST_FILE} is missing or different`,
    )
    .option(
      "--from <reference>",
      "publish an image from a registry, such as registry.example/app@sha256:… (if it is private, set REGISTRY_USERNAME and REGISTRY_PASSWORD)",
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
  const open = addAppOptions(
    program
      .command("open")
      .description("Open a page of the app in the browser, or print its URL if no browser is available.")
      .addArgument(new Argument("[page]", "page to open").choices(WEB_PAGES).default("listing")),
  ).action(async (page: WebPage, options: AppOptions) =>
    (await import("./open")).openPage(context, page, options),
  );
  withExamples(open, ["platform-app open", "platform-app open logs", "platform-app open keys --json"]);
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}
