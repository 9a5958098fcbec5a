import { KEY_HEADER } from "@/lib/contract/names";
import { type SnippetFacts, joinLines, stringLiteral as quote } from "./snippet-text";

export function nodeSnippet({ path, setting, mappingField, hooks }: SnippetFacts): string {
  return joinLines(
    `// server.mjs, for Node 20 and newer: node server.mjs`,
    `import { createServer } from "node:http";`,
    `import { json } from "node:stream/consumers";`,
    ``,
    `const stateApi = process.env.PLATFORM_STATE_API.replace(/\\/$/, "");`,
    ``,
    `// The state of the customer of this call.`,
    `// Fetch it for each call; don't store it.`,
    `async function readState(key) {`,
    `  const response = await fetch(\`\${stateApi}/state/\${encodeURIComponent(key)}\`);`,
    `  if (!response.ok) throw new Error(\`the state API answered \${response.status}\`);`,
    `  return response.json();`,
    `}`,
    ``,
    `const server = createServer(async (request, response) => {`,
    `  const answer = (status, body) =>`,
    `    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));`,
    `  const { pathname } = new URL(request.url, "http://app");`,
    `  if (request.method === "GET" && pathname === "/health") return answer(200, { ok: true });`,
    hooks &&
      `  if (request.method === "GET" && pathname.startsWith("/_app/")) return answer(200, { ok: true });`,
    `  if (request.method !== "POST" || pathname !== ${quote(path)}) return answer(404, { error: "not found" });`,
    `  try {`,
    mappingField !== undefined && `    const call = await json(request);`,
    `    const state = await readState(request.headers[${quote(KEY_HEADER.toLowerCase())}] ?? "");`,
    setting !== undefined && `    // Undefined if the customer skipped it.`,
    setting !== undefined && `    const setting = state.settings[${quote(setting)}];`,
    mappingField !== undefined && `    // The path in this product, such as "$.vehicle.vin".`,
    mappingField !== undefined &&
      `    const product =\n      state.mappings.find((each) => each.productName === call.productName) ?? state.mappings[0];`,
    mappingField !== undefined && `    const mappedTo = product?.fields[${quote(mappingField)}];`,
    `    return answer(200, {`,
    `      tenant: state.tenantHostName,`,
    setting !== undefined && `      settingIsSet: setting !== undefined,`,
    mappingField !== undefined && `      mappedTo,`,
    `    });`,
    `  } catch (error) {`,
    `    console.error(error.message);`,
    `    return answer(502, { error: "could not handle the call" });`,
    `  }`,
    `});`,
    `server.listen(Number(process.env.PLATFORM_PORT));`,
  );
}
