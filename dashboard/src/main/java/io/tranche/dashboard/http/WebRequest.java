package io.tranche.dashboard.http;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What a browser asks for.
///
/// @param path without the query, such as `/api/runs`
/// @param query values by name, in their order
/// @param body text; empty for none
/// @param isTrusted whether it shows the token, which changes need
public record WebRequest(
    String method,
    String path,
    Map<String, List<String>> query,
    String body,
    boolean isTrusted) {

  public WebRequest {
    query = Map.copyOf(query);
  }

  /// @throws WebException if it is missing
  public String required(String name) {
    String value = optional(name);
    if (value == null) {
      throw WebException.malformed("%s: expected a value, was none".formatted(name));
    }
    return value;
  }

  public @Nullable String optional(String name) {
    List<String> values = query.get(name);
    return values == null || values.getFirst().isEmpty() ? null : values.getFirst();
  }

  public List<String> all(String name) {
    return query.getOrDefault(name, List.of());
  }

  /// @throws WebException if it is not a whole number between both
  public int number(String name, int fallback, int low, int high) {
    return (int) decimal(name, fallback, low, high);
  }

  /// Returns a number, or `fallback` if it is missing.
  ///
  /// @throws WebException if it is not a number between both
  public double decimal(String name, double fallback, double low, double high) {
    String text = optional(name);
    if (text == null) {
      return fallback;
    }
    try {
      double value = Double.parseDouble(text);
      if (value >= low && value <= high) {
        return value;
      }
    } catch (NumberFormatException _) {
      // The same answer as to a number that is out of range.
    }
    throw WebException.malformed(
        "%s: expected a number in [%s, %s], was %s".formatted(name, low, high, text));
  }

  /// @throws WebException if the body is no JSON object
  public JsonNode json() {
    try {
      JsonNode node = JsonMapper.shared().readTree(body);
      if (node != null && node.isObject()) {
        return node;
      }
    } catch (JacksonException _) {
      // The same answer as to another value.
    }
    throw WebException.malformed("body: expected a JSON object, was something else");
  }
}
