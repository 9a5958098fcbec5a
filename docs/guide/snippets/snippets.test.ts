/**
 * The code that the documentation shows, run together: files of the templates, and of this folder. How they refuse webhooks is
 * tested by cli/commands/templates.test.ts.
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TemplateName } from "@/cli/commands/templates";
import type { StateRecord } from "@/lib/contract/catalog/configuration";
import {
  BUILD_ENVIRONMENT,
  findMissing,
  isLanguageDue,
  prepareGo,
  startStateApi,
} from "@/tests/template-app";

const run = promisify(execFile);
const TEMPLATES = path.join(import.meta.dirname, "../../../cli/templates");
const SECRET = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;

interface Program {
  /** The template's files that the documentation shows. */
  shown: string[];
  file: string;
  text: string;
  build?: string[];
  start: string[];
}

/** Programs that use every snippet of a language, and print what they return. They get the webhook as arguments. */
const PROGRAMS: Record<TemplateName, Program> = {
  node: {
    shown: ["node/read-state.mjs", "node/verify-webhook.mjs"],
    file: "main.mjs",
    start: ["node", "main.mjs"],
    text: `
      import { readFromCore } from "./read-core.mjs";
      import { findFields, readState } from "./read-state.mjs";
      import { isSigned, readWebhookSecrets } from "./verify-webhook.mjs";
      const [key, id, timestamp, signature, body] = process.argv.slice(2);
      const state = await readState(key);
      const secrets = await readWebhookSecrets(key);
      const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
      console.log(JSON.stringify([
        state.settings.region, findFields(state, "Auto").vin, (await readFromCore(state, "/policies/P-1")).id,
        isSigned(headers, Buffer.from(body), secrets), isSigned(headers, Buffer.from(body + " "), secrets),
      ]));`,
  },
  python: {
    shown: ["python/read_state.py", "python/verify_webhook.py"],
    file: "main.py",
    start: ["python3", "main.py"],
    text: `
import json, sys
from read_core import read_from_core
from read_state import find_fields, read_state
from verify_webhook import is_signed, read_webhook_secrets
key, id, timestamp, signature, body = sys.argv[1:]
state = read_state(key)
secrets = read_webhook_secrets(key)
headers = {"Webhook-Id": id, "Webhook-Timestamp": timestamp, "Webhook-Signature": signature}
print(json.dumps([
    state["settings"]["region"], find_fields(state, "Auto")["vin"], read_from_core(state, "/policies/P-1")["id"],
    is_signed(headers, body.encode(), secrets), is_signed(headers, (body + " ").encode(), secrets),
]))`,
  },
  java: {
    shown: [
      "java/src/main/java/ReadState.java",
      "java/src/main/java/VerifyWebhook.java",
      "java/src/main/java/Json.java",
    ],
    file: "Main.java",
    build: [
      "javac",
      "-d",
      ".",
      "Main.java",
      "Json.java",
      "ReadCore.java",
      "ReadState.java",
      "VerifyWebhook.java",
    ],
    start: ["java", "-XX:TieredStopAtLevel=1", "Main"],
    text: `
      import java.util.*;
      class Main {
        public static void main(String[] args) throws Exception {
          var state = ReadState.readState(args[0]);
          var secrets = VerifyWebhook.readWebhookSecrets(args[0]);
          var headers = Map.of("Webhook-id", List.of(args[1]), "Webhook-timestamp", List.of(args[2]),
              "Webhook-signature", List.of(args[3]));
          System.out.println(new String(Json.write(List.of(
              ReadState.settings(state).get("region"), ReadState.fields(state, "Auto").get("vin"),
              ReadCore.readFromCore(state, "/policies/P-1").get("id"),
              VerifyWebhook.isSigned(headers, args[4].getBytes(), secrets),
              VerifyWebhook.isSigned(headers, (args[4] + " ").getBytes(), secrets)))));
        }
      }`,
  },
  go: {
    shown: ["go/go.mod", "go/read_state.go", "go/verify_webhook.go"],
    file: "main.go",
    build: ["go", "build", "-o", "main"],
    start: ["./main"],
    text: `
      package main

      import ("context"; "encoding/json"; "net/http"; "os")

      func main() {
        ctx, key := context.Background(), os.Args[1]
        state, err := ReadState(ctx, key)
        if err != nil { panic(err) }
        var policy struct{ ID string }
        if err := state.ReadFromCore(ctx, "/policies/P-1", &policy); err != nil { panic(err) }
        secrets, err := ReadWebhookSecrets(ctx, key)
        if err != nil { panic(err) }
        headers := http.Header{}
        for i, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
          headers.Set(name, os.Args[2+i])
        }
        json.NewEncoder(os.Stdout).Encode([]any{
          state.Settings["region"], state.Fields("Auto")["vin"], policy.ID,
          IsSigned(headers, []byte(os.Args[5]), secrets), IsSigned(headers, []byte(os.Args[5]+" "), secrets),
        })
      }`,
  },
};

/** C# is not run: .NET is on no machine that tests this. */
const LANGUAGES = (["node", "python", "java", "go"] as const).filter(isLanguageDue);

let core: Server;
let stateApi: Server;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  core = createServer((request, response) => {
    const isAllowed = request.headers.authorization === "Bearer token-of-harbor";
    response
      .writeHead(isAllowed && request.url === "/api/policies/P-1" ? 200 : 401)
      .end(JSON.stringify({ id: "P-1" }));
  });
  await once(core.listen(0, "127.0.0.1"), "listening");
  const address = core.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const state: StateRecord = {
    settings: { region: "eu" },
    mappings: [
      { productName: "Home", fields: {} },
      { productName: "Auto", fields: { vin: "$.vehicle.vin" } },
    ],
    coreApiUrl: `http://127.0.0.1:${port}/api`,
    tenantHostName: "harbor.core.example",
    token: "token-of-harbor",
  };
  const { server, origin } = await startStateApi({ "psk_a/b": { state, secrets: [SECRET] } });
  stateApi = server;
  env = { ...BUILD_ENVIRONMENT, PLATFORM_STATE_API: `${origin}/`, KEY: "psk_a%2Fb" };
});

afterAll(() => {
  core.close();
  stateApi.close();
});

test("the state is read on the command line as the documentation shows", async ({ skip }) => {
  const isThere = await run("curl", ["--version"]).then(
    () => true,
    () => false,
  );
  if (!isThere) skip("curl is not installed");
  const { stdout } = await run("sh", ["-c", 'curl -s "$PLATFORM_STATE_API/state/$KEY"'], {
    env: { ...env, PLATFORM_STATE_API: env.PLATFORM_STATE_API?.replace(/\/$/, "") },
  });
  expect(JSON.parse(stdout)).toMatchObject({ tenantHostName: "harbor.core.example" });
});

describe.each(LANGUAGES)("the snippets in %s", (language) => {
  test(
    "read settings, mappings and the core, and verify a webhook",
    { timeout: 240_000 },
    async ({ skip }) => {
      const missing = await findMissing(language);
      if (missing !== undefined) skip(missing);
      const { shown, file, text, build, start } = PROGRAMS[language];
      const cwd = await mkdtemp(path.join(tmpdir(), "snippets-"));
      try {
        await cp(path.join(import.meta.dirname, language), cwd, { recursive: true });
        for (const each of shown) await cp(path.join(TEMPLATES, each), path.join(cwd, path.basename(each)));
        await writeFile(path.join(cwd, file), text);
        if (language === "go") await prepareGo();
        if (build !== undefined) await run(build[0] ?? "", build.slice(1), { cwd, env });
        const [at, body] = [new Date(), `{"id":"evt-1"}`];
        const timestamp = String(Math.floor(at.getTime() / 1000));
        const signature = new Webhook(SECRET).sign("evt-1", at, body);
        const args = [...start.slice(1), "psk_a/b", "evt-1", timestamp, signature, body];
        const { stdout } = await run(start[0] ?? "", args, { cwd, env });
        expect(JSON.parse(stdout)).toEqual(["eu", "$.vehicle.vin", "P-1", true, false]);
      } finally {
        await rm(cwd, { recursive: true });
      }
    },
  );
});
