/** Building an image with a `docker` command that a test writes. */
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { givenCli, SOURCE } from "@/tests/cli/publishing-cli";

const cli = givenCli();
const bin = () => path.join(cli.folder, "bin");
/** Without the question whether the engine runs. */
const calls = async () =>
  (await readFile(path.join(cli.folder, "calls"), "utf8")).replaceAll(/^version .*\n/gm, "");

/** Keeps its arguments, and exits with these statuses. */
async function givenDocker(build: number, version = 0): Promise<void> {
  const script = [
    "#!/bin/sh",
    `echo "$@" >> ${path.join(cli.folder, "calls")}`,
    `[ "$1" = version ] && exit ${version}`,
    `exit ${build}`,
  ];
  await writeFile(path.join(bin(), "docker"), script.join("\n"));
  await chmod(path.join(bin(), "docker"), 0o755);
}

beforeEach(async () => {
  await mkdir(bin());
  cli.inherited = { PATH: `${bin()}:/usr/bin:/bin` };
});

describe("build", () => {
  test("checks the manifest, builds, and names the next command", async () => {
    await givenDocker(0);
    expect(await cli.run(["build", cli.folder]), cli.output.notes.join("\n")).toBe(0);
    const file = path.join(cli.folder, "Dockerfile");
    expect(await calls()).toBe(
      `build --platform linux/amd64 --tag acme/x-app:latest --file ${file} ${cli.folder}\n`,
    );
    expect(cli.output.results).toEqual(["Built  acme/x-app:latest"]);
    expect(cli.output.notes.at(-1)).toBe(
      `Publish it:  platform-app publish acme/x-app:latest --manifest ${cli.manifestFile}`,
    );
    const more = ["--tag", "other:2", "--file", "docker/app", "--build-arg", "A=1", "--json"];
    expect(await cli.run(["build", cli.folder, ...more])).toBe(0);
    expect(await calls()).toContain(`--tag other:2 --file ${cli.folder}/docker/app --build-arg A=1 `);
    const result = { name: "acme/x-app", version: "1.4.2", image: "other:2" };
    expect(JSON.parse(cli.output.results.at(-1) ?? "")).toEqual(result);
  });

  test("builds nothing from an invalid manifest, without an engine, or from a missing folder", async () => {
    await givenDocker(0);
    await writeFile(cli.manifestFile, SOURCE.replace("1.4.2", "1.4"));
    expect(await cli.run(["build", cli.folder])).toBe(4);
    await expect(calls()).rejects.toThrow();
    await writeFile(cli.manifestFile, SOURCE);
    expect(await cli.run(["build", path.join(cli.folder, "none")])).toBe(2);
    await givenDocker(1, 1);
    expect(await cli.run(["build", cli.folder])).toBe(1);
    expect(cli.output.notes.join("\n")).toMatch(/No container engine is running,[^]*Start Docker/);
  });
});

describe("publish --build", () => {
  const publish = (...more: string[]) =>
    cli.run(["publish", "--manifest", cli.manifestFile, "--build", cli.folder, ...more]);

  test("tags the image with the app's name and builds it for amd64, with all build arguments", async () => {
    await givenDocker(0);
    // No engine has the image that this command only claims to build.
    expect(await publish("--build-arg", "BASE=alpine", "--build-arg", "TAG=3")).toBe(1);
    const options =
      "--platform linux/amd64 --tag acme/x-app:latest --build-arg BASE=alpine --build-arg TAG=3";
    const asked = "image inspect --format {{.Id}} {{.Size}} {{.Created}} acme/x-app:latest";
    expect(await calls()).toBe(`build ${options} ${cli.folder}\n${asked}\n`);
    expect(await cli.run(["publish", "other:1", "--manifest", cli.manifestFile, "--build", cli.folder])).toBe(
      1,
    );
    expect(await calls()).toContain("--tag other:1 ");
  });

  test.each([
    ["an error of the build", 3, 0, /couldn't be built \(docker build exited with 3\).*\[BUILD_FAILED\]/],
    [
      "an engine that doesn't run",
      1,
      1,
      /No container engine is running, so the image can't be built\. \[NO_ENGINE\]\n {2}Start Docker/,
    ],
  ])("tells %s", async (_what, build, version, message) => {
    await givenDocker(build, version);
    expect(await publish()).toBe(1);
    expect(cli.output.notes.join("\n")).toMatch(message);
  });

  test("reports a missing engine and a missing folder", async () => {
    cli.inherited = { PATH: bin() };
    expect(await publish()).toBe(1);
    expect(cli.output.notes.join("\n")).toMatch(/The `docker` command was not found,[^]*docker save/);
    const missing = ["publish", "--manifest", cli.manifestFile, "--build", path.join(cli.folder, "none")];
    expect(await cli.run(missing)).toBe(2);
    expect(cli.output.notes.at(-1)).toMatch(/none: this folder does not exist/);
  });
});
