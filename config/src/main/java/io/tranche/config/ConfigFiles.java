package io.tranche.config;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Configuration files, with the files they are based on.
///
/// `_base_: common.yml` or `_base_: [first.yml, second.yml]` names files relative to the file it is
/// in. Its own entries override those of its bases, and an earlier base overrides a later one.
public final class ConfigFiles {

  private static final Set<String> SUFFIXES = Set.of(".yml", ".yaml", ".json");

  /// Maximum number of files of one configuration; a base counts as often as it is named.
  private static final int MAX_FILES = 64;

  /// The files being read, from the outermost to the innermost.
  private final Set<Path> open = new LinkedHashSet<>();

  private int files;
  private boolean takesAnyName;

  private ConfigFiles() {}

  /// Reads a file and its bases. JSON is read as YAML.
  ///
  /// @throws ConfigException if a file is missing, of another kind, not YAML or not a mapping
  public static ConfigNode load(Path file) {
    return new ConfigNode(new ConfigFiles().merged(file, file.toString()), "");
  }

  /// Reads as [#load] does, whatever the name of the file, except Python.
  public static ConfigNode loadNamedAnyhow(Path file) {
    var files = new ConfigFiles();
    files.takesAnyName = true;
    return new ConfigNode(files.merged(file, file.toString()), "");
  }

  /// Reads a configuration from a text without bases.
  ///
  /// @param name the name of the text in errors
  public static ConfigNode parse(String name, String text) {
    return new ConfigNode(YamlReader.read(name, text), "");
  }

  /// Makes a configuration from plain values: Map with texts as keys, List, String, Integer, Long,
  /// Double, Boolean, [ConfigNode] or null.
  ///
  /// @param name the name of the values in errors
  /// @throws IllegalArgumentException if a value has another type
  public static ConfigNode of(String name, @Nullable Object value) {
    return new ConfigNode(tree(new Origin(name, 0), value), "");
  }

  private static Tree tree(Origin origin, @Nullable Object value) {
    return switch (value) {
      case ConfigNode node -> node.tree();
      case Map<?, ?> map -> {
        var entries = new LinkedHashMap<String, Tree>();
        map.forEach((key, item) -> entries.put(String.valueOf(key), tree(origin, item)));
        yield new Tree.Mapping(entries, origin);
      }
      case List<?> list ->
          new Tree.Sequence(
              list.stream().<Tree>map(item -> tree(origin, item)).toList(), false, origin);
      case Integer number -> new Tree.Scalar(number.longValue(), origin);
      case String _, Long _, Double _, Boolean _ -> new Tree.Scalar(value, origin);
      case null -> new Tree.Scalar(null, origin);
      default ->
          throw new IllegalArgumentException(
              "value must be plain, was a " + value.getClass().getName());
    };
  }

  /// @param where where the file is named, for the error if it is missing
  private Tree.Mapping merged(Path file, String where) {
    Path identity = enter(file, where);
    Tree tree = YamlReader.read(file.toString(), text(file));
    if (!(tree instanceof Tree.Mapping mapping)) {
      throw new ConfigException(file.toString(), "a mapping", tree.describe());
    }
    ConfigNode base = new ConfigNode(mapping, "").written("_base_");
    if (base != null) {
      mapping = mapping.without("_base_");
      for (ConfigNode name : base.isList() ? base.asList() : List.of(base)) {
        Path other = name.asPath(file.resolveSibling("")).normalize();
        mapping = Tree.merge(mapping, merged(other, name.where()), "");
      }
    }
    open.remove(identity);
    return mapping;
  }

  private Path enter(Path file, String where) {
    if (!Files.isRegularFile(file)) {
      String found = Files.exists(file) ? "a folder" : "missing";
      boolean named = where.equals(file.toString());
      throw new ConfigException(where, "a file", named ? found : found + ": " + file);
    }
    String suffix = suffix(file);
    if (suffix.equals(".py")) {
      throw new ConfigException(
          file.toString(), "YAML or JSON, because Python configs are never executed", ".py");
    }
    if (!takesAnyName && !SUFFIXES.contains(suffix)) {
      throw new ConfigException(file.toString(), "a .yml, .yaml or .json file", "'" + suffix + "'");
    }
    if (++files > MAX_FILES) {
      throw new ConfigException(where, "at most " + MAX_FILES + " files in all", "more");
    }
    try {
      Path identity = file.toRealPath();
      if (!open.add(identity)) {
        var cycle = new ArrayList<String>();
        open.forEach(path -> cycle.add(path.getFileName().toString()));
        cycle.add(identity.getFileName().toString());
        throw new ConfigException(where, "no cycle of bases", String.join(" -> ", cycle));
      }
      return identity;
    } catch (IOException e) {
      throw new ConfigException(where, "a file that can be read", e.getMessage());
    }
  }

  private static String text(Path file) {
    byte[] bytes;
    try (var in = Files.newInputStream(file)) {
      bytes = in.readNBytes(YamlReader.MAX_CHARACTERS + 1);
    } catch (IOException e) {
      throw new ConfigException(file.toString(), "a file that can be read", e.getMessage());
    }
    if (bytes.length > YamlReader.MAX_CHARACTERS) {
      throw new ConfigException(
          file.toString(), "at most " + YamlReader.MAX_CHARACTERS + " bytes", "more");
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new ConfigException(file.toString(), "UTF-8", e.getMessage());
    }
  }

  private static String suffix(Path file) {
    String name = file.getFileName().toString();
    int dot = name.lastIndexOf('.');
    return dot <= 0 ? "" : name.substring(dot);
  }
}
