package io.tranche.conformance.golden;

import io.tranche.market.DataException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The golden cases of one topic: `NAME.json` or `NAME.json.gz`.
///
/// @param root the whole file
/// @param cases its `cases`, each with a distinct `name` and an `expected`
public record GoldenFile(Path path, JsonNode root, List<JsonNode> cases) {

  private static final List<String> SUFFIXES = List.of(".json", ".json.gz");

  /// Far more than golden files need (10 levels, 3 MB unpacked), and far too little to do harm.
  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(100)
                          .maxDocumentLength(64L << 20)
                          .build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  public GoldenFile {
    cases = List.copyOf(cases);
  }

  /// Returns the golden files of a directory by topic, in alphabetical order.
  ///
  /// @throws DataException if there is none
  public static Map<String, Path> in(Path directory) {
    if (!Files.isDirectory(directory)) {
      throw new DataException(
          directory.toString(),
          "a directory of golden files",
          Files.exists(directory) ? "a file" : "missing");
    }
    var files = new TreeMap<String, Path>();
    try (var entries = Files.newDirectoryStream(directory, Files::isRegularFile)) {
      for (Path file : entries) {
        String name = file.getFileName().toString();
        for (String suffix : SUFFIXES) {
          if (name.endsWith(suffix)
              && files.put(name.substring(0, name.length() - suffix.length()), file) != null) {
            throw new DataException(file.toString(), "one golden file per topic", "two");
          }
        }
      }
    } catch (IOException e) {
      throw new DataException(
          directory.toString(), "a directory that can be read", e.getMessage(), e);
    }
    if (files.isEmpty()) {
      throw new DataException(
          directory.toString(), "golden files NAME.json or NAME.json.gz", "none");
    }
    return files;
  }

  /// @throws DataException if the file is damaged; says where
  public static GoldenFile read(Path path) {
    JsonNode root = parse(path);
    JsonNode cases = root.path("cases");
    if (!cases.isArray()) {
      throw new DataException(path + ": $.cases", "an array of cases", cases.getNodeType());
    }
    var names = new HashSet<String>();
    for (int i = 0; i < cases.size(); i++) {
      JsonNode testCase = cases.get(i);
      String place = path + ": $.cases[" + i + "]";
      if (!testCase.path("name").isString() || testCase.get("expected") == null) {
        throw new DataException(
            place, "a case with name, input and expected", testCase.getNodeType());
      }
      if (!names.add(testCase.get("name").stringValue())) {
        throw new DataException(place, "each name once", testCase.get("name"));
      }
    }
    return new GoldenFile(path, root, cases.valueStream().toList());
  }

  /// @throws DataException if there is no such case
  public JsonNode named(String name) {
    return cases.stream()
        .filter(testCase -> testCase.get("name").stringValue().equals(name))
        .findFirst()
        .orElseThrow(() -> new DataException(path.toString(), "a case " + name, "none"));
  }

  private static JsonNode parse(Path path) {
    try (InputStream in = open(path)) {
      return MAPPER.readTree(in);
    } catch (JacksonException e) {
      TokenStreamLocation at = e.getLocation();
      String place = at == null ? "" : ":" + at.getLineNr() + ":" + at.getColumnNr();
      throw new DataException(path + place, "JSON", e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new DataException(path.toString(), "a file that can be read", e.getMessage(), e);
    }
  }

  private static InputStream open(Path path) throws IOException {
    InputStream in = new BufferedInputStream(Files.newInputStream(path));
    return path.toString().endsWith(".gz") ? new GZIPInputStream(in) : in;
  }
}
