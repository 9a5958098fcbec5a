/** A folder for saved logins, and platforms on loopback that answer `whoami` and record the keys they receive. */
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach } from "vitest";
import { runProgram } from "@/cli/program";
import { readCliEnvironment } from "@/cli/terminal/environment";
import { recordTerminal } from "@/cli/terminal/test-terminal";
import { Problem } from "@/lib/contract/platform/problem";

export const WEB_URL = "https://pages.example";

/** The options of `login`. The platform accepts every key that ends in "secret" and calls its organization by the client ID. */
export function keyOf(slug: string): string[] {
  return ["--client-id", `pci_${slug}`, "--api-key", "pak_secret"];
}

class Account {
  folder = "";
  output = recordTerminal();
  servers: Server[] = [];

  get file(): string {
    return path.join(this.folder, "platform-app", "credentials.json");
  }

  async startPlatform() {
    const received: string[] = [];
    const server = createServer((request, response) => {
      // The gateway has no such address.
      if (request.url === "/api/platform") return void response.writeHead(404).end();
      const sent = Buffer.from(request.headers.authorization?.slice("Basic ".length) ?? "", "base64");
      const [, slug, apiKey] = /^pci_([^:]*):(.*)$/.exec(sent.toString()) ?? [];
      received.push(sent.toString());
      const isRight = slug !== undefined && apiKey === "pak_secret";
      const answer = isRight
        ? {
            organization: { slug, name: slug.toUpperCase() },
            apiKey: { name: "CI", scopes: ["publish", "logs:read"] },
            webUrl: WEB_URL,
          }
        : new Problem("WRONG_CREDENTIALS", "The key is wrong.").body();
      response
        .writeHead(isRight ? 200 : 401, { "content-type": "application/json" })
        .end(JSON.stringify(answer));
    });
    this.servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    return { url: `http://127.0.0.1:${port}`, port, received };
  }

  /** The web of a platform, which shows pages for everything it doesn't know. */
  async startPages(gatewayUrl: string) {
    const keys: string[] = [];
    const server = createServer(({ url, headers }, response) => {
      if (headers.authorization !== undefined) keys.push(headers.authorization);
      if (url === "/api/platform") response.end(JSON.stringify({ gatewayUrl }));
      else response.writeHead(404, { "content-type": "text/html" }).end("<html>");
    });
    this.servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    return { url: `http://127.0.0.1:${port}`, keys };
  }

  /** Runs a command with a new terminal. */
  run(argv: string[], variables: Record<string, string | undefined> = {}): Promise<number> {
    this.output = recordTerminal();
    return runProgram(argv, readCliEnvironment({ XDG_CONFIG_HOME: this.folder, ...variables }), this.output);
  }

  /** The JSON that a command prints. */
  async read(argv: string[], variables: Record<string, string | undefined> = {}) {
    await this.run([...argv, "--json"], variables);
    return JSON.parse(this.output.results.join(""));
  }
}

/** A new one before each test of a file. */
export function givenAccount(): Account {
  const account = new Account();
  beforeEach(async () => {
    account.folder = await mkdtemp(path.join(tmpdir(), "cli-"));
    account.servers = [];
  });
  afterEach(async () => {
    for (const server of account.servers) server.closeAllConnections();
    await Promise.all(account.servers.map((server) => new Promise((resolve) => server.close(resolve))));
    await rm(account.folder, { recursive: true, force: true });
  });
  return account;
}
