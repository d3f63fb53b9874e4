package io.tranche.config;

import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Writes a [Tree] as YAML that [YamlReader] reads back. Equal trees give equal texts.
final class YamlWriter {

  /// Texts that need no quotes: no indicator at the front, no special character inside.
  private static final Pattern PLAIN =
      Pattern.compile("[A-Za-z0-9_./$][A-Za-z0-9_./$~+()*=<>|&^%;@-]*");

  private final StringBuilder out = new StringBuilder();

  private YamlWriter() {}

  static String write(Tree tree) {
    var writer = new YamlWriter();
    writer.block(tree, 0);
    return writer.out.toString();
  }

  /// Writes `tree` on one line, as `--set` takes it.
  static String line(Tree tree) {
    return switch (tree) {
      case Tree.Mapping(var entries, _) ->
          entries.entrySet().stream()
              .map(entry -> text(entry.getKey()) + ": " + line(entry.getValue()))
              .collect(Collectors.joining(", ", "{", "}"));
      case Tree.Sequence(var items, _, _) ->
          items.stream().map(YamlWriter::line).collect(Collectors.joining(", ", "[", "]"));
      case Tree.Scalar(var value, _) -> scalar(value);
    };
  }

  /// Writes `tree` at the start of a line, or after a `- ` at its indentation.
  private void block(Tree tree, int indent) {
    switch (tree) {
      case Tree.Mapping(var entries, _) when !entries.isEmpty() -> {
        String separator = "";
        for (var entry : entries.entrySet()) {
          out.append(separator).append(text(entry.getKey())).append(':');
          below(entry.getValue(), indent);
          separator = " ".repeat(indent);
        }
      }
      case Tree.Sequence(var items, _, _) when !items.isEmpty() -> {
        String separator = "";
        for (Tree item : items) {
          out.append(separator).append("- ");
          block(item, indent + 2);
          separator = " ".repeat(indent);
        }
      }
      case Tree.Mapping _ -> out.append("{}\n");
      case Tree.Sequence _ -> out.append("[]\n");
      case Tree.Scalar(var value, _) -> out.append(scalar(value)).append('\n');
    }
  }

  /// Writes the value of a key: on the same line if it is one word, otherwise indented below.
  private void below(Tree tree, int indent) {
    boolean nested =
        switch (tree) {
          case Tree.Mapping mapping -> !mapping.entries().isEmpty();
          case Tree.Sequence sequence -> !sequence.items().isEmpty();
          case Tree.Scalar _ -> false;
        };
    out.append(nested ? "\n" + " ".repeat(indent + 2) : " ");
    block(tree, indent + 2);
  }

  private static String scalar(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case String text -> text(text);
      case Double number when number.isNaN() -> ".nan";
      case Double number when number.isInfinite() -> number > 0 ? ".inf" : "-.inf";
      default -> value.toString();
    };
  }

  private static String text(String text) {
    boolean plain =
        PLAIN.matcher(text).matches() && YamlScalars.staysText(text) && !text.equals("...");
    return plain ? text : quoted(text);
  }

  private static String quoted(String text) {
    var quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c >= ' ' && c < 127) {
        quoted.append(c);
      } else if (Character.isLetterOrDigit(c)) {
        quoted.append(c);
      } else if (Character.isSurrogate(c)) {
        int codePoint = text.codePointAt(i);
        quoted.append("\\U%08x".formatted(codePoint));
        i += Character.charCount(codePoint) - 1;
      } else {
        quoted.append("\\u%04x".formatted((int) c));
      }
    }
    return quoted.append('"').toString();
  }
}
