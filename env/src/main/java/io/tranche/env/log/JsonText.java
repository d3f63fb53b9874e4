package io.tranche.env.log;

import io.tranche.env.space.Value;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// Writes values as JSON on one line.
///
/// JSON has no NaN and no infinity: they are the texts `"NaN"`, `"Infinity"` and `"-Infinity"`.
final class JsonText {

  private final StringBuilder out = new StringBuilder();

  private JsonText() {}

  static String of(@Nullable Object object) {
    var json = new JsonText();
    json.value(LogValues.of(object));
    return json.out.toString();
  }

  private void value(Value value) {
    switch (value) {
      case Value.Dict(var entries) -> {
        String separator = "{";
        for (var entry : entries.entrySet()) {
          out.append(separator);
          text(entry.getKey());
          out.append(':');
          value(entry.getValue());
          separator = ",";
        }
        out.append(entries.isEmpty() ? "{}" : "}");
      }
      case Value.Tuple(var items) -> list(items.size(), i -> value(items.get(i)));
      case Value.Plain(var object) -> plain(object);
      case Value.Floats floats -> array(floats.shape(), i -> plain(floats.at(i)));
      case Value.Integers integers -> array(integers.shape(), i -> plain(integers.at(i)));
    }
  }

  private void list(int size, IntConsumer item) {
    out.append('[');
    for (int i = 0; i < size; i++) {
      if (i > 0) {
        out.append(',');
      }
      item.accept(i);
    }
    out.append(']');
  }

  /// Writes an array as nested lists.
  private void array(List<Integer> shape, IntConsumer element) {
    array(shape, 0, element);
  }

  private void array(List<Integer> shape, int first, IntConsumer element) {
    if (shape.isEmpty()) {
      element.accept(first);
      return;
    }
    List<Integer> inner = shape.subList(1, shape.size());
    int stride = inner.stream().reduce(1, (a, b) -> a * b);
    list(shape.getFirst(), i -> array(inner, first + i * stride, element));
  }

  private void plain(@Nullable Object object) {
    switch (object) {
      case null -> out.append("null");
      case Boolean truth -> out.append(truth);
      case Double number when Double.isFinite(number) -> out.append(PythonFloat.repr(number));
      case Double number -> text(number.toString());
      case Number number -> out.append(number);
      default -> text(object.toString());
    }
  }

  private void text(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          // ASCII is the same in all encodings, and a lone surrogate cannot be encoded in UTF-8.
          if (c < ' ' || c > '~') {
            out.append("\\u%04x".formatted((int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }
}
