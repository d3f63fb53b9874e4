package io.tranche.work.decide;

import io.tranche.market.DataException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Records of named texts. The first line decides between CSV with a header and JSON lines.
///
/// It also defines the columns; other fields of later JSON lines are ignored.
final class Records {

  private static final JsonMapper JSON = new JsonMapper();

  private final LineInput lines;
  private List<String> names = List.of();
  private boolean isJson;
  private @Nullable String pending;

  Records(LineInput lines) {
    this.lines = lines;
  }

  /// Returns the columns; null if nothing has come yet.
  ///
  /// @throws DataException if the first line has none
  @Nullable List<String> names() {
    if (!names.isEmpty()) {
      return names;
    }
    String first = lines.next();
    if (first == null) {
      return null;
    }
    isJson = first.stripLeading().startsWith("{");
    if (isJson) {
      pending = first;
      names = List.copyOf(object(first).keySet());
    } else {
      names = List.copyOf(cells(first));
    }
    if (names.isEmpty() || new HashSet<>(names).size() < names.size()) {
      throw new DataException(place(), "different columns", names);
    }
    return names;
  }

  String place() {
    return lines.place();
  }

  /// Returns the next record with one text per column, empty where it has none; null if there is no
  /// record, or none yet.
  @Nullable List<String> next() {
    if (names() == null) {
      return null;
    }
    String line = pending == null ? lines.next() : pending;
    pending = null;
    if (line == null) {
      return null;
    }
    if (isJson) {
      Map<String, String> object = object(line);
      return names.stream().map(name -> object.getOrDefault(name, "")).toList();
    }
    List<String> cells = cells(line);
    if (cells.size() != names.size()) {
      throw new DataException(place(), names.size() + " cells", cells.size());
    }
    return cells;
  }

  private Map<String, String> object(String line) {
    try {
      JsonNode node = JSON.readTree(line);
      var texts = new LinkedHashMap<String, String>();
      for (var property : node.properties()) {
        JsonNode value = property.getValue();
        if (value.isContainer()) {
          throw new DataException(place(), "a number or text as " + property.getKey(), value);
        }
        texts.put(property.getKey(), value.isNull() ? "" : value.asString());
      }
      if (!node.isObject()) {
        throw new DataException(place(), "a JSON object", line);
      }
      return texts;
    } catch (JacksonException e) {
      throw new DataException(place(), "a JSON object", e.getOriginalMessage(), e);
    }
  }

  private List<String> cells(String line) {
    var cells = new ArrayList<String>();
    var cell = new StringBuilder();
    boolean isQuoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"' && isQuoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
        cell.append(c);
        i++;
      } else if (c == '"') {
        isQuoted = !isQuoted;
      } else if (c == ',' && !isQuoted) {
        cells.add(cell.toString());
        cell.setLength(0);
      } else {
        cell.append(c);
      }
    }
    if (isQuoted) {
      throw new DataException(place(), "a quote that ends on its line", line);
    }
    cells.add(cell.toString());
    return cells;
  }

  /// Returns a text as a number; NaN if it is empty and `isOptional`.
  ///
  /// @throws DataException if it is not a number
  double number(String name, String text, boolean isOptional) {
    String stripped = text.strip();
    if (isOptional && (stripped.isEmpty() || stripped.equalsIgnoreCase("nan"))) {
      return Double.NaN;
    }
    try {
      double number = Double.parseDouble(stripped);
      if (Double.isFinite(number)) {
        return number;
      }
    } catch (NumberFormatException _) {
      // named below
    }
    throw new DataException(place(), "a number as " + name, "'" + text + "'");
  }
}
