package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The commands that the documents show, run from an empty folder in the order they are shown.
class DocumentationTest {

  private static final Pattern BLOCK = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL);

  @TempDir Path folder;

  static Stream<Path> documents() throws IOException {
    try (Stream<Path> docs = Files.list(Shared.root().resolve("docs"))) {
      return Stream.concat(
          Stream.of(Shared.root().resolve("README.md")),
          docs.filter(file -> file.toString().endsWith(".md")).sorted().toList().stream())
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("documents")
  void everyCommandWorks(Path document) throws Exception {
    for (List<String> words : commands(Files.readString(document))) {
      var command =
          new ArrayList<>(List.of(java().toString(), "--add-modules=jdk.incubator.vector", "-cp"));
      command.add(System.getProperty("java.class.path"));
      command.add(Main.class.getName());
      command.addAll(words);
      Path log = folder.resolve("log.txt");
      int status =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start()
              .waitFor();

      assertThat(status).as(words + "\n" + Files.readString(log)).isZero();
      if (words.equals(List.of("demo"))) {
        printsWhatThePageShows(Files.readString(document), Files.readString(log));
      }
    }
  }

  /// The page shows what the demo found. The machine may change the agent's last digits, but not
  /// that it learnt, nor what it is compared with.
  private static void printsWhatThePageShows(String page, String log) {
    String table = page.substring(page.indexOf("On the test days, "));
    List<String> shown = table.substring(0, table.indexOf("```")).lines().toList();
    List<String> printed = log.lines().toList();
    assertThat(shown).hasSize(10);
    assertThat(printed).containsAll(shown.stream().filter(line -> !isAgents(line)).toList());
    double[] agent = meanAndMargin(shown);
    assertThat(meanAndMargin(printed)[0]).isCloseTo(agent[0], within(agent[1]));
    assertThat(log)
        .contains("The agent is better than TWAP by ")
        .contains("better than the best constant actions of validation")
        .containsPattern("[5-9]\\d % of what past bars allow");
  }

  private static boolean isAgents(String line) {
    return line.startsWith("the agent ");
  }

  private static double[] meanAndMargin(List<String> table) {
    String line = table.stream().filter(DocumentationTest::isAgents).findFirst().orElseThrow();
    String[] words = line.substring("the agent".length()).strip().split("[ ±]+", -1);
    return new double[] {Double.parseDouble(words[0]), Double.parseDouble(words[1])};
  }

  /// Returns the words after `./tranche`; what the launcher itself runs is left out, because this
  /// is run by it.
  private static List<List<String>> commands(String text) {
    var commands = new ArrayList<List<String>>();
    BLOCK
        .matcher(text)
        .results()
        .flatMap(block -> block.group(1).lines())
        .map(line -> line.replaceAll("\\s+#.*", "").strip())
        .filter(line -> line.startsWith("./tranche "))
        .map(line -> List.of(line.substring("./tranche ".length()).split("\\s+")))
        .filter(words -> !List.of("test", "bench").contains(words.getFirst()))
        .map(DocumentationTest::fromTheRoot)
        .forEach(commands::add);
    return commands;
  }

  /// Paths of the project itself are shown relative to its root.
  private static List<String> fromTheRoot(List<String> words) {
    return words.stream()
        .map(
            word ->
                word.startsWith("conformance/") || word.startsWith("examples/")
                    ? Shared.root().resolve(word).toString()
                    : word)
        .toList();
  }

  private static Path java() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }
}
