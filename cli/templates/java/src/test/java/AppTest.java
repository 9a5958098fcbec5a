import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Runs without the platform: the test serves the state API, and signs webhooks as the platform does. */
public class AppTest {
  static final byte[] SECRET = new SecureRandom().generateSeed(32);
  static final Map<String, Object> ANSWERS =
      Map.of(
          "/state/psk_1",
          Map.of(
              "settings", Map.of("invalidVin", "clear", "note", "Ask for the registration."),
              "mappings", List.of(Map.of("productName", "Auto", "fields", Map.of("vin", "$.vehicle.vin"))),
              "coreApiUrl", "https://core.example",
              "tenantHostName", "tenant.core.example",
              "token", "token"),
          "/state/psk_1/webhook-secrets",
          Map.of("secrets", List.of("whsec_" + Base64.getEncoder().encodeToString(SECRET))));

  static final HttpClient HTTP = HttpClient.newHttpClient();
  static String app;

  public static void main(String[] args) throws Exception {
    HttpServer stateApi = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    stateApi.createContext("/", AppTest::answerAsStateApi);
    stateApi.start();
    Process process = startApp(stateApi.getAddress().getPort());
    try {
      isHealthy();
      autofillPutsTheVinIntoItsStandardForm();
      autofillClearsAnInvalidVinAsThisCustomerChose();
      eventsAreAcceptedOnlyWithAValidSignature();
      System.out.println("All tests passed.");
    } finally {
      process.destroy();
      stateApi.stop(0);
    }
  }

  static void isHealthy() throws Exception {
    var request = HttpRequest.newBuilder(URI.create(app + "/health")).build();
    check(200, HTTP.send(request, BodyHandlers.discarding()).statusCode());
  }

  static void autofillPutsTheVinIntoItsStandardForm() throws Exception {
    String answer = autofill("wvw-zzz1k zaw123456").body();
    String data = "{\"vehicle\":{\"vin\":\"WVWZZZ1KZAW123456\"}}";
    check("{\"data\":" + data + ",\"note\":\"Ask for the registration.\"}", answer);
  }

  static void autofillClearsAnInvalidVinAsThisCustomerChose() throws Exception {
    var answer = Json.parseObject(autofill("123").body().getBytes());
    check(Map.of("vehicle", Map.of("vin", "")), answer.get("data"));
  }

  static void eventsAreAcceptedOnlyWithAValidSignature() throws Exception {
    String event = "{\"id\":\"evt-1\",\"type\":\"policy.issued\"}";
    String timestamp = String.valueOf(Instant.now().getEpochSecond());
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SECRET, "HmacSHA256"));
    byte[] signature = mac.doFinal(("evt-1." + timestamp + "." + event).getBytes());
    var headers =
        Map.of(
            "webhook-id", "evt-1",
            "webhook-timestamp", timestamp,
            "webhook-signature", "v1," + Base64.getEncoder().encodeToString(signature));
    check(200, post("/events", event, headers).statusCode());
    check(401, post("/events", event.replace("issued", "cancelled"), headers).statusCode());
    check(401, post("/events", event, Map.of()).statusCode());
  }

  static HttpResponse<String> autofill(String vin) throws Exception {
    var data = Map.of("vehicle", Map.of("vin", vin));
    return post("/autofill", new String(Json.write(Map.of("productName", "Auto", "data", data))), Map.of());
  }

  static HttpResponse<String> post(String path, String body, Map<String, String> headers) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(app + path)).POST(BodyPublishers.ofString(body));
    request.header("x-PLATFORM-key", "psk_1");
    headers.forEach(request::header);
    return HTTP.send(request.build(), BodyHandlers.ofString());
  }

  static void answerAsStateApi(HttpExchange request) throws IOException {
    Object answer = ANSWERS.get(request.getRequestURI().getPath());
    byte[] text = Json.write(answer);
    request.sendResponseHeaders(answer == null ? 404 : 200, text.length);
    request.getResponseBody().write(text);
    request.close();
  }

  static Process startApp(int stateApiPort) throws Exception {
    int port;
    try (var probe = new ServerSocket(0)) {
      port = probe.getLocalPort();
    }
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var builder = new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), "App").inheritIO();
    builder.environment().put("PLATFORM_PORT", String.valueOf(port));
    builder.environment().put("PLATFORM_STATE_API", "http://127.0.0.1:" + stateApiPort);
    Process process = builder.start();
    app = "http://127.0.0.1:" + port;
    for (int tries = 0; tries < 200; tries += 1) {
      try (var ignored = new Socket("127.0.0.1", port)) {
        return process;
      } catch (IOException notListeningYet) {
        Thread.sleep(50);
      }
    }
    throw new AssertionError("The app did not start.");
  }

  static void check(Object expected, Object actual) {
    if (!expected.equals(actual)) throw new AssertionError("Expected " + expected + ", got " + actual);
  }
}
