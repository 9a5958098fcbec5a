/** Complete apps that read their state: each answers `/health` and one route. */
import type { MappingField, Setting } from "@/lib/contract/catalog/manifest";
import { isSensitive } from "@/lib/contract/platform/manifest-terms";
import { KEY_HEADER } from "@/lib/contract/platform/text";
import type { PreviewedRoute } from "./preview-store";

export interface Snippet {
  id: "node" | "python" | "java" | "csharp";
  language: string;
  code: string;
}

export function createSnippets(facts: SnippetFacts): Snippet[] {
  return [
    { id: "node", language: "Node", code: nodeSnippet(facts) },
    { id: "python", language: "Python", code: pythonSnippet(facts) },
    { id: "java", language: "Java", code: javaSnippet(facts) },
    { id: "csharp", language: "C#", code: csharpSnippet(facts) },
  ];
}

function nodeSnippet({ path, setting, mappingField, hooks }: SnippetFacts): string {
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
    `  if (request.method !== "POST" || pathname !== ${stringLiteral(path)}) return answer(404, { error: "not found" });`,
    `  try {`,
    mappingField !== undefined && `    const call = await json(request);`,
    `    const state = await readState(request.headers[${stringLiteral(KEY_HEADER.toLowerCase())}] ?? "");`,
    setting !== undefined && `    // Undefined if the customer skipped it.`,
    setting !== undefined && `    const setting = state.settings[${stringLiteral(setting)}];`,
    mappingField !== undefined && `    // The path in this product, such as "$.vehicle.vin".`,
    mappingField !== undefined &&
      `    const product =\n      state.mappings.find((each) => each.productName === call.productName) ?? state.mappings[0];`,
    mappingField !== undefined && `    const mappedTo = product?.fields[${stringLiteral(mappingField)}];`,
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

function pythonSnippet({ path, setting, mappingField, hooks }: SnippetFacts): string {
  const known = `path == "/health"${hooks ? ' or path.startswith("/_app/")' : ""}`;
  return joinLines(
    `# server.py, for Python 3.9 and newer: python3 server.py`,
    `import json`,
    `import os`,
    `from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer`,
    `from urllib.parse import quote, urlsplit`,
    `from urllib.request import urlopen`,
    ``,
    `STATE_API = os.environ["PLATFORM_STATE_API"].rstrip("/")`,
    ``,
    ``,
    `def read_state(key):`,
    `    """The state of the customer of this call. Fetch it for each call; don't store it."""`,
    `    with urlopen(f"{STATE_API}/state/{quote(key, safe='')}", timeout=5) as response:`,
    `        return json.load(response)`,
    ``,
    ``,
    `class App(BaseHTTPRequestHandler):`,
    `    def do_GET(self):`,
    `        path = urlsplit(self.path).path`,
    `        known = ${known}`,
    `        self.answer(200 if known else 404, {"ok": known})`,
    ``,
    `    def do_POST(self):`,
    `        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))`,
    `        if urlsplit(self.path).path != ${pythonLiteral(path)}:`,
    `            return self.answer(404, {"error": "not found"})`,
    `        try:`,
    mappingField !== undefined && `            call = json.loads(body)`,
    `            state = read_state(self.headers.get(${pythonLiteral(KEY_HEADER)}, ""))`,
    `        except (OSError, ValueError) as error:`,
    `            self.log_error("%s", error)`,
    `            return self.answer(502, {"error": "could not handle the call"})`,
    `        result = {"tenant": state["tenantHostName"]}`,
    setting !== undefined && `        # None if the customer skipped it.`,
    setting !== undefined && `        setting = state["settings"].get(${pythonLiteral(setting)})`,
    setting !== undefined && `        result["settingIsSet"] = setting is not None`,
    mappingField !== undefined && `        # The path in this product, such as "$.vehicle.vin".`,
    mappingField !== undefined &&
      `        fields = {each["productName"]: each["fields"] for each in state["mappings"]}`,
    mappingField !== undefined &&
      `        product = fields.get(call.get("productName")) or next(iter(fields.values()), {})`,
    mappingField !== undefined && `        result["mappedTo"] = product.get(${pythonLiteral(mappingField)})`,
    `        self.answer(200, result)`,
    ``,
    `    def answer(self, status, result):`,
    `        body = json.dumps(result).encode()`,
    `        self.send_response(status)`,
    `        self.send_header("Content-Type", "application/json")`,
    `        self.send_header("Content-Length", str(len(body)))`,
    `        self.end_headers()`,
    `        self.wfile.write(body)`,
    ``,
    ``,
    `ThreadingHTTPServer(("", int(os.environ["PLATFORM_PORT"])), App).serve_forever()`,
  );
}

/** Uses Jackson because the JDK can't parse JSON. */
function javaSnippet({ path, setting, mappingField, hooks }: SnippetFacts): string {
  return joinLines(
    `// App.java, for Java 17 and newer, with com.fasterxml.jackson.core:jackson-databind 2.x`,
    `import com.fasterxml.jackson.databind.JsonNode;`,
    `import com.fasterxml.jackson.databind.ObjectMapper;`,
    `import com.sun.net.httpserver.HttpExchange;`,
    `import com.sun.net.httpserver.HttpServer;`,
    `import java.io.IOException;`,
    `import java.net.InetSocketAddress;`,
    `import java.net.URI;`,
    `import java.net.URLEncoder;`,
    `import java.net.http.HttpClient;`,
    `import java.net.http.HttpRequest;`,
    `import java.net.http.HttpResponse.BodyHandlers;`,
    `import java.nio.charset.StandardCharsets;`,
    `import java.util.LinkedHashMap;`,
    `import java.util.Map;`,
    `import java.util.concurrent.Executors;`,
    ``,
    `public class App {`,
    `  static final ObjectMapper JSON = new ObjectMapper();`,
    `  static final HttpClient HTTP = HttpClient.newHttpClient();`,
    `  static final String STATE_API = System.getenv("PLATFORM_STATE_API").replaceAll("/$", "");`,
    ``,
    `  public static void main(String[] args) throws IOException {`,
    `    int port = Integer.parseInt(System.getenv("PLATFORM_PORT"));`,
    `    HttpServer server = HttpServer.create(new InetSocketAddress(port), 0);`,
    `    server.setExecutor(Executors.newCachedThreadPool());`,
    `    server.createContext("/", App::handle);`,
    `    server.start();`,
    `  }`,
    ``,
    `  static void handle(HttpExchange exchange) throws IOException {`,
    `    String call = exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();`,
    `    if (call.equals("GET /health")) answer(exchange, 200, Map.of("ok", true));`,
    hooks && `    else if (call.startsWith("GET /_app/")) answer(exchange, 200, Map.of("ok", true));`,
    `    else if (call.equals(${stringLiteral(`POST ${path}`)})) serve(exchange);`,
    `    else answer(exchange, 404, Map.of("error", "not found"));`,
    `  }`,
    ``,
    `  static void serve(HttpExchange exchange) throws IOException {`,
    mappingField !== undefined && `    JsonNode call = JSON.readTree(exchange.getRequestBody());`,
    `    JsonNode state = readState(exchange.getRequestHeaders().getFirst(${stringLiteral(KEY_HEADER)}));`,
    `    if (state == null) {`,
    `      answer(exchange, 502, Map.of("error", "could not read the state"));`,
    `      return;`,
    `    }`,
    `    Map<String, Object> result = new LinkedHashMap<>();`,
    `    result.put("tenant", state.get("tenantHostName").asText());`,
    setting !== undefined && `    // Null if the customer skipped it.`,
    setting !== undefined && `    JsonNode setting = state.get("settings").get(${stringLiteral(setting)});`,
    setting !== undefined && `    result.put("settingIsSet", setting != null);`,
    mappingField !== undefined && `    // The path in this product, such as "$.vehicle.vin".`,
    mappingField !== undefined && `    JsonNode product = state.get("mappings").path(0);`,
    mappingField !== undefined &&
      `    for (JsonNode each : state.get("mappings"))\n      if (each.get("productName").equals(call.get("productName"))) product = each;`,
    mappingField !== undefined &&
      `    result.put("mappedTo", product.path("fields").get(${stringLiteral(mappingField)}));`,
    `    answer(exchange, 200, result);`,
    `  }`,
    ``,
    `  /** The state of the customer of this call. Fetch it for each call; don't store it. */`,
    `  static JsonNode readState(String key) {`,
    `    if (key == null) return null;`,
    `    String url = STATE_API + "/state/" + URLEncoder.encode(key, StandardCharsets.UTF_8);`,
    `    try {`,
    `      var response = HTTP.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());`,
    `      return response.statusCode() == 200 ? JSON.readTree(response.body()) : null;`,
    `    } catch (IOException | InterruptedException error) {`,
    `      return null;`,
    `    }`,
    `  }`,
    ``,
    `  static void answer(HttpExchange exchange, int status, Map<String, Object> result) throws IOException {`,
    `    byte[] body = JSON.writeValueAsBytes(result);`,
    `    exchange.getResponseHeaders().set("Content-Type", "application/json");`,
    `    exchange.sendResponseHeaders(status, body.length);`,
    `    exchange.getResponseBody().write(body);`,
    `    exchange.close();`,
    `  }`,
    `}`,
  );
}

function csharpSnippet({ path, setting, mappingField, hooks }: SnippetFacts): string {
  // Braces have a meaning in route templates unless doubled.
  const template = path.replaceAll("{", "{{").replaceAll("}", "}}");
  const parameters =
    mappingField === undefined ? "HttpRequest request" : "HttpRequest request, JsonElement call";
  return joinLines(
    `// Program.cs, for .NET 8 and newer: dotnet new web, dotnet run`,
    mappingField !== undefined && `using System.Text.Json;`,
    mappingField !== undefined && ``,
    `var stateApi = Environment.GetEnvironmentVariable("PLATFORM_STATE_API")!.TrimEnd('/');`,
    `var port = Environment.GetEnvironmentVariable("PLATFORM_PORT");`,
    `var http = new HttpClient { Timeout = TimeSpan.FromSeconds(5) };`,
    `var app = WebApplication.CreateBuilder(args).Build();`,
    ``,
    `// The state of the customer of this call. Fetch it for each call; don't store it.`,
    `async Task<State> ReadState(HttpRequest request)`,
    `{`,
    `    var key = Uri.EscapeDataString(request.Headers[${stringLiteral(KEY_HEADER)}].ToString());`,
    `    return (await http.GetFromJsonAsync<State>($"{stateApi}/state/{key}"))!;`,
    `}`,
    ``,
    `app.MapGet("/health", () => Results.Ok());`,
    hooks && `app.MapGet("/_app/{hook}", (string hook) => Results.Ok());`,
    `app.MapPost(${stringLiteral(template)}, async (${parameters}) =>`,
    `{`,
    `    var state = await ReadState(request);`,
    setting !== undefined && `    // Null if the customer skipped it.`,
    setting !== undefined && `    var setting = state.Settings.GetValueOrDefault(${stringLiteral(setting)});`,
    mappingField !== undefined && `    // The path in this product, such as "$.vehicle.vin".`,
    mappingField !== undefined &&
      `    var productName = call.TryGetProperty("productName", out var name)\n        ? name.GetString() : null;`,
    mappingField !== undefined &&
      `    var product = state.Mappings.Find(each => each.ProductName == productName)\n        ?? state.Mappings.FirstOrDefault();`,
    mappingField !== undefined &&
      `    var mappedTo = product?.Fields.GetValueOrDefault(${stringLiteral(mappingField)});`,
    `    return Results.Json(new`,
    `    {`,
    `        tenant = state.TenantHostName,`,
    setting !== undefined && `        settingIsSet = setting is not null,`,
    mappingField !== undefined && `        mappedTo,`,
    `    });`,
    `});`,
    ``,
    `app.Run($"http://*:{port}");`,
    ``,
    `record State(`,
    `    Dictionary<string, string> Settings, List<Mapping> Mappings,`,
    `    string CoreApiUrl, string TenantHostName, string Token);`,
    `record Mapping(string ProductName, Dictionary<string, string> Fields);`,
  );
}

// What the snippets mention of a manifest, and how names become string literals in them.

export interface SnippetFacts {
  /** The path that the platform calls. */
  path: string;
  /** Undefined when the app has no settings. */
  setting: string | undefined;
  mappingField: string | undefined;
  /** The platform calls lifecycle hooks. */
  hooks: boolean;
}

interface DeclaredApp {
  settings: readonly Setting[];
  mappingFields: readonly MappingField[];
  routes: readonly PreviewedRoute[];
}

/** The first of each, preferring a setting that isn't sensitive. */
export function snippetFacts({ settings, mappingFields, routes }: DeclaredApp): SnippetFacts {
  const setting = settings.find((each) => !isSensitive(each)) ?? settings[0];
  return {
    path: routes.find(({ kind }) => kind !== "lifecycle" && kind !== "endpoint")?.path ?? "/autofill",
    setting: setting?.name,
    mappingField: mappingFields[0]?.name,
    hooks: routes.some(({ kind }) => kind === "lifecycle"),
  };
}

/** For JavaScript, Java and C#: one line of ASCII, so that no character can hide or reorder code. */
function stringLiteral(text: string): string {
  return JSON.stringify(text).replace(/[^\x20-\x7e]/g, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`);
}

/** Python escapes code points rather than UTF-16 units. */
function pythonLiteral(text: string): string {
  return JSON.stringify(text).replace(/[^\x20-\x7e]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
  });
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

/** Leaves out lines that are `false`. */
function joinLines(...lines: (string | false)[]): string {
  return `${lines.filter((line) => line !== false).join("\n")}\n`;
}
