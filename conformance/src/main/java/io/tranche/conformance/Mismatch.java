package io.tranche.conformance;

import io.tranche.conformance.golden.Topic;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Where an answer differs from the expected one.
///
/// @param testCase the name of the case
/// @param path into `expected`, such as `$.rows[3][2]`
public record Mismatch(String testCase, String path, String expected, String was) {

  /// Finds the first difference between two answers, or null if there is none.
  ///
  /// Numbers may differ by `tolerance`, relative to the expected one. With a tolerance of 0 they
  /// are equal as the type of the golden number: a decimal that is as short as a float32's is also
  /// met by exactly that float32. `NaN`, `Infinity` and `-Infinity` are texts in golden files.
  static @Nullable Mismatch find(
      String testCase, JsonNode expected, JsonNode was, double tolerance) {
    return find(testCase, expected, was, tolerance, Topic.Slack.NONE);
  }

  /// Finds the first difference, where numbers may also differ by a slack.
  static @Nullable Mismatch find(
      String testCase, JsonNode expected, JsonNode was, double tolerance, Topic.Slack slack) {
    return new Search(testCase, tolerance, slack).in("$", expected, was, 0);
  }

  @Override
  public String toString() {
    return "  case %s at %s%n    expected %s%n    was      %s"
        .formatted(testCase, path, expected, was);
  }

  private record Search(String testCase, double tolerance, Topic.Slack slack) {

    /// @param largest the largest magnitude of the array around it
    @Nullable Mismatch in(String path, JsonNode expected, JsonNode was, double largest) {
      if (expected.isObject() && was.isObject()) {
        return inObject(path, expected, was);
      }
      if (expected.isArray() && was.isArray()) {
        return inArray(path, expected, was);
      }
      return isEqual(path, expected, was, largest) ? null : at(path, expected, was);
    }

    private @Nullable Mismatch inObject(String path, JsonNode expected, JsonNode was) {
      for (var entry : expected.properties()) {
        String below = path + "." + entry.getKey();
        JsonNode other = was.get(entry.getKey());
        Mismatch mismatch =
            other == null
                ? at(below, entry.getValue(), null)
                : in(below, entry.getValue(), other, 0);
        if (mismatch != null) {
          return mismatch;
        }
      }
      for (var entry : was.properties()) {
        if (expected.get(entry.getKey()) == null) {
          return at(path + "." + entry.getKey(), null, entry.getValue());
        }
      }
      return null;
    }

    private @Nullable Mismatch inArray(String path, JsonNode expected, JsonNode was) {
      double largest =
          expected
              .valueStream()
              .filter(JsonNode::isNumber)
              .mapToDouble(number -> Math.abs(number.doubleValue()))
              .max()
              .orElse(0);
      for (int i = 0; i < Math.max(expected.size(), was.size()); i++) {
        String below = path + "[" + i + "]";
        JsonNode one = expected.get(i);
        JsonNode other = was.get(i);
        Mismatch mismatch =
            one == null || other == null ? at(below, one, other) : in(below, one, other, largest);
        if (mismatch != null) {
          return mismatch;
        }
      }
      return null;
    }

    private boolean isEqual(String path, JsonNode expected, JsonNode was, double largest) {
      if (expected.isIntegralNumber() && was.isIntegralNumber()) {
        return expected.bigIntegerValue().equals(was.bigIntegerValue());
      }
      if (expected.isNumber() && was.isNumber()) {
        double one = expected.doubleValue();
        double other = was.doubleValue();
        return expected.isIntegralNumber()
            ? isEqual(one, other, 0)
            : isEqual(one, other, tolerance) || Math.abs(other - one) <= slack.at(path, largest);
      }
      if (expected.isString() && was.isFloatingPointNumber()) {
        return expected.stringValue().equals(Double.toString(was.doubleValue()))
            && !Double.isFinite(was.doubleValue());
      }
      return expected.equals(was) || (isDouble(expected) && isDouble(was));
    }

    /// Python's number and NumPy's are one type in Java.
    private static boolean isDouble(JsonNode type) {
      return type.isString()
          && (type.stringValue().equals("float") || type.stringValue().equals("float64"));
    }

    private static boolean isEqual(double expected, double was, double tolerance) {
      if (expected == was) {
        return true;
      }
      if (tolerance > 0) {
        return Math.abs(was - expected) <= tolerance * Math.abs(expected);
      }
      float single = (float) expected;
      return Double.parseDouble(Float.toString(single)) == expected && was == single;
    }

    private Mismatch at(String path, @Nullable JsonNode expected, @Nullable JsonNode was) {
      return new Mismatch(testCase, path, text(expected), text(was));
    }

    private static String text(@Nullable JsonNode node) {
      return node == null ? "nothing" : Report.shortened(node.toString());
    }
  }
}
