package io.tranche.cli;

import static java.util.Map.entry;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Shared;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The Java code that the documents show compiles against the public types of the project and runs,
/// and what they link to exists.
///
/// A block is a type, or statements. Comments just before the block, which readers of the page do
/// not see, declare what statements take for granted and what holds when they have run: `<!--
/// given: Path file; void send(Order order) -->`, `<!-- then: Files.exists(file) -->`.
class DocumentedCodeTest {

  private static final Pattern BLOCK =
      Pattern.compile(
          "(?:<!-- given:(?<given>(?:(?!-->).)*)-->\\s*)?"
              + "(?:<!-- then:(?<then>(?:(?!-->).)*)-->\\s*)?"
              + "```java\n(?<code>.*?)```",
          Pattern.DOTALL);
  private static final Pattern TYPE =
      Pattern.compile(
          "^(?:(?:public|final|sealed) )*(?:class|record|interface|enum) (\\w+)",
          Pattern.MULTILINE);
  private static final Pattern NAME = Pattern.compile("(?<![\\w.])[A-Z]\\w*");

  /// A row of the road: its types, and how many.
  private static final Pattern ROAD =
      Pattern.compile("\\| [a-z ]+ \\| (`.*`.*) \\| (?:about \\d+)? ?\\| (\\d+) \\|");

  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)");

  /// The public types by their simple names.
  private static final Map<String, Set<String>> TYPES = types();

  /// What blocks take for granted, and a value of it; methods are those of [DocumentedValues].
  private static final Map<String, String> VALUES =
      Map.ofEntries(
          entry("Path bars", "Path.of(\"bars.csv\")"),
          entry("Path root", "Path.of(\"store\")"),
          entry("Path run", "Path.of(\"runs/own\")"),
          entry("Path models", "Path.of(\"models\")"),
          entry("Path journal", "Path.of(\"journal\")"),
          entry("int features", "5"),
          entry("Layer.Factory own", "Layers.dense(3)"),
          entry("FeatureProvider mine", "FeatureProvider.installed().getFirst()"),
          entry("LocalDate date", "LocalDate.of(2026, 3, 4)"),
          entry("LocalDateTime start", "date.atTime(9, 30)"),
          entry("LocalDateTime end", "date.atTime(14, 59)"),
          entry("LocalTime open", "LocalTime.of(9, 30)"),
          entry("LocalTime close", "LocalTime.of(14, 59)"),
          entry("List<DayFrame> earlierDays", "List.of()"),
          entry("long time", "BarTime.of(date.atTime(9, 30))"),
          entry("float[] values", "{10, 10, 1000, 1}"),
          entry("void send(String id, double volume, ChildOrder.Kind kind)", "{}"),
          entry("void log(Object notice)", "{ System.out.println(notice); }"),
          entry("List<Order> orders", "orders()"),
          entry("Problem<Integer, ?, ?, Numbers> problem", "countdown()"),
          entry("List<Integer> targets", "List.of(1, 2, 3, 4, 5)"),
          entry("ParallelFor parallel", "new ParallelFor(1)"),
          entry("ModelSpec spec", "model().spec()"),
          entry("StateDict weights", "model().members().getFirst()"),
          entry("Network.Factory<FullHistoryObservation> network", "network()"),
          entry("Weights weights", "drawnWeights()"),
          entry("Problem<Order, ?, ?, Observation> problem", "recipe().parts().problem()"),
          entry("Algorithm<Observation> algorithm", "recipe().algorithm()"),
          entry("InitialStates<Order> trainOrders", "orders(OrderSplit.Tag.TRAIN)"),
          entry("InitialStates<Order> validOrders", "orders(OrderSplit.Tag.VALID)"),
          entry("InitialStates<Order> testOrders", "orders(OrderSplit.Tag.TEST)"));

  /// The types of the documents, and commands that use each. All are plug-ins, in `mine.jar`.
  private static final Map<String, String> USES =
      Map.of(
          "FlatReward",
          """
          tranche train "$TRANCHE/examples/configs/quick.yml" --plugins mine.jar \\
            --set 'reward={class: FlatReward}' --set trainer.max_iterations=1
          """);

  @TempDir static Path reader;
  @TempDir static Path programs;
  @TempDir Path folder;

  static Stream<Path> documents() throws IOException {
    try (Stream<Path> translated = Files.walk(Shared.root().resolve("docs/zh"))) {
      List<Path> pages =
          translated.filter(file -> file.toString().endsWith(".md")).sorted().toList();
      return Stream.concat(DocumentationTest.documents(), pages.stream());
    }
  }

  @ParameterizedTest
  @MethodSource("documents")
  void everyBlockOfJavaCompiles(Path document) throws IOException {
    var sources = new ArrayList<JavaFileObject>();
    BLOCK
        .matcher(Files.readString(document))
        .results()
        .forEach(block -> sources.add(source(block, sources.size())));
    var problems = new DiagnosticCollector<JavaFileObject>();

    boolean compiles = sources.isEmpty() || compile(sources, problems);

    assertThat(compiles)
        .as(
            () ->
                problems.getDiagnostics().stream()
                    .map(problem -> problem + "\n" + problem.getSource())
                    .collect(joining("\n")))
        .isTrue();
  }

  /// Statements run where the reader's files are; a type is used by a command.
  @ParameterizedTest
  @MethodSource("documents")
  @Tag("full")
  void everyBlockOfJavaRuns(Path document) throws IOException, InterruptedException {
    for (MatchResult block : BLOCK.matcher(Files.readString(document)).results().toList()) {
      var problems = new DiagnosticCollector<JavaFileObject>();
      assertThat(compile(List.of(source(block, 0)), problems))
          .as(() -> problems.getDiagnostics().toString())
          .isTrue();
      Path start = Files.createDirectory(folder.resolve("a reader " + block.start()));
      Matcher type = TYPE.matcher(block.group("code"));
      if (type.find()) {
        var services = Map.of(PluginJar.COMPONENTS, "block0." + type.group(1));
        PluginJar.pack(classes(), services, start.resolve("mine.jar"));
        PageCommands.run(Objects.requireNonNull(USES.get(type.group(1))), start, folder);
      } else {
        makeReadersFiles();
        PageCommands.run(
            """
            cp -r '%s'/. .
            java --add-modules=jdk.incubator.vector -cp '%s':"$TRANCHE_CLASSPATH" block0.Block
            """
                .formatted(reader, classes()),
            start,
            folder);
      }
    }
  }

  /// Makes what the reader of a page has by then: bars, a store, and a trained model in all forms.
  private static void makeReadersFiles() throws IOException, InterruptedException {
    if (!Files.exists(reader.resolve("models"))) {
      PageCommands.run(
          """
          tranche data generate --out bars.csv --instruments 3 --days 40 --seed 5
          tranche data generate --out minutes.csv --frequency 1min --instruments 2 --days 10
          sed -i s/SYN0000/SH600000/ minutes.csv
          tranche data convert minutes.csv --out store
          tranche train "$TRANCHE/examples/configs/quick.yml" --set 'data={bars: store}'
          tranche export runs/quick
          cp runs/quick/model/model.tranche .
          mkdir checkpoints models
          tranche export runs/quick --out checkpoints/latest.pth
          cp model.tranche models/demo@1.tranche
          """,
          reader,
          programs);
    }
  }

  /// ARCHITECTURE.md lists the types that a reader opens to follow one order, and how many.
  @Test
  void everyTypeOnTheRoadOfOneOrderExists() throws IOException {
    Set<String> sources;
    try (Stream<Path> files = Files.walk(Shared.root())) {
      sources =
          files
              .filter(file -> file.toString().contains("/src/main/java/"))
              .map(file -> file.getFileName().toString())
              .collect(toSet());
    }
    int all = 0;
    for (String line : Files.readAllLines(Shared.root().resolve("ARCHITECTURE.md"))) {
      Matcher row = ROAD.matcher(line);
      if (row.matches()) {
        List<String> types =
            Pattern.compile("`(\\w+)`")
                .matcher(row.group(1))
                .results()
                .map(found -> found.group(1))
                .filter(name -> !name.equals("QlibBinder")) // the other dialect's twin
                .toList();
        assertThat(types).allSatisfy(name -> assertThat(sources).contains(name + ".java"));
        assertThat(types).as(line).doesNotHaveDuplicates().hasSize(Integer.parseInt(row.group(2)));
        all += types.size();
      }
    }
    assertThat(Files.readString(Shared.root().resolve("ARCHITECTURE.md")))
        .contains("That is %d in all.".formatted(all));
  }

  @ParameterizedTest
  @MethodSource("documents")
  void everyLinkedFileExists(Path document) throws IOException {
    List<String> missing =
        LINK.matcher(Files.readString(document))
            .results()
            .map(link -> link.group(1))
            .filter(link -> !link.contains("://"))
            .filter(link -> !Files.exists(document.resolveSibling(link)))
            .toList();

    assertThat(missing).isEmpty();
  }

  private boolean compile(
      List<JavaFileObject> sources, DiagnosticCollector<JavaFileObject> problems) {
    List<String> options =
        List.of(
            "-d", classes().toString(), "-proc:none", "-cp", System.getProperty("java.class.path"));
    return ToolProvider.getSystemJavaCompiler()
        .getTask(new StringWriter(), null, problems, options, null, sources)
        .call();
  }

  private Path classes() {
    return folder.resolve("classes");
  }

  private static JavaFileObject source(MatchResult block, int number) {
    String code = block.group("code");
    Matcher type = TYPE.matcher(code);
    boolean isType = type.find();
    String name = isType ? type.group(1) : "Block";
    assertThat(!isType || USES.containsKey(name)).as("commands that use " + name).isTrue();
    String body = isType ? code : program(block);
    String text = "package block%d;\n%s%s".formatted(number, imports(body), body);
    return new Source("block%d/%s".formatted(number, name), text);
  }

  private static String program(MatchResult block) {
    String given = given(block).stream().map(DocumentedCodeTest::declared).collect(joining());
    String then = block.group("then") == null ? "true" : block.group("then").strip();
    return """
    class Block {
    %spublic static void main(String[] arguments) throws Exception {
    %sif (!(%s)) throw new AssertionError();
    }
    }
    """
        .formatted(given, block.group("code"), then);
  }

  private static List<String> given(MatchResult block) {
    String given = block.group("given") == null ? "" : block.group("given");
    return Stream.of(given.split(";")).map(String::strip).filter(each -> !each.isEmpty()).toList();
  }

  private static String declared(String given) {
    assertThat(VALUES).as("a value, so that the block can run").containsKey(given);
    return given.endsWith(")")
        ? "static %s %s\n".formatted(given, VALUES.get(given))
        : "static %s = %s;\n".formatted(given, VALUES.get(given));
  }

  private static String imports(String code) {
    var names = new TreeSet<String>();
    NAME.matcher(code).results().map(MatchResult::group).forEach(names::add);
    return Stream.concat(
            Stream.of(
                "java.nio.file.*",
                "java.time.*",
                "java.util.*",
                "static io.tranche.cli.DocumentedValues.*"),
            names.stream().flatMap(name -> imported(name).stream()))
        .map("import %s;\n"::formatted)
        .collect(joining());
  }

  private static Set<String> imported(String name) {
    Set<String> types = TYPES.getOrDefault(name, Set.of());
    assertThat(types).as("public types of the name " + name).hasSizeLessThan(2);
    return types;
  }

  private static Map<String, Set<String>> types() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .filter(Files::exists)
        .flatMap(entry -> names(entry).stream())
        .filter(DocumentedCodeTest::isPublic)
        .collect(
            groupingBy(
                name -> name.substring(name.lastIndexOf('.') + 1), mapping(n -> n, toSet())));
  }

  /// Returns the top-level types of the project's main code in a folder or an archive.
  private static List<String> names(Path entry) {
    try {
      if (Files.isDirectory(entry)) {
        return entry.getFileName().toString().contains("test") ? List.of() : names(entry, entry);
      }
      if (!entry.getFileName().toString().startsWith("tranche-")) {
        return List.of();
      }
      try (FileSystem archive = FileSystems.newFileSystem(entry)) {
        Path root = archive.getPath("/");
        return names(root, root);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> names(Path root, Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .map(file -> root.relativize(file).toString())
          .filter(file -> file.matches("io/tranche/[^$-]*\\.class"))
          .map(file -> file.substring(0, file.length() - ".class".length()).replace('/', '.'))
          .toList();
    }
  }

  private static boolean isPublic(String name) {
    try {
      return Modifier.isPublic(
          Class.forName(name, false, DocumentedCodeTest.class.getClassLoader()).getModifiers());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class Source extends SimpleJavaFileObject {

    private final String text;

    Source(String name, String text) {
      super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoresEncodingErrors) {
      return text;
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
