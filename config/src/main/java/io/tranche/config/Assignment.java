package io.tranche.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A value on the command line that replaces the file's: `policy.kwargs.lr=1e-3`.
///
/// @param keys the dotted path, split
record Assignment(List<String> keys, Tree value) {

  private static final Origin ORIGIN = new Origin("--set", 0);

  /// Keeps the tree shallow enough for recursion.
  private static final int MAX_KEYS = 32;

  Assignment {
    keys = List.copyOf(keys);
  }

  static Assignment parse(String text) {
    int equals = text.indexOf('=');
    List<String> keys =
        equals < 0 ? List.of() : List.of(text.substring(0, equals).strip().split("\\.", -1));
    if (keys.isEmpty() || keys.size() > MAX_KEYS || keys.contains("")) {
      throw new ConfigException(ORIGIN.file(), "a.b.c=value", Tree.quote(text));
    }
    return new Assignment(keys, YamlReader.read(ORIGIN.file(), text.substring(equals + 1)));
  }

  /// Whether a value was given on the command line.
  static boolean isOriginOf(Tree tree) {
    return tree.origin().file().equals(ORIGIN.file());
  }

  Tree applyTo(Tree tree, String path) {
    return set(tree, path, 0);
  }

  private Tree set(Tree tree, String path, int next) {
    if (next == keys.size()) {
      return value;
    }
    String key = keys.get(next);
    String below = Tree.join(path, key);
    return switch (tree) {
      case Tree.Mapping mapping -> {
        Tree old = mapping.entries().getOrDefault(key, new Tree.Scalar(null, ORIGIN));
        yield mapping.with(key, set(old, below, next + 1));
      }
      case Tree.Sequence(var items, boolean tuple, Origin origin) -> {
        int index = index(key, items.size(), below);
        var changed = new ArrayList<>(items);
        changed.set(index, set(items.get(index), below, next + 1));
        yield new Tree.Sequence(changed, tuple, origin);
      }
      case Tree.Scalar(var old, _) when old == null ->
          set(new Tree.Mapping(Map.of(), ORIGIN), path, next);
      case Tree.Scalar scalar ->
          throw new ConfigException(
              ORIGIN.at(below), "a mapping around it", scalar.describe() + " at " + path);
    };
  }

  private static int index(String key, int size, String path) {
    if (key.matches("[0-9]{1,9}") && Integer.parseInt(key) < size) {
      return Integer.parseInt(key);
    }
    throw new ConfigException(
        ORIGIN.at(path), "an item's index in [0, " + size + ")", Tree.quote(key));
  }
}
