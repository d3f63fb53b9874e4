package io.tranche.cli.start;

import io.tranche.backtest.Costs;
import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.console.Version;
import io.tranche.cli.option.Arguments;
import io.tranche.cli.option.InputOptions;
import io.tranche.config.ConfigException;
import io.tranche.files.StagedFolder;
import io.tranche.market.BarWriter;
import io.tranche.market.DataException;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import javax.lang.model.SourceVersion;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "new",
    description = {
      "Make a project of your own: a reward, a feature, a rule and their test in Java, configurations, and scripts.",
      "It builds with Maven, or with the JDK alone; ./run in it builds, trains and reports."
    })
public final class NewCommand implements Callable<Integer> {

  private static final int SAMPLE_INSTRUMENTS = 6;
  private static final int SAMPLE_DAYS = 20;
  private static final int ITERATIONS = 10;

  private static final String SAMPLE = "data/sample.csv";
  private static final String CONFIG = "config/train.yml";

  private static final Set<String> SCRIPTS = Set.of("build", "tranche", "run");

  /// Template to file; `@PACKAGE@` as in the templates.
  private static final Map<String, String> FILES =
      Map.ofEntries(
          Map.entry("README.md", "README.md"),
          Map.entry("pom.xml", "pom.xml"),
          Map.entry("maven.config", ".mvn/maven.config"),
          Map.entry("gitignore", ".gitignore"),
          Map.entry("build", "build"),
          Map.entry("tranche", "tranche"),
          Map.entry("run", "run"),
          Map.entry("backtest.yml", "config/backtest.yml"),
          Map.entry("EarlyReward.java", "src/main/java/@PACKAGE@/EarlyReward.java"),
          Map.entry("DayRange.java", "src/main/java/@PACKAGE@/DayRange.java"),
          Map.entry("FirstHalf.java", "src/main/java/@PACKAGE@/FirstHalf.java"),
          Map.entry("Components.java", "src/main/java/@PACKAGE@/Components.java"),
          Map.entry("ComponentsTest.java", "src/test/java/@PACKAGE@/ComponentsTest.java"));

  private static final Map<String, String> SERVICES =
      Map.of(
          "io.tranche.config.ComponentProvider", "Components",
          "io.tranche.market.feature.provider.FeatureProvider", "DayRange");

  @Parameters(
      paramLabel = "PROJECT",
      description = "A new or empty folder; its name is the project's.")
  private Path project = Path.of("");

  @Option(
      names = "--bars",
      paramLabel = "FILE",
      description = "Your own bars, for the configuration (default: generated ones).")
  private @Nullable Path bars;

  @Option(
      names = "--costs",
      paramLabel = "PRESET",
      description =
          "What trading costs, a preset of docs/configuration.md (default: as usual for the session).")
  private @Nullable String costs;

  @Mixin private InputOptions input = new InputOptions();

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    Path folder = project.toAbsolutePath().normalize();
    StartCommand.requireFree("PROJECT", folder);
    String artifact = Objects.requireNonNull(folder.getFileName()).toString();
    if (!artifact.matches("[A-Za-z][A-Za-z0-9._-]*")) {
      throw new ConfigException(
          "PROJECT", "a name of letters, digits and - . _ that begins with a letter", artifact);
    }
    try (StagedFolder staged = StagedFolder.create(folder)) {
      write(staged.folder(), artifact);
      staged.commit();
    } catch (IOException e) {
      throw DataException.unwritable(folder, e);
    }
    console
        .out()
        .printf(
            """
            %s: a project with a reward, a feature and a rule of its own
            What next:
              build, train, report:  %s
              look around:           %s
            """,
            project,
            StartCommand.quoted(project.resolve("run")),
            StartCommand.quoted(project.resolve("README.md")));
    return ExitCode.OK;
  }

  private void write(Path folder, String artifact) throws IOException {
    Path sample = Files.createDirectories(folder.resolve("data")).resolve("sample.csv");
    try (BarWriter writer = BarFiles.create(sample)) {
      BarFiles.convert(
          new SyntheticMarket(SyntheticConfig.DEFAULT.withSize(SAMPLE_INSTRUMENTS, SAMPLE_DAYS)),
          writer,
          (_, _) -> {});
    }
    String home = System.getProperty("tranche.home", "");
    String version = Version.number();
    Map<String, String> words =
        Map.of(
            "@ARTIFACT@",
            artifact,
            "@PACKAGE@",
            packageName(artifact),
            "@HOME@",
            home,
            "@BARS@",
            bars == null ? SAMPLE : bars.toString(),
            "@VERSION@",
            version == null ? "development" : version);
    for (Map.Entry<String, String> file : FILES.entrySet()) {
      Path target = folder.resolve(filled(file.getValue(), words));
      Files.createDirectories(Objects.requireNonNull(target.getParent()));
      Files.writeString(target, filled(template(file.getKey()), words));
      if (SCRIPTS.contains(file.getKey())) {
        makeExecutable(target);
      }
    }
    Path services = Files.createDirectories(folder.resolve("src/main/resources/META-INF/services"));
    for (Map.Entry<String, String> service : SERVICES.entrySet()) {
      Files.writeString(
          services.resolve(service.getKey()),
          "%s.%s%n".formatted(words.get("@PACKAGE@"), service.getValue()));
    }
    Files.writeString(folder.resolve(CONFIG), config(sample) + template("train-parts.yml"));
  }

  /// Returns a configuration for the user's bars, or for the sample.
  private String config(Path sample) {
    var nobody = new Questions(null, console.out());
    BarsFound found =
        bars == null
            ? BarsFound.in(sample, ColumnMapping.DEFAULT, nobody).at(Path.of(SAMPLE))
            : BarsFound.in(bars, input.mapping(), nobody).at(bars.toAbsolutePath().normalize());
    if (bars != null) {
      console.note(found.toString());
      found.notes().forEach(console::note);
    }
    String usual = found.usualCosts();
    String preset =
        costs != null
            ? Arguments.oneOf("--costs", Costs.presets(), costs)
            : bars == null || usual == null ? "none" : usual;
    return StartConfig.text(found, preset, ITERATIONS);
  }

  private static String packageName(String artifact) {
    String name = artifact.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    return SourceVersion.isName(name) ? name : name + "project";
  }

  private static String filled(String template, Map<String, String> words) {
    String text = template;
    for (Map.Entry<String, String> word : words.entrySet()) {
      text = text.replace(word.getKey(), word.getValue());
    }
    return text;
  }

  private static String template(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(NewCommand.class.getResourceAsStream("project/" + name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /// Makes a script executable where files have such a right.
  private static void makeExecutable(Path file) throws IOException {
    if (Files.getFileStore(file).supportsFileAttributeView("posix")) {
      var rights = new HashSet<>(Files.getPosixFilePermissions(file));
      rights.addAll(
          List.of(
              PosixFilePermission.OWNER_EXECUTE,
              PosixFilePermission.GROUP_EXECUTE,
              PosixFilePermission.OTHERS_EXECUTE));
      Files.setPosixFilePermissions(file, rights);
    }
  }
}
