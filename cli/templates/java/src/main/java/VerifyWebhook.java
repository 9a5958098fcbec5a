import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class VerifyWebhook {
  private static final long TOLERANCE_SECONDS = 300;
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  // region secrets
  /** Reads the secrets that sign this customer's webhooks: the current one, then those that a rotation replaced. */
  @SuppressWarnings("unchecked")
  static List<String> readWebhookSecrets(String key) throws IOException, InterruptedException {
    String stateApi = System.getenv("PLATFORM_STATE_API").replaceAll("/$", "");
    String url = stateApi + "/state/" + URLEncoder.encode(key, StandardCharsets.UTF_8) + "/webhook-secrets";
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(5)).build();
    HttpResponse<byte[]> response = HTTP.send(request, BodyHandlers.ofByteArray());
    if (response.statusCode() != 200)
      throw new IOException("The state API returned " + response.statusCode() + ".");
    return (List<String>) Json.parseObject(response.body()).get("secrets");
  }
  // endregion secrets

  // region signature
  /**
   * Returns whether the webhook was signed with one of the secrets within the last five minutes.
   *
   * @param headers of the request, as HttpExchange returns them
   * @param body exactly as it was received
   */
  static boolean isSigned(Map<String, List<String>> headers, byte[] body, List<String> secrets)
      throws GeneralSecurityException {
    String timestamp = first(headers, "Webhook-timestamp");
    if (!timestamp.matches("\\d{1,15}")) return false;
    long age = Instant.now().getEpochSecond() - Long.parseLong(timestamp);
    if (Math.abs(age) > TOLERANCE_SECONDS) return false;

    byte[] start = (first(headers, "Webhook-id") + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8);
    for (String secret : secrets) {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.replace("whsec_", "")), "HmacSHA256"));
      mac.update(start);
      byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes();
      for (String signature : first(headers, "Webhook-signature").split(" "))
        if (MessageDigest.isEqual(expected, signature.getBytes(StandardCharsets.UTF_8))) return true;
    }
    return false;
  }

  private static String first(Map<String, List<String>> headers, String name) {
    List<String> values = headers.getOrDefault(name, List.of());
    return values.isEmpty() ? "" : values.get(0);
  }
  // endregion signature
}
