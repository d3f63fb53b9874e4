package io.tranche.cli;

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

/// The Java code that the documents show compiles against the public types of the project, and what
/// they link to exists.
///
/// A block is a type, or statements. What statements take for granted is declared in a comment just
/// before the block, which readers of the page do not see: `<!-- given: Path file; void send(Order
/// order) -->`.
class DocumentedCodeTest {

  private static final Pattern BLOCK =
      Pattern.compile("(?:<!-- given:((?:(?!-->).)*)-->\\s*)?```java\n(.*?)```", Pattern.DOTALL);
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

  /// What blocks take for granted, and a value of it.
  private static final Map<String, String> VALUES =
      Map.of(
          "Path bars", "Path.of(\"bars.csv\")",
          "int features", "5",
          "Layer.Factory own", "io.tranche.tensor.layer.Layers.dense(3)",
          "FeatureProvider mine", "FeatureProvider.installed().getFirst()",
          "LocalDate date", "LocalDate.of(2026, 3, 4)",
          "List<DayFrame> earlierDays", "List.of()",
          "long time", "io.tranche.market.BarTime.of(LocalDate.of(2026, 3, 4).atTime(9, 30))",
          "float[] values", "{10, 10, 1000, 1}",
          "void send(String id, double volume, ChildOrder.Kind kind)", "{}");

  @TempDir static Path reader;
  @TempDir static Path programs;
  @TempDir Path classes;

  static Stream<Path> documents() throws IOException {
    return DocumentationTest.documents();
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

  /// Blocks run too if what they take for granted can be made here; other tests and the examples
  /// run the code of the rest.
  @ParameterizedTest
  @MethodSource("documents")
  @Tag("full")
  void blocksRun(Path document) throws IOException, InterruptedException {
    List<MatchResult> blocks =
        BLOCK
            .matcher(Files.readString(document))
            .results()
            .filter(block -> !TYPE.matcher(block.group(2)).find())
            .filter(block -> given(block).stream().allMatch(VALUES::containsKey))
            .toList();
    for (MatchResult block : blocks) {
      var problems = new DiagnosticCollector<JavaFileObject>();
      assertThat(compile(List.of(source(block, 0)), problems))
          .as(() -> problems.getDiagnostics().toString())
          .isTrue();
      Path start = Files.createDirectory(classes.resolve("a reader " + block.start()));
      for (String file : readersFiles(block.group(2))) {
        Files.copy(reader.resolve(file), start.resolve(file));
      }
      PageCommands.run(
          "java --add-modules=jdk.incubator.vector -cp '%s':\"$TRANCHE_CLASSPATH\" block0.Block"
              .formatted(classes),
          start,
          classes);
    }
  }

  /// Returns what the reader of a page has by then: bars, and a model if the code opens one.
  private static List<String> readersFiles(String code) throws IOException, InterruptedException {
    if (!Files.exists(reader.resolve("model.tranche"))) {
      PageCommands.run(
          """
          tranche data generate --out bars.csv --instruments 3 --days 40 --seed 5
          tranche train "$TRANCHE/examples/configs/quick.yml"
          tranche export runs/quick --out model.tranche
          """,
          reader,
          programs);
    }
    return code.contains("model.tranche") && !code.contains(".export(")
        ? List.of("bars.csv", "model.tranche")
        : List.of("bars.csv");
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
            "-d", classes.toString(), "-proc:none", "-cp", System.getProperty("java.class.path"));
    return ToolProvider.getSystemJavaCompiler()
        .getTask(new StringWriter(), null, problems, options, null, sources)
        .call();
  }

  private static JavaFileObject source(MatchResult block, int number) {
    String given = String.join("; ", given(block)) + "\n";
    String code = block.group(2);
    var type = TYPE.matcher(code);
    boolean isType = type.find();
    String declared = given(block).stream().map(DocumentedCodeTest::declared).collect(joining());
    String body =
        isType
            ? code
            : "class Block {\n%spublic static void main(String[] arguments) throws Exception {\n%s}\n}\n"
                .formatted(declared, code);
    String text = "package block%d;\n%s%s".formatted(number, imports(given + code), body);
    return new Source("block%d/%s".formatted(number, isType ? type.group(1) : "Block"), text);
  }

  private static List<String> given(MatchResult block) {
    String given = block.group(1) == null ? "" : block.group(1);
    return Stream.of(given.split(";")).map(String::strip).filter(each -> !each.isEmpty()).toList();
  }

  private static String declared(String given) {
    String value = VALUES.get(given);
    if (given.contains("(")) {
      return value == null
          ? "static native %s;\n".formatted(given)
          : "static " + given + value + "\n";
    }
    return "static %s%s;\n".formatted(given, value == null ? "" : " = " + value);
  }

  private static String imports(String code) {
    var names = new TreeSet<String>();
    NAME.matcher(code).results().map(MatchResult::group).forEach(names::add);
    return Stream.concat(
            Stream.of("java.nio.file.*", "java.time.*", "java.util.*"),
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
