package io.tranche.analysis.report;

import io.tranche.market.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A value of a JSON file that knows where it stands, so that every complaint names the place.
///
/// @param file for complaints
/// @param path within it, such as `orders[3].side`
record JsonPlace(Path file, String path, JsonNode node) {

  /// As many bytes as a report of a million orders has.
  private static final long LARGEST = 512L << 20;

  private static final int SHOWN = 60;

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /// @throws DataException if the file is not there, too large or no JSON object
  static JsonPlace open(Path file) {
    try {
      long size = Files.size(file);
      if (size > LARGEST) {
        throw new DataException(
            file.toString(), "at most %d bytes".formatted(LARGEST), size + " bytes");
      }
      JsonNode root = JSON.readTree(Files.readAllBytes(file));
      if (!root.isObject()) {
        throw new DataException(file.toString(), "a JSON object", root.getNodeType());
      }
      return new JsonPlace(file, "", root);
    } catch (JacksonException e) {
      throw new DataException(
          "%s:%d".formatted(file, e.getLocation() == null ? 0 : e.getLocation().getLineNr()),
          "JSON",
          e.getOriginalMessage(),
          e);
    } catch (IOException e) {
      throw new DataException(file.toString(), "a file that can be read", e.getMessage(), e);
    }
  }

  /// Returns the objects of a file of JSON lines.
  ///
  /// @throws DataException if the file cannot be read, or a line is no JSON object
  static List<JsonPlace> lines(Path file) {
    var places = new ArrayList<JsonPlace>();
    try {
      for (String line : Files.readAllLines(file)) {
        String place = "line " + (places.size() + 1);
        JsonNode node = JSON.readTree(line);
        if (!node.isObject()) {
          throw new DataException(file + ": " + place, "a JSON object", node.getNodeType());
        }
        places.add(new JsonPlace(file, place, node));
      }
      return places;
    } catch (JacksonException e) {
      throw new DataException(
          "%s: line %d".formatted(file, places.size() + 1), "JSON", e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new DataException(file.toString(), "a file that can be read", e.getMessage(), e);
    }
  }

  JsonPlace in(String name) {
    JsonNode child = node.get(name);
    if (child == null) {
      throw wrong("an object with '" + name + "'");
    }
    return new JsonPlace(file, path.isEmpty() ? name : path + "." + name, child);
  }

  boolean has(String name) {
    return node.has(name);
  }

  boolean isNull() {
    return node.isNull();
  }

  String text() {
    if (!node.isString()) {
      throw wrong("text");
    }
    return node.stringValue();
  }

  int integer() {
    if (!node.isInt()) {
      throw wrong("a whole number");
    }
    return node.intValue();
  }

  double number() {
    if (!node.isNumber() || !Double.isFinite(node.asDouble())) {
      throw wrong("a number");
    }
    return node.asDouble();
  }

  /// Returns NaN for null.
  double numberOrNull() {
    return node.isNull() ? Double.NaN : number();
  }

  /// Returns NaN for what is not there or no finite number.
  double numberOrNaN(String name) {
    JsonNode child = node.get(name);
    return child != null && child.isNumber() && Double.isFinite(child.asDouble())
        ? child.asDouble()
        : Double.NaN;
  }

  LocalDateTime time() {
    try {
      return LocalDateTime.parse(text());
    } catch (DateTimeException e) {
      throw wrong("a time such as 2021-03-01T09:30");
    }
  }

  <E extends Enum<E>> E constant(E[] all) {
    String text = text();
    return Arrays.stream(all)
        .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(text))
        .findFirst()
        .orElseThrow(() -> wrong("one of " + Arrays.toString(all).toLowerCase(Locale.ROOT)));
  }

  <T> List<T> each(Function<JsonPlace, T> reader) {
    if (!node.isArray()) {
      throw wrong("a list");
    }
    var all = new ArrayList<T>(node.size());
    for (int i = 0; i < node.size(); i++) {
      var place = new JsonPlace(file, path + "[" + i + "]", node.get(i));
      all.add(place.checked(() -> reader.apply(place)));
    }
    return all;
  }

  /// Makes something of what stands here; what it refuses is a fault of the file.
  <T> T checked(Supplier<T> maker) {
    try {
      return maker.get();
    } catch (IllegalArgumentException e) {
      throw new DataException(where(), "valid values", e.getMessage(), e);
    }
  }

  DataException wrong(String expected) {
    String text = node.toString();
    return new DataException(
        where(), expected, text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…");
  }

  private String where() {
    return path.isEmpty() ? file.toString() : file + ": " + path;
  }
}
