package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.within;

import io.tranche.testkit.Shared;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/// The commands that the documents show, run from an empty folder in the order they are shown.
class DocumentationTest {

  /// Commands that run from an empty folder, and who else runs them, in a comment that readers do
  /// not see.
  private static final Pattern BLOCK =
      Pattern.compile("(<!-- not run: [^>]+ -->\n)?```sh\n(.*?)```", Pattern.DOTALL);

  /// A file that commands of the page use: its name is in a comment, which readers do not see.
  private static final Pattern FILE =
      Pattern.compile("<!-- file: (\\S+) -->\\s*```\\w+\n(.*?)```", Pattern.DOTALL);

  /// Every block of a page, so that the end of one is not taken for the start of another.
  private static final Pattern FENCED =
      Pattern.compile("^```(\\w*)\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

  private static final Set<String> SHELLS = Set.of("", "sh", "bash", "console");

  /// A command in a sentence.
  private static final Pattern NAMED = Pattern.compile("`(?:\\./)?tranche ([a-z][^`]*)`");

  private static final Pattern WORD_ENDS = Pattern.compile("[\\s|,]+");

  private static final Pattern WORD = Pattern.compile("(?:[^\\s\"']|\"[^\"]*\"|'[^']*')+");

  /// What the launcher does itself.
  private static final Set<String> LAUNCHER =
      Set.of("test", "bench", "release", "api", "javadoc", "docs");

  /// Pages whose commands take most of the time of all: all golden cases, a search, trainings of
  /// full size. Others have the same verbs.
  private static final Set<String> SLOW = Set.of("environments.md", "tuning.md", "learning.md");

  private static final CommandLine COMMAND_LINE =
      new CommandLine(Main.class).setCaseInsensitiveEnumValuesAllowed(true);

  @TempDir Path folder;

  /// The pages in English; translations have the same commands and code, which module `site`
  /// checks.
  static Stream<Path> documents() throws IOException {
    Path docs = Shared.root().resolve("docs");
    try (Stream<Path> files = Files.walk(docs)) {
      return Stream.concat(
          Stream.of(Shared.root().resolve("README.md")),
          files
              .filter(file -> file.toString().endsWith(".md"))
              .filter(file -> !file.startsWith(docs.resolve("zh")))
              .filter(file -> !file.startsWith(docs.resolve("javadoc")))
              .sorted()
              .toList()
              .stream())
          .toList()
          .stream();
    }
  }

  /// Also the commands that need a service, a cluster or files of the reader's: verbs and options
  /// exist.
  @ParameterizedTest
  @MethodSource("documents")
  void everyCommandParses(Path document) throws IOException {
    FENCED
        .matcher(Files.readString(document).replace("\\\n", " "))
        .results()
        .filter(block -> SHELLS.contains(block.group(1)))
        .flatMap(block -> block.group(2).lines())
        .map(String::strip)
        .filter(line -> line.matches("(\\./)?tranche [a-z].*"))
        .map(DocumentationTest::words)
        .filter(words -> !LAUNCHER.contains(words.getFirst()))
        .forEach(
            words ->
                assertThatCode(() -> COMMAND_LINE.parseArgs(words.toArray(String[]::new)))
                    .as(words.toString())
                    .doesNotThrowAnyException());
  }

  /// A sentence names a verb, and perhaps options, with what it likes in between.
  @ParameterizedTest
  @MethodSource("documents")
  void everyVerbAndOptionInASentenceExists(Path document) throws IOException {
    for (var found :
        NAMED
            .matcher(FENCED.matcher(Files.readString(document)).replaceAll(""))
            .results()
            .toList()) {
      CommandLine verb = COMMAND_LINE;
      for (String word : WORD_ENDS.splitAsStream(found.group(1)).toList()) {
        if (LAUNCHER.contains(word)) {
          break;
        } else if (word.startsWith("--")) {
          assertThat(verb.getCommandSpec().findOption(word)).as(found.group()).isNotNull();
        } else if (verb.getSubcommands().containsKey(word)) {
          verb = verb.getSubcommands().get(word);
        } else {
          // A verb that has verbs takes nothing else.
          assertThat(verb.getSubcommands()).as(found.group()).isEmpty();
        }
      }
    }
  }

  /// Returns the words after `tranche`, up to what the shell does with them.
  private static List<String> words(String line) {
    var words = new ArrayList<String>();
    for (var found : WORD.matcher(line).results().toList()) {
      String word = found.group();
      if (word.matches("#.*|[|&;)].*|\\d?>.*")) {
        break;
      }
      words.add(word.replaceAll("[\"']", "").replaceAll("\\$\\{\\w+:-(.*?)}", "$1"));
    }
    return words.subList(1, words.size());
  }

  static Stream<Path> quick() throws IOException {
    return documents().filter(page -> !SLOW.contains(page.getFileName().toString()));
  }

  static Stream<Path> slow() throws IOException {
    return documents().filter(page -> SLOW.contains(page.getFileName().toString()));
  }

  @ParameterizedTest
  @MethodSource("quick")
  void everyCommandWorks(Path document) throws Exception {
    run(document);
  }

  @ParameterizedTest
  @MethodSource("slow")
  @Tag("full")
  void everyCommandThatTakesLongWorks(Path document) throws Exception {
    run(document);
  }

  private void run(Path document) throws Exception {
    FILE.matcher(Files.readString(document))
        .results()
        .forEach(file -> write(folder.resolve(file.group(1)), file.group(2)));
    List<List<String>> commands = commands(Files.readString(document));
    if (commands.isEmpty()) {
      return;
    }
    Path lines = folder.resolve("commands.txt");
    Files.write(lines, commands.stream().map(words -> String.join("\t", words)).toList());
    Path log = folder.resolve("log.txt");
    var builder =
        new ProcessBuilder(
                java().toString(),
                "--add-modules=jdk.incubator.vector",
                CommandLines.class.getName(),
                lines.toString())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    int status = builder.start().waitFor();

    assertThat(status).as(Files.readString(log)).isZero();
    if (commands.contains(List.of("demo"))) {
      printsWhatThePageShows(Files.readString(document), Files.readString(log));
      assertThat(folder.resolve("runs/demo/market.svg"))
          .hasSameTextualContentAs(Shared.root().resolve("docs/market.svg"));
    }
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The page shows what the demo found. The machine may change the agent's last digits, but not
  /// that it learnt, nor what it is compared with.
  private static void printsWhatThePageShows(String page, String log) {
    String table = page.substring(page.indexOf("On the test days, "));
    List<String> shown = table.substring(0, table.indexOf("```")).lines().toList();
    List<String> printed = log.lines().toList();
    assertThat(shown).hasSize(11);
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
        .filter(block -> block.group(1) == null)
        .flatMap(block -> block.group(2).lines())
        .map(line -> line.replaceAll("(^|\\s+)#.*", "").strip())
        .filter(line -> !line.isEmpty())
        // Other commands belong into a block of bash, which runs them.
        .peek(line -> assertThat(line).startsWith("./tranche ").doesNotContain("\\", "\"", "'"))
        .map(line -> List.of(line.substring("./tranche ".length()).split("\\s+")))
        .filter(words -> !LAUNCHER.contains(words.getFirst()))
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
