package io.tranche.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A place in a configuration: a value that knows its dotted path, its file and its line, so that
/// every error about it names them. Immutable.
///
/// Binders are written by hand: `node.required("lr").asDouble()`.
public final class ConfigNode {

  private final Tree tree;
  private final String path;

  ConfigNode(Tree tree, String path) {
    this.tree = tree;
    this.path = path;
  }

  Tree tree() {
    return tree;
  }

  /// Returns the dotted path from the root, such as `policy.kwargs.lr`; the root's is empty.
  public String path() {
    return path;
  }

  /// Returns file, line and path, with which error messages begin.
  public String where() {
    return tree.origin().at(path);
  }

  /// Returns the exception to throw when this value is not `expected`.
  public ConfigException wrong(String expected) {
    return new ConfigException(where(), expected, tree.describe());
  }

  public boolean isNull() {
    return tree instanceof Tree.Scalar(var value, _) && value == null;
  }

  public boolean isMapping() {
    return tree instanceof Tree.Mapping;
  }

  public boolean isList() {
    return tree instanceof Tree.Sequence;
  }

  /// Whether this is a tuple in Qlib, whose exchange treats tuples as expressions.
  public boolean isTuple() {
    return tree instanceof Tree.Sequence sequence && sequence.tuple();
  }

  /// Returns the keys of this mapping in the order they were written.
  public Set<String> keys() {
    return entries().keySet();
  }

  /// Whether this mapping has `key`, even with the value null.
  public boolean has(String key) {
    return entries().containsKey(key);
  }

  /// Returns the value of `key`, which may be null ([#isNull]).
  ///
  /// @throws ConfigException if this mapping lacks it
  public ConfigNode required(String key) {
    ConfigNode value = written(key);
    if (value == null) {
      throw new ConfigException(tree.origin().at(Tree.join(path, key)), "a value", "missing");
    }
    return value;
  }

  /// Returns the value of `key`, or null if this mapping lacks it or has null there.
  public @Nullable ConfigNode optional(String key) {
    ConfigNode value = written(key);
    return value == null || value.isNull() ? null : value;
  }

  /// Returns the value of `key`, or null if this mapping lacks it. Unlike [#optional], it returns a
  /// node for a key with the value null ([#isNull]).
  public @Nullable ConfigNode written(String key) {
    Tree value = entries().get(key);
    return value == null ? null : new ConfigNode(value, Tree.join(path, key));
  }

  public double asDouble() {
    double number =
        switch (scalar()) {
          case Double real -> real;
          case Long integer -> integer;
          case null, default -> throw wrong("a number");
        };
    if (!Double.isFinite(number)) {
      throw wrong("a finite number");
    }
    return number;
  }

  public long asLong() {
    if (scalar() instanceof Long integer) {
      return integer;
    }
    throw wrong("an integer");
  }

  public int asInt() {
    long integer = asLong();
    if ((int) integer != integer) {
      throw wrong("an integer of 32 bits");
    }
    return (int) integer;
  }

  /// Returns an integer of at least 1.
  public int asCount() {
    int count = asInt();
    if (count < 1) {
      throw wrong("an integer of at least 1");
    }
    return count;
  }

  /// Returns a number of at least 0.
  public double asNotNegative() {
    return asNumberIn(0, Double.MAX_VALUE);
  }

  /// Returns a number from `low` to `high`; `Double.MAX_VALUE` means no upper bound.
  public double asNumberIn(double low, double high) {
    double number = asDouble();
    if (!(number >= low && number <= high)) {
      throw wrong(
          high == Double.MAX_VALUE
              ? "a number of at least " + low
              : "a number in [%s, %s]".formatted(low, high));
    }
    return number;
  }

  public boolean asBoolean() {
    if (scalar() instanceof Boolean truth) {
      return truth;
    }
    throw wrong("true or false");
  }

  public String asText() {
    if (scalar() instanceof String text) {
      return text;
    }
    throw wrong(
        isNull() || !(tree instanceof Tree.Scalar) ? "a text" : "a text, in quotes if need be");
  }

  /// Returns this text, which must be one of `names`.
  public String asChoice(Collection<String> names) {
    String text = asText();
    if (!names.contains(text)) {
      throw wrong(NearestName.choices("a word", text, names));
    }
    return text;
  }

  /// Returns this path, relative to `base`; a leading `~/` is the home directory.
  public Path asPath(Path base) {
    String text = asText();
    try {
      return text.startsWith("~/")
          ? Path.of(System.getProperty("user.home"), text.substring(2))
          : base.resolve(text);
    } catch (InvalidPathException e) {
      throw wrong("a path");
    }
  }

  public List<ConfigNode> asList() {
    if (!(tree instanceof Tree.Sequence sequence)) {
      throw wrong("a list");
    }
    var items = new ArrayList<ConfigNode>();
    for (Tree item : sequence.items()) {
      items.add(new ConfigNode(item, Tree.join(path, items.size())));
    }
    return List.copyOf(items);
  }

  public List<String> asTexts() {
    return asList().stream().map(ConfigNode::asText).toList();
  }

  /// Returns the count of `key`, or `fallback` if it is missing or null.
  public int countOr(String key, int fallback) {
    ConfigNode value = optional(key);
    return value == null ? fallback : value.asCount();
  }

  /// Returns the number of `key`, which is from `low` to `high`, or `fallback` if it is missing or
  /// null.
  public double numberInOr(String key, double fallback, double low, double high) {
    ConfigNode value = optional(key);
    return value == null ? fallback : value.asNumberIn(low, high);
  }

  /// Returns the number of `key`, which is at least 0, or `fallback` if it is missing or null.
  public double notNegativeOr(String key, double fallback) {
    return numberInOr(key, fallback, 0, Double.MAX_VALUE);
  }

  /// Returns the number of `key`, or `fallback` if it is missing; null is an error.
  public double doubleOr(String key, double fallback) {
    ConfigNode value = written(key);
    return value == null ? fallback : value.asDouble();
  }

  /// Returns the integer of `key`, or `fallback` if it is missing; null is an error.
  public int intOr(String key, int fallback) {
    ConfigNode value = written(key);
    return value == null ? fallback : value.asInt();
  }

  /// Returns the truth value of `key`, or `fallback` if it is missing; null is an error.
  public boolean booleanOr(String key, boolean fallback) {
    ConfigNode value = written(key);
    return value == null ? fallback : value.asBoolean();
  }

  /// Returns the text of `key`, or `fallback` if it is missing; null is an error.
  public String textOr(String key, String fallback) {
    ConfigNode value = written(key);
    return value == null ? fallback : value.asText();
  }

  /// Returns null, a Boolean, a Long, a Double or a String.
  ///
  /// @throws ConfigException if this is a list or a mapping
  public @Nullable Object scalar() {
    if (tree instanceof Tree.Scalar(var value, _)) {
      return value;
    }
    throw wrong("a single value");
  }

  /// Rejects keys that are not `known`, for native configurations.
  public void rejectUnknown(Collection<String> known) {
    for (var entry : entries().entrySet()) {
      if (!known.contains(entry.getKey())) {
        throw unknown(entry.getKey(), entry.getValue(), known);
      }
    }
  }

  /// Reports keys that are not `known`, one message each: Qlib ignores them. A key given on the
  /// command line is rejected, because it was typed for a purpose.
  public void warnUnknown(Collection<String> known, Consumer<String> warnings) {
    for (var entry : entries().entrySet()) {
      if (!known.contains(entry.getKey())) {
        ConfigException unknown = unknown(entry.getKey(), entry.getValue(), known);
        if (Assignment.isOriginOf(entry.getValue())) {
          throw unknown;
        }
        warnings.accept(unknown.getMessage());
      }
    }
  }

  private ConfigException unknown(String key, Tree value, Collection<String> known) {
    return new ConfigException(
        value.origin().at(path), NearestName.choices("a key", key, known), Tree.quote(key));
  }

  /// Returns a copy with `assignment`, such as `policy.kwargs.lr=1e-3`, applied.
  ///
  /// The right-hand side is YAML. Missing or null mappings on the path are created; an item of a
  /// list is named by its index.
  public ConfigNode with(String assignment) {
    return new ConfigNode(Assignment.parse(assignment).applyTo(tree, path), path);
  }

  /// Returns a copy of this mapping in which `key` has the value of `node`, which keeps its file
  /// and line for errors.
  public ConfigNode with(String key, ConfigNode node) {
    return new ConfigNode(mapping().with(key, node.tree), path);
  }

  public ConfigNode without(String key) {
    return new ConfigNode(mapping().without(key), path);
  }

  /// Returns a copy in which every text below a key of a mapping is replaced by the result of
  /// `change` for the key and the text; texts in lists belong to the key of the list.
  public ConfigNode withTexts(BinaryOperator<String> change) {
    return new ConfigNode(changed("", tree, change), path);
  }

  private static Tree changed(String key, Tree tree, BinaryOperator<String> change) {
    return switch (tree) {
      case Tree.Scalar(String text, Origin origin) ->
          new Tree.Scalar(change.apply(key, text), origin);
      case Tree.Scalar other -> other;
      case Tree.Sequence(var items, boolean tuple, Origin origin) ->
          new Tree.Sequence(
              items.stream().map(item -> changed(key, item, change)).toList(), tuple, origin);
      case Tree.Mapping mapping ->
          mapping.withValues((name, value) -> changed(name, value, change));
    };
  }

  /// Returns a copy in which lists directly in a mapping are tuples ([#isTuple]); nested lists stay
  /// lists.
  public ConfigNode withTuples() {
    return new ConfigNode(tuples(tree), path);
  }

  private static Tree tuples(Tree tree) {
    return switch (tree) {
      case Tree.Sequence(var items, _, Origin origin) -> new Tree.Sequence(items, true, origin);
      case Tree.Scalar scalar -> scalar;
      case Tree.Mapping mapping -> mapping.withValues((_, value) -> tuples(value));
    };
  }

  /// Returns this mapping merged into `base` as `_base_` files are: mappings merge, everything else
  /// is replaced.
  ///
  /// @throws ConfigException if `base` has another value where this has a mapping
  public ConfigNode mergedInto(ConfigNode base) {
    return new ConfigNode(Tree.merge(mapping(), base.mapping(), path), path);
  }

  /// Returns this mapping laid over `base`: mappings merge, everything else is replaced. For
  /// defaults.
  public ConfigNode over(ConfigNode base) {
    return new ConfigNode(laidOver(mapping(), base.mapping()), path);
  }

  private static Tree.Mapping laidOver(Tree.Mapping over, Tree.Mapping base) {
    var merged = new LinkedHashMap<>(base.entries());
    over.entries()
        .forEach(
            (key, value) ->
                merged.put(
                    key,
                    value instanceof Tree.Mapping mapping
                            && merged.get(key) instanceof Tree.Mapping below
                        ? laidOver(mapping, below)
                        : value));
    return new Tree.Mapping(merged, over.origin());
  }

  /// Returns this value as YAML; equal values give equal texts.
  public String toYaml() {
    return YamlWriter.write(tree);
  }

  /// Returns this on one line, as an assignment for [#with(String)] has it.
  public String toLine() {
    return YamlWriter.line(tree);
  }

  private Map<String, Tree> entries() {
    return mapping().entries();
  }

  private Tree.Mapping mapping() {
    if (tree instanceof Tree.Mapping mapping) {
      return mapping;
    }
    throw wrong("a mapping");
  }

  /// Whether `other` says the same, wherever it was written.
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ConfigNode node && toYaml().equals(node.toYaml());
  }

  @Override
  public int hashCode() {
    return toYaml().hashCode();
  }

  @Override
  public String toString() {
    return where() + ": " + tree.describe();
  }
}
