/**
 * The snippets of the documentation, each run as it is shown. How they refuse webhooks is tested by
 * cli/init/templates.test.ts: the files are the same.
 */
import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TemplateName } from "@/cli/init/templates";
import type { StateRecord } from "@/lib/contract/state-record";
import { BUILD_ENVIRONMENT, findMissing, prepareGo, startStateApi } from "@/tests/template-app";

const run = promisify(execFile);
const TEMPLATES = path.join(import.meta.dirname, "../../../cli/templates");
const SECRET = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;

/** Each snippet, and where the template has it. */
const COPIES = [
  ["node/read_state.mjs", "node/read-state.mjs"],
  ["node/verify_webhook.mjs", "node/verify-webhook.mjs"],
  ["python/read_state.py", "python/read_state.py"],
  ["python/verify_webhook.py", "python/verify_webhook.py"],
  ["java/ReadState.java", "java/src/main/java/ReadState.java"],
  ["java/VerifyWebhook.java", "java/src/main/java/VerifyWebhook.java"],
  ["java/Json.java", "java/src/main/java/Json.java"],
  ["go/read_state.go", "go/read_state.go"],
  ["go/verify_webhook.go", "go/verify_webhook.go"],
] as const;

// Guarantee: what the documentation shows is what `platform-app init` creates. No template calls the core.
test.each(COPIES)("%s is the template's file", async (snippet, copy) => {
  const shown = await readFile(path.join(import.meta.dirname, snippet), "utf8");
  const own = shown
    .replace(/^ *(\/\/|#) region core\n[^]*endregion core\n/m, "")
    .replaceAll(/^ *(\/\/|#) (end)?region \w+\n/gm, "");
  const lines = (text: string) => text.split("\n").filter((line) => line.trim() !== "");
  expect(lines(own)).toEqual(lines(await readFile(path.join(TEMPLATES, copy), "utf8")));
});

/** Programs that use every snippet of a language, and print what they return. They get the webhook as arguments. */
const PROGRAMS: Record<TemplateName, { file: string; text: string; build?: string[]; start: string[] }> = {
  node: {
    file: "main.mjs",
    start: ["node", "main.mjs"],
    text: `
      import { findFields, readFromCore, readState } from "./read_state.mjs";
      import { isSigned, readWebhookSecrets } from "./verify_webhook.mjs";
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
    file: "main.py",
    start: ["python3", "main.py"],
    text: `
import json, sys
from read_state import find_fields, read_from_core, read_state
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
    file: "Main.java",
    build: ["javac", "-d", ".", "Main.java", "Json.java", "ReadState.java", "VerifyWebhook.java"],
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
              ReadState.readFromCore(state, "/policies/P-1").get("id"),
              VerifyWebhook.isSigned(headers, args[4].getBytes(), secrets),
              VerifyWebhook.isSigned(headers, (args[4] + " ").getBytes(), secrets)))));
        }
      }`,
  },
  go: {
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
const LANGUAGES = ["node", "python", "java", "go"] as const;

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
      const { file, text, build, start } = PROGRAMS[language];
      const cwd = await mkdtemp(path.join(tmpdir(), "snippets-"));
      try {
        await cp(path.join(import.meta.dirname, language), cwd, { recursive: true });
        if (language === "go") await cp(path.join(TEMPLATES, "go/go.mod"), path.join(cwd, "go.mod"));
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
