package io.tranche.conformance.data;

import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.execution.catalog.BacktestSettings;
import io.tranche.market.DataException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// Backtest configurations, read from the files of a case.
public final class ConfigParserTopic {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private ConfigParserTopic() {}

  public static JsonNode answer(Path directory, JsonNode file, JsonNode testCase) {
    JsonNode input = testCase.path("input");
    try {
      Path folder = Files.createTempDirectory("tranche-config-");
      try {
        for (var entry : input.path("files").properties()) {
          Files.writeString(child(folder, entry.getKey()), entry.getValue().asString());
        }
        Path main = child(folder, input.path("main").asString());
        return JSON.objectNode()
            .set("config", json(BacktestSettings.withDefaults(ConfigFiles.load(main))));
      } finally {
        delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path child(Path folder, String name) {
    Path file = folder.resolve(name).normalize();
    if (!folder.equals(file.getParent())) {
      throw new DataException("input.files", "names of files without folders", name);
    }
    return file;
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static JsonNode json(ConfigNode node) {
    if (node.isMapping()) {
      var object = JSON.objectNode();
      node.keys().forEach(key -> object.set(key, json(node.required(key))));
      return object;
    }
    if (node.isList()) {
      var array = JSON.arrayNode();
      node.asList().forEach(item -> array.add(json(item)));
      return node.isTuple() ? JSON.objectNode().set("__tuple__", array) : array;
    }
    return switch (node.scalar()) {
      case null -> JSON.nullNode();
      case Boolean truth -> JSON.booleanNode(truth);
      case Long integer -> JSON.numberNode(integer.longValue());
      case Double real -> JSON.numberNode(real.doubleValue());
      default -> JSON.stringNode(node.asText());
    };
  }
}
