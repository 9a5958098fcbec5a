/** A Docker engine of its own, beside the machine's, which a scenario kills and starts again. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { access, mkdtemp, readFile, rm } from "node:fs/promises";
import { networkInterfaces, tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import Docker from "dockerode";
import ipaddr from "ipaddr.js";
import { findEngineFailure } from "@/lib/server/runtime/engines/docker-engine";

const run = promisify(execFile);
const ip = (...args: string[]) => run("ip", args);
const PROGRAMS = ["/usr/sbin/dockerd", "/usr/bin/dockerd", "/usr/local/bin/dockerd"];
const READY_TRIES = 600;
/** Of the bridge that every engine needs. The apps have networks of their own. */
const BRIDGE_RANGE = "10.215";
const APP_RANGE = "10.214";
/** Docker 20.10 panics at each start after it was killed while it wrote a network's record. */
const BROKEN_NETWORKS = "libnetwork.(*controller).reservePools";
const STARTS = 3;

export class TemporaryEngine {
  readonly docker: Docker;
  /** A range that the apps of the machine's own engine don't use. */
  readonly subnets = `${APP_RANGE}.${16 * randomInt(16)}.0/20`;
  /** How often its record of networks had to be deleted. */
  repairs = 0;
  private child: ChildProcess | undefined;

  private constructor(
    private readonly program: string,
    private readonly folder: string,
    private readonly bridge: string,
  ) {
    this.docker = new Docker({ socketPath: this.socketPath });
    process.once("exit", () => this.child?.kill("SIGKILL"));
  }

  /** Undefined if this machine has no Docker engine, or this process may not start one with a bridge of its own. */
  static async start(): Promise<TemporaryEngine | undefined> {
    const program = await findProgram();
    const bridge = `chaos-${randomBytes(3).toString("hex")}`;
    if (program === undefined || process.getuid?.() !== 0) return undefined;
    const canBridge = await ip("link", "add", "name", bridge, "type", "bridge").then(Boolean, () => false);
    if (!canBridge) return undefined;
    const engine = new TemporaryEngine(
      program,
      await mkdtemp(path.join(tmpdir(), "platform-engine-")),
      bridge,
    );
    try {
      await ip("address", "add", `${BRIDGE_RANGE}.${randomInt(256)}.1/29`, "dev", bridge);
      await engine.restart();
      return engine;
    } catch (error) {
      await ip("link", "delete", bridge).catch(() => undefined);
      throw error;
    }
  }

  get socketPath(): string {
    return path.join(this.folder, "engine.sock");
  }

  /** `kill -9`. Its containers run on without it, until the next one ends them. */
  async crash(): Promise<void> {
    const { child } = this;
    if (child === undefined) return;
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    this.child = undefined;
    // Zombies of what it had started may still have their ids, and the next one would wait for them.
    for (const file of ["engine.pid", "exec/containerd/containerd.pid"])
      await rm(path.join(this.folder, file), { force: true });
  }

  /** Resolves when it responds. As an operator would, deletes the record of its networks if that was damaged. */
  async restart(): Promise<void> {
    for (let starts = 1; !(await this.tryStart()); starts += 1) {
      const log = await readFile(path.join(this.folder, "engine.log"), "utf8");
      if (starts === STARTS) throw new Error(`The engine did not start.\n${log.slice(-2_000)}`);
      await this.crash();
      if (!log.includes(BROKEN_NETWORKS)) continue;
      await rm(path.join(this.folder, "data/network/files"), { recursive: true, force: true });
      this.repairs += 1;
    }
  }

  private async tryStart(): Promise<boolean> {
    const at = (name: string) => path.join(this.folder, name);
    const log = openSync(at("engine.log"), "w");
    const folders = ["--data-root", at("data"), "--exec-root", at("exec"), "--pidfile", at("engine.pid")];
    // It uses a bridge and has no rules of its own: without a bridge, an engine removes the one of the machine's engine.
    const network = [
      `--bridge=${this.bridge}`,
      "--iptables=false",
      "--ip6tables=false",
      "--ip-forward=false",
      "--ip-masq=false",
    ];
    const child = spawn(this.program, [...folders, ...network, "--host", `unix://${this.socketPath}`], {
      stdio: ["ignore", log, log],
      detached: true,
    });
    this.child = child;
    closeSync(log);
    for (let tries = 0; tries < READY_TRIES && child.exitCode === null; tries += 1) {
      if ((await findEngineFailure(this.docker)) === undefined) return true;
      await sleep(100);
    }
    return false;
  }

  async end(): Promise<void> {
    // One that was killed has left its containers.
    if (this.child === undefined) await this.restart();
    for (const { Id } of await this.docker.listContainers({ all: true }))
      await this.docker.getContainer(Id).remove({ force: true });
    await this.docker.pruneNetworks();
    const { child } = this;
    child?.kill("SIGTERM");
    if (child !== undefined && child.exitCode === null) await once(child, "exit");
    // What its containers had mounted when it was killed, and its own folder once for each start.
    for (const place of (await this.listMounts()).reverse()) await run("umount", ["--lazy", place]);
    for (const bridge of [this.bridge, ...this.listBridges()])
      await ip("link", "delete", bridge).catch(() => undefined);
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Of networks that it has forgotten. */
  private listBridges(): string[] {
    const own = ipaddr.IPv4.parseCIDR(this.subnets);
    return Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
      addresses.some(({ family, address }) => family === "IPv4" && ipaddr.IPv4.parse(address).match(own))
        ? [name]
        : [],
    );
  }

  private async listMounts(): Promise<string[]> {
    const lines = (await readFile("/proc/mounts", "utf8")).split("\n");
    return lines.flatMap((line) => line.split(" ")[1] ?? []).filter((place) => place.startsWith(this.folder));
  }
}

async function findProgram(): Promise<string | undefined> {
  for (const program of PROGRAMS) {
    const found = await access(program).then(
      () => true,
      () => false,
    );
    if (found) return program;
  }
  return undefined;
}
