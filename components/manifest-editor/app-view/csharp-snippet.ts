import { KEY_HEADER } from "@/lib/contract/names";
import { type SnippetFacts, joinLines, stringLiteral as quote } from "./snippet-text";

export function csharpSnippet({ path, setting, mappingField, hooks }: SnippetFacts): string {
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
    `    var key = Uri.EscapeDataString(request.Headers[${quote(KEY_HEADER)}].ToString());`,
    `    return (await http.GetFromJsonAsync<State>($"{stateApi}/state/{key}"))!;`,
    `}`,
    ``,
    `app.MapGet("/health", () => Results.Ok());`,
    hooks && `app.MapGet("/_app/{hook}", (string hook) => Results.Ok());`,
    `app.MapPost(${quote(template)}, async (${parameters}) =>`,
    `{`,
    `    var state = await ReadState(request);`,
    setting !== undefined && `    // Null if the customer skipped it.`,
    setting !== undefined && `    var setting = state.Settings.GetValueOrDefault(${quote(setting)});`,
    mappingField !== undefined && `    // The path in this product, such as "$.vehicle.vin".`,
    mappingField !== undefined &&
      `    var productName = call.TryGetProperty("productName", out var name)\n        ? name.GetString() : null;`,
    mappingField !== undefined &&
      `    var product = state.Mappings.Find(each => each.ProductName == productName)\n        ?? state.Mappings.FirstOrDefault();`,
    mappingField !== undefined &&
      `    var mappedTo = product?.Fields.GetValueOrDefault(${quote(mappingField)});`,
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
