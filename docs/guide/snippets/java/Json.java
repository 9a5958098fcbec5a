import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads and writes JSON as maps, lists, strings, numbers, booleans and null, because the JDK can't. Replace it with
 * the library of your choice, such as Jackson.
 */
class Json {
  private static final int MAX_DEPTH = 100;
  private static final Pattern WORD =
      Pattern.compile("true|false|null|-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d{1,4})?");
  private static final Pattern ESCAPE = Pattern.compile("[\"\\\\/bfnrt]|u[0-9A-Fa-f]{4}");

  private final String text;
  private int at = 0;
  private int depth = 0;

  private Json(String text) {
    this.text = text;
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> parseObject(byte[] bytes) {
    if (parse(bytes) instanceof Map<?, ?> members) return (Map<String, Object>) members;
    throw new IllegalArgumentException("This is not a JSON object.");
  }

  static Object parse(byte[] bytes) {
    Json json = new Json(new String(bytes, StandardCharsets.UTF_8));
    Object value = json.readValue();
    if (json.peek() != '\0') throw json.wrong();
    return value;
  }

  static byte[] write(Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  private Object readValue() {
    switch (peek()) {
      case '{':
        return readMembers();
      case '[':
        return readItems();
      case '"':
        return readString();
      default:
        return readWord();
    }
  }

  private Map<String, Object> readMembers() {
    Map<String, Object> members = new LinkedHashMap<>();
    enter();
    while (peek() != '}') {
      if (!members.isEmpty()) expect(',');
      if (peek() != '"') throw wrong();
      String name = readString();
      expect(':');
      members.put(name, readValue());
    }
    leave();
    return members;
  }

  private List<Object> readItems() {
    List<Object> items = new ArrayList<>();
    enter();
    while (peek() != ']') {
      if (!items.isEmpty()) expect(',');
      items.add(readValue());
    }
    leave();
    return items;
  }

  private String readString() {
    StringBuilder out = new StringBuilder();
    at += 1;
    while (at < text.length() && text.charAt(at) != '"') {
      char next = text.charAt(at++);
      if (next < ' ') throw wrong();
      if (next == '\\') next = readEscape();
      out.append(next);
    }
    if (at == text.length()) throw wrong();
    at += 1;
    return out.toString();
  }

  private char readEscape() {
    Matcher escape = match(ESCAPE);
    String name = escape.group();
    if (name.length() > 1) return (char) Integer.parseInt(name.substring(1), 16);
    return "\"\\/\b\f\n\r\t".charAt("\"\\/bfnrt".indexOf(name));
  }

  private Object readWord() {
    String word = match(WORD).group();
    return switch (word) {
      case "true", "false" -> word.equals("true");
      case "null" -> null;
      default -> new BigDecimal(word);
    };
  }

  private void enter() {
    depth += 1;
    if (depth > MAX_DEPTH) throw wrong();
    at += 1;
  }

  private void leave() {
    depth -= 1;
    at += 1;
  }

  /** The next character that is not white space, or 0 at the end. */
  private char peek() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at += 1;
    return at < text.length() ? text.charAt(at) : '\0';
  }

  private void expect(char mark) {
    if (peek() != mark) throw wrong();
    at += 1;
  }

  private Matcher match(Pattern pattern) {
    Matcher matcher = pattern.matcher(text).region(at, text.length());
    if (!matcher.lookingAt()) throw wrong();
    at = matcher.end();
    return matcher;
  }

  private IllegalArgumentException wrong() {
    return new IllegalArgumentException("This is not valid JSON at character " + (at + 1) + ".");
  }

  private static void write(Object value, StringBuilder out) {
    if (value instanceof Map<?, ?> members) {
      String separator = "{";
      for (Map.Entry<?, ?> member : members.entrySet()) {
        out.append(separator);
        writeString(member.getKey().toString(), out);
        out.append(':');
        write(member.getValue(), out);
        separator = ",";
      }
      out.append(members.isEmpty() ? "{}" : "}");
    } else if (value instanceof List<?> items) {
      String separator = "[";
      for (Object item : items) {
        out.append(separator);
        write(item, out);
        separator = ",";
      }
      out.append(items.isEmpty() ? "[]" : "]");
    } else if (value instanceof String string) writeString(string, out);
    else out.append(value);
  }

  private static void writeString(String value, StringBuilder out) {
    out.append('"');
    for (char each : value.toCharArray()) {
      if (each == '"' || each == '\\') out.append('\\').append(each);
      else if (each < ' ') out.append(String.format("\\u%04x", (int) each));
      else out.append(each);
    }
    out.append('"');
  }
}
