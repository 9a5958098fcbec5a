using System.Globalization;
using System.Net.Http.Json;
using System.Security.Cryptography;
using System.Text;

public static class VerifyWebhook
{
    private const long ToleranceSeconds = 300;
    private static readonly HttpClient Http = new() { Timeout = TimeSpan.FromSeconds(5) };

    private record WebhookSecrets(List<string> Secrets);

    // region secrets
    /// <summary>
    /// Reads the secrets that sign this customer's webhooks: the current one, then those that a rotation replaced.
    /// </summary>
    public static async Task<List<string>> ReadSecretsAsync(string key)
    {
        var stateApi = Environment.GetEnvironmentVariable("PLATFORM_STATE_API")!.TrimEnd('/');
        var url = $"{stateApi}/state/{Uri.EscapeDataString(key)}/webhook-secrets";
        var answer = await Http.GetFromJsonAsync<WebhookSecrets>(url);
        return answer?.Secrets ?? throw new HttpRequestException("The state API returned no content.");
    }
    // endregion secrets

    // region signature
    /// <summary>Returns whether the webhook was signed with one of the secrets within the last five minutes.</summary>
    /// <param name="header">The value of a header of the request, or null.</param>
    /// <param name="body">The body, exactly as it was received.</param>
    public static bool IsSigned(Func<string, string?> header, byte[] body, IEnumerable<string> secrets)
    {
        var timestamp = header("webhook-timestamp");
        if (!long.TryParse(timestamp, NumberStyles.None, CultureInfo.InvariantCulture, out var seconds)) return false;
        var age = DateTimeOffset.UtcNow.ToUnixTimeSeconds() - seconds;
        if (age is > ToleranceSeconds or < -ToleranceSeconds) return false;

        var start = Encoding.UTF8.GetBytes($"{header("webhook-id")}.{timestamp}.");
        byte[] content = [.. start, .. body];
        var signatures = (header("webhook-signature") ?? "").Split(' ');
        return secrets.Any(secret =>
        {
            var key = Convert.FromBase64String(secret.Replace("whsec_", ""));
            var expected = "v1," + Convert.ToBase64String(HMACSHA256.HashData(key, content));
            return signatures.Any(signature => CryptographicOperations.FixedTimeEquals(
                Encoding.UTF8.GetBytes(signature), Encoding.UTF8.GetBytes(expected)));
        });
    }
    // endregion signature
}
