import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

class ReadState {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  // region state
  /**
   * Reads the state of the customer that a request is for: settings, mappings, and access to the customer's core.
   *
   * @param key the value of the request's x-PLATFORM-key header
   */
  static Map<String, Object> readState(String key) throws IOException, InterruptedException {
    String stateApi = System.getenv("PLATFORM_STATE_API").replaceAll("/$", "");
    String url = stateApi + "/state/" + URLEncoder.encode(key, StandardCharsets.UTF_8);
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(5)).build();
    HttpResponse<byte[]> response = HTTP.send(request, BodyHandlers.ofByteArray());
    if (response.statusCode() != 200)
      throw new IOException("The state API returned " + response.statusCode() + ".");
    return Json.parseObject(response.body());
  }

  /** The customer's values, by setting name. A skipped setting is absent. */
  @SuppressWarnings("unchecked")
  static Map<String, String> settings(Map<String, Object> state) {
    return (Map<String, String>) state.get("settings");
  }
  // endregion state

  // region mapping
  /** Where a product stores each mapping field. Empty for a product that isn't mapped. */
  @SuppressWarnings("unchecked")
  static Map<String, String> fields(Map<String, Object> state, Object productName) {
    for (Map<String, Object> mapping : (List<Map<String, Object>>) state.get("mappings"))
      if (mapping.get("productName").equals(productName)) return (Map<String, String>) mapping.get("fields");
    return Map.of();
  }
  // endregion mapping
}
