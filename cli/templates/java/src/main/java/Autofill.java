import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

class Autofill {
  private static final Pattern STEP = Pattern.compile("[^.$\\[\\]'\"]+");

  /** Converts the VIN to its standard form, in the field where this customer's product stores it. */
  static Map<String, Object> autofill(Map<String, Object> call, Map<String, Object> state) {
    Map<String, String> settings = ReadState.settings(state);
    Map<String, Object> result = new LinkedHashMap<>();
    Object data = call.getOrDefault("data", Map.of());
    result.put("data", data);
    if (settings.containsKey("note")) result.put("note", settings.get("note"));

    String path = ReadState.fields(state, call.get("productName")).getOrDefault("vin", "");
    List<String> steps = STEP.matcher(path).results().map(MatchResult::group).toList();
    if (!(valueAt(data, steps) instanceof String vin) || vin.isEmpty()) return result;

    String standard = vin.toUpperCase().replaceAll("[^A-Z0-9]", "");
    // A VIN has 17 letters and digits, but never I, O or Q.
    boolean isValid = standard.matches("[A-HJ-NPR-Z0-9]{17}");
    // Here, you can ask your data provider about the vehicle, with settings.get("providerKey").
    boolean keep = isValid || !"clear".equals(settings.get("invalidVin"));
    setValueAt(data, steps, keep ? standard : "");
    if (!isValid) result.put("warning", "The VIN is not valid.");
    return result;
  }

  /** Follows a path such as $.vehicles[0].vin or $['vehicle']['vin'], split into the members that it names. */
  private static Object valueAt(Object value, List<String> steps) {
    for (String step : steps) {
      if (value instanceof Map<?, ?> members) value = members.get(step);
      else if (value instanceof List<?> items && step.matches("\\d{1,9}"))
        value = Integer.parseInt(step) < items.size() ? items.get(Integer.parseInt(step)) : null;
      else return null;
    }
    return value;
  }

  @SuppressWarnings("unchecked")
  private static void setValueAt(Object data, List<String> steps, String value) {
    String last = steps.get(steps.size() - 1);
    Object parent = valueAt(data, steps.subList(0, steps.size() - 1));
    if (parent instanceof List<?>) ((List<Object>) parent).set(Integer.parseInt(last), value);
    else ((Map<String, Object>) parent).put(last, value);
  }
}
