import type { Command } from "commander";
import { MANIFEST_FILE } from "@/lib/contract/manifest-file";
import type { CliContext } from "../terminal/environment";
import { withExamples } from "../terminal/examples";
import type { CallOptions } from "./call";
import type { DevOptions } from "./dev";

const collect = (value: string, before: string[] = []) => [...before, value];

export function addDevCommands(program: Command, context: CliContext): void {
  const dev = program
    .command("dev")
    .description(
      "Run the app on this machine with made-up customers, and restart it when its files change. Works offline.",
    )
    .argument("[command...]", "what starts the app instead of its Dockerfile, after --")
    .option("--manifest <file>", "path to the manifest; its folder is watched", MANIFEST_FILE)
    .option("--port <number>", "port of the page and the state API (another one if it is taken)", "4700")
    .option("--no-container", "run the app as a process, even if there is a container engine")
    .option("--file <dockerfile>", "Dockerfile to build the image from, in the app's folder", "Dockerfile")
    .option("--build-arg <name=value>", "pass an argument to the build (can be repeated)", collect)
    .option("--no-browser", "don't open the page in a browser")
    .option("--once", "start the app, send every declared call, run all drills, and exit: for CI")
    .action(async (command: string[], options: Omit<DevOptions, "version">) =>
      (await import("./dev")).dev(context, command, { ...options, version: program.version() ?? "" }),
    );
  withExamples(dev, [
    "platform-app dev",
    "platform-app dev -- node server.js",
    "platform-app dev --once --json",
  ]);
  const call = program
    .command("call")
    .description(
      "Send a call to the app that `platform-app dev` runs in this folder, and print the response.",
    )
    .argument("<route>", "path of a declared route, such as /autofill, or a lifecycle event, such as install")
    .option("--customer <name>", "name of a made-up customer, or the start of it (default: the first)")
    .option("--name <name>", "event type or operation (default: the first that the route accepts)")
    .option("--data <json|@file>", "payload (default: a sample of the customer's product)")
    .option("--method <method>", "method, for an endpoint")
    .option("--manifest <file>", "path to the manifest, whose folder dev runs in", MANIFEST_FILE)
    .action(async (route: string, options: CallOptions) =>
      (await import("./call")).call(context, route, options),
    );
  withExamples(call, [
    "platform-app call /autofill",
    "platform-app call /events --name policy.issued --customer summit",
    "platform-app call /autofill --data @payload.json",
  ]);
}
