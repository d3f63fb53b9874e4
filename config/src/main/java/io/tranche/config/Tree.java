package io.tranche.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// The content of a configuration file: scalars, sequences and mappings, each with its place in the
/// file. A node does not know its parent, so that aliases can share it.
sealed interface Tree {

  Origin origin();

  /// @param value null, a Boolean, a Long, a Double or a String
  record Scalar(@Nullable Object value, Origin origin) implements Tree {}

  /// @param tuple whether this is a tuple in Qlib, whose exchange treats tuples unlike lists
  record Sequence(List<Tree> items, boolean tuple, Origin origin) implements Tree {
    public Sequence {
      items = List.copyOf(items);
    }
  }

  /// The entries in the order they were written.
  record Mapping(Map<String, Tree> entries, Origin origin) implements Tree {
    public Mapping {
      entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    }

    Mapping with(String key, Tree value) {
      var changed = new LinkedHashMap<>(entries);
      changed.put(key, value);
      return new Mapping(changed, origin);
    }

    Mapping withValues(BiFunction<String, Tree, Tree> change) {
      var changed = new LinkedHashMap<>(entries);
      changed.replaceAll(change);
      return new Mapping(changed, origin);
    }

    Mapping without(String key) {
      var changed = new LinkedHashMap<>(entries);
      changed.remove(key);
      return new Mapping(changed, origin);
    }
  }

  /// Merges `over` into `base`: all but mappings is replaced. Qlib: `merge_a_into_b`.
  ///
  /// A `_delete_` key deletes nothing: as in Qlib, it is dropped where mappings are merged and kept
  /// elsewhere.
  ///
  /// @param path the path of both, for the error
  static Mapping merge(Mapping over, Mapping base, String path) {
    var merged = new LinkedHashMap<>(base.entries());
    over.entries()
        .forEach(
            (key, value) -> {
              Tree below = merged.get(key);
              String at = join(path, key);
              merged.put(
                  key,
                  value instanceof Mapping mapping && below != null
                      ? merge(mapping.without("_delete_"), mappingBelow(below, mapping, at), at)
                      : value);
            });
    return new Mapping(merged, over.origin());
  }

  private static Mapping mappingBelow(Tree below, Mapping over, String path) {
    if (below instanceof Mapping mapping) {
      return mapping;
    }
    throw new ConfigException(
        below.origin().at(path),
        "a mapping, because " + over.origin().at("") + " merges one into it",
        below.describe());
  }

  /// Returns the dotted path of `key` under `path`; the items of a list have their numbers as keys.
  static String join(String path, Object key) {
    return path.isEmpty() ? key.toString() : path + "." + key;
  }

  /// Returns a short text for the "was" of an error message.
  default String describe() {
    return switch (this) {
      case Mapping mapping -> mapping.entries().isEmpty() ? "an empty mapping" : "a mapping";
      case Sequence sequence -> "a list of " + sequence.items().size();
      case Scalar(String text, _) -> quote(text);
      case Scalar scalar -> String.valueOf(scalar.value());
    };
  }

  /// Returns a user's text in quotes, for the "was" of an error message.
  static String quote(String text) {
    return "'" + line(text, 60) + "'";
  }

  /// Returns `text` as one line, truncated if it is long.
  static String line(String text, int length) {
    String line = text.replaceAll("[\\p{Cntrl}\u2028\u2029]", " ");
    return line.length() <= length ? line : line.substring(0, length - 3) + "...";
  }
}
