import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;

class ReadCore {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  // region core
  /** Reads from the API of the customer's core, such as /policies/P-1. The token is valid for this customer only. */
  static Map<String, Object> readFromCore(Map<String, Object> state, String path)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(state.get("coreApiUrl") + path))
            .header("Authorization", "Bearer " + state.get("token"))
            .timeout(Duration.ofSeconds(5))
            .build();
    HttpResponse<byte[]> response = HTTP.send(request, BodyHandlers.ofByteArray());
    if (response.statusCode() != 200) throw new IOException("The core returned " + response.statusCode() + ".");
    return Json.parseObject(response.body());
  }
  // endregion core
}
