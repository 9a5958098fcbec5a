import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.Executors;

/** Handles the platform's requests. Nothing is kept between requests: each has the key to its own customer's state. */
public class App {
  interface Route {
    Object answer(HttpExchange request, byte[] body) throws Exception;
  }

  static class Refusal extends Exception {
    final int status;

    Refusal(int status, String message) {
      super(message);
      this.status = status;
    }
  }

  static final Map<String, Route> ROUTES =
      Map.of(
          "GET /health", (request, body) -> Map.of("ok", true),
          "POST /autofill", App::answerAutofill,
          "POST /events", App::answerEvent);

  public static void main(String[] args) throws IOException {
    int port = Integer.parseInt(System.getenv().getOrDefault("PLATFORM_PORT", "8080"));
    HttpServer server = HttpServer.create(new InetSocketAddress(port), 0);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext("/", App::handle);
    server.start();
    // Give calls in progress a second to finish before the app stops.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> server.stop(1)));
  }

  static Object answerAutofill(HttpExchange request, byte[] body) throws Exception {
    return Autofill.autofill(parse(body), ReadState.readState(key(request)));
  }

  static Object answerEvent(HttpExchange request, byte[] body) throws Exception {
    if (!VerifyWebhook.isSigned(
        request.getRequestHeaders(), body, VerifyWebhook.readWebhookSecrets(key(request))))
      throw new Refusal(401, "The signature is not valid.");
    Map<String, Object> event = parse(body);
    Map<String, Object> state = ReadState.readState(key(request));
    System.out.println(event.get("type") + " (" + event.get("id") + ") of " + state.get("tenantHostName"));
    return Map.of("received", event.get("id"));
  }

  static String key(HttpExchange request) {
    String key = request.getRequestHeaders().getFirst("x-PLATFORM-key");
    return key == null ? "" : key;
  }

  static Map<String, Object> parse(byte[] body) throws Refusal {
    try {
      return Json.parseObject(body);
    } catch (IllegalArgumentException error) {
      throw new Refusal(400, "The body is not a valid JSON object.");
    }
  }

  static void handle(HttpExchange request) throws IOException {
    Route route = ROUTES.get(request.getRequestMethod() + " " + request.getRequestURI().getPath());
    int status = 200;
    Object answer;
    try {
      if (route == null) throw new Refusal(404, "Not found.");
      answer = route.answer(request, request.getRequestBody().readAllBytes());
    } catch (Refusal refusal) {
      status = refusal.status;
      answer = Map.of("error", refusal.getMessage());
    } catch (Exception error) {
      error.printStackTrace();
      status = 502;
      answer = Map.of("error", String.valueOf(error.getMessage()));
    }
    byte[] text = Json.write(answer);
    request.getResponseHeaders().set("Content-Type", "application/json");
    request.sendResponseHeaders(status, text.length);
    request.getResponseBody().write(text);
    request.close();
  }
}
