package io.tranche.serving.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Prometheus' text format, parsed as strictly as its own tool does: every family has help and type
/// and is contiguous, no sample occurs twice, counters end in `_total`, and histograms add up.
final class Exposition {

  private static final Pattern HEAD =
      Pattern.compile("# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)");
  private static final Pattern SAMPLE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)\\})? (\\S+)");
  private static final Pattern LABEL =
      Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\\n]|\\\\[\\\\\"n])*)\"(,|$)");

  private final Map<String, String> types = new LinkedHashMap<>();
  private final Map<String, Double> samples = new LinkedHashMap<>();
  private final Map<String, List<Map<String, String>>> buckets = new HashMap<>();
  private String family = "";

  /// @throws AssertionError if it is anything else
  static Exposition read(String text) {
    var read = new Exposition();
    assertThat(text).endsWith("\n");
    Set<String> helped = new HashSet<>();
    for (String line : text.lines().toList()) {
      Matcher head = HEAD.matcher(line);
      if (head.matches() && head.group(1).equals("HELP")) {
        assertThat(helped.add(head.group(2))).as("once: %s", line).isTrue();
        read.family = head.group(2);
      } else if (head.matches()) {
        assertThat(head.group(2)).isEqualTo(read.family);
        assertThat(head.group(3)).isIn("counter", "gauge", "histogram");
        assertThat(read.types.put(head.group(2), head.group(3))).as(line).isNull();
      } else {
        read.sample(line);
      }
    }
    assertThat(helped).isEqualTo(read.types.keySet());
    read.requireHistograms();
    return read;
  }

  private void sample(String line) {
    Matcher sample = SAMPLE.matcher(line);
    assertThat(sample.matches()).as(line).isTrue();
    String name = sample.group(1);
    String type = String.valueOf(types.get(family));
    if (type.equals("histogram")) {
      assertThat(name).isIn(family + "_bucket", family + "_sum", family + "_count");
    } else {
      assertThat(name).isEqualTo(family);
    }
    assertThat(name.endsWith("_total")).as(name).isEqualTo(type.equals("counter"));
    double value = Double.parseDouble(sample.group(3));
    assertThat(value).isFinite();
    if (!type.equals("gauge")) {
      assertThat(value).as(line).isNotNegative();
    }
    Map<String, String> labels = labels(sample.group(2) == null ? "" : sample.group(2), line);
    assertThat(samples.put(key(name, labels), value)).as("once: %s", line).isNull();
    if (name.equals(family + "_bucket")) {
      buckets.computeIfAbsent(family, _ -> new ArrayList<>()).add(labels);
    }
  }

  private static Map<String, String> labels(String text, String line) {
    var labels = new LinkedHashMap<String, String>();
    Matcher label = LABEL.matcher(text);
    int at = 0;
    while (at < text.length()) {
      assertThat(label.find(at) && label.start() == at).as(line).isTrue();
      assertThat(labels.put(label.group(1), label.group(2))).as(line).isNull();
      at = label.end();
    }
    return labels;
  }

  private static String key(String name, Map<String, String> labels) {
    return labels.isEmpty() ? name : name + labels;
  }

  private void requireHistograms() {
    buckets.forEach(
        (name, all) -> {
          double bound = Double.POSITIVE_INFINITY;
          double count = 0;
          for (Map<String, String> labels : all) {
            var others = new LinkedHashMap<>(labels);
            String le = String.valueOf(others.remove("le"));
            boolean isLast = le.equals("+Inf");
            double next = isLast ? Double.POSITIVE_INFINITY : Double.parseDouble(le);
            double value = value(name + "_bucket", labels);
            boolean isFirst = bound == Double.POSITIVE_INFINITY;
            assertThat(isFirst || next > bound).as("bounds of %s", name).isTrue();
            assertThat(value).as("%s", labels).isGreaterThanOrEqualTo(isFirst ? 0 : count);
            if (isLast) {
              assertThat(value(name + "_count", others)).isEqualTo(value);
              assertThat(samples).containsKey(key(name + "_sum", others));
            }
            bound = next;
            count = value;
          }
          assertThat(bound).isEqualTo(Double.POSITIVE_INFINITY);
        });
  }

  private double value(String name, Map<String, String> labels) {
    return samples.getOrDefault(key(name, labels), Double.NaN);
  }

  Set<String> families() {
    return types.keySet();
  }

  /// Returns a sample.
  ///
  /// @param key its name, followed by its labels as a map prints them
  double value(String key) {
    return value(key, Map.of());
  }
}
