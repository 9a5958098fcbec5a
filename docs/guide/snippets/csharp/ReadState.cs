using System.Net.Http.Headers;
using System.Net.Http.Json;

// region state
/// <summary>What the customer that a request is for has configured, and access to the customer's core.</summary>
/// <param name="Settings">By setting name. Settings that the customer skipped are absent.</param>
public record State(
    Dictionary<string, string> Settings,
    List<Mapping> Mappings,
    string CoreApiUrl,
    string TenantHostName,
    string Token);

public record Mapping(string ProductName, Dictionary<string, string> Fields);

public static class ReadState
{
    private static readonly HttpClient Http = new() { Timeout = TimeSpan.FromSeconds(5) };

    /// <param name="key">The value of the request's x-PLATFORM-key header.</param>
    public static async Task<State> ReadAsync(string key)
    {
        var stateApi = Environment.GetEnvironmentVariable("PLATFORM_STATE_API")!.TrimEnd('/');
        var state = await Http.GetFromJsonAsync<State>($"{stateApi}/state/{Uri.EscapeDataString(key)}");
        return state ?? throw new HttpRequestException("The state API returned no content.");
    }
    // endregion state

    // region mapping
    /// <summary>Where a product stores each mapping field. Empty for a product that isn't mapped.</summary>
    public static Dictionary<string, string> FindFields(this State state, string productName) =>
        state.Mappings.Find(mapping => mapping.ProductName == productName)?.Fields ?? [];
    // endregion mapping

    // region core
    /// <summary>
    /// Reads from the API of the customer's core, such as /policies/P-1. The token is valid for this customer only.
    /// </summary>
    public static async Task<T?> ReadFromCoreAsync<T>(this State state, string path)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, state.CoreApiUrl + path);
        request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", state.Token);
        using var response = await Http.SendAsync(request);
        response.EnsureSuccessStatusCode();
        return await response.Content.ReadFromJsonAsync<T>();
    }
    // endregion core
}
