package io.tranche.trainer.callback;

import io.tranche.config.ConfigException;
import io.tranche.env.log.PythonFormat;
import io.tranche.files.SafeFileName;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A file name with fields as for Python's `str.format`: `{iter:03d}`, `{time}`, and any metric,
/// such as `{val/reward:.2f}`.
final class FileNameTemplate {

  private static final Pattern FIELD = Pattern.compile("\\{([^{}:]*)(:[^{}]*)?}");
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuuMMddHHmmss");

  private final String template;

  /// @throws ConfigException if the braces do not pair
  FileNameTemplate(String template) {
    this.template = template;
    if (FIELD.matcher(template).replaceAll("").chars().anyMatch(c -> c == '{' || c == '}')) {
      throw wrong("a file name with fields such as {iter:03d}", template);
    }
  }

  /// @throws ConfigException if a field is unknown or its format wrong, or the result is no file
  ///   name
  String format(long iteration, Instant time, Map<String, Double> metrics) {
    String name =
        FIELD
            .matcher(template)
            .replaceAll(
                found ->
                    Matcher.quoteReplacement(
                        field(found.group(1), found.group(2), iteration, time, metrics)));
    if (!SafeFileName.isSafe(name)) {
      throw wrong("what becomes a file name", name);
    }
    return name;
  }

  private String field(
      String name,
      @Nullable String format,
      long iteration,
      Instant time,
      Map<String, Double> metrics) {
    try {
      var python = new PythonFormat(format == null ? "" : format);
      if (name.equals("iter")) {
        return python.format(iteration);
      }
      if (name.equals("time")) {
        return time.atZone(ZoneOffset.UTC).format(TIME);
      }
      Double metric = metrics.get(name);
      if (metric != null) {
        return python.format(metric);
      }
    } catch (IllegalArgumentException e) {
      throw wrong("a format that Python knows", template + ": " + e.getMessage());
    }
    var known = new TreeSet<>(metrics.keySet());
    known.add("iter");
    known.add("time");
    throw wrong("fields out of " + known, template);
  }

  private static ConfigException wrong(String expected, String found) {
    return new ConfigException("checkpoint.filename", expected, found);
  }
}
