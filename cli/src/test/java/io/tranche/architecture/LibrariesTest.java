package io.tranche.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.PublicApi;
import io.tranche.testkit.Shared;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The modules as libraries: what they export, in which versions, and that it lasts.
class LibrariesTest {

  @TempDir Path folder;

  private static List<Path> libraries() throws IOException {
    try (Stream<Path> modules = Files.list(Shared.root())) {
      return modules
          .filter(each -> Files.exists(each.resolve("src/main/java/module-info.java")))
          .toList();
    }
  }

  private static NavigableSet<String> found(String pattern, String text) {
    return Pattern.compile(pattern, Pattern.MULTILINE)
        .matcher(text)
        .results()
        .map(each -> each.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /// An export is a decision: the overview of the Javadoc says what it is for.
  @Test
  void theOverviewNamesWhatIsExportedAndNothingElse() throws IOException {
    var exported = new TreeSet<String>();
    for (Path library : libraries()) {
      exported.addAll(
          found(
              "^  exports ([\\w.]+);$",
              Files.readString(library.resolve("src/main/java/module-info.java"))));
    }

    String overview = Files.readString(Shared.root().resolve("docs/javadoc/overview.md"));

    assertThat(found("^\\| \\[([\\w.]+)\\] \\|", overview)).isEqualTo(exported);
  }

  @Test
  void theBomHasEveryLibraryInTheVersionOfTheProject() throws IOException {
    String bom = Files.readString(Shared.root().resolve("bom/pom.xml"));
    String version =
        found(
                "<version>(.*)</version>",
                Files.readString(Shared.root().resolve("pom.xml")).split("<packaging>", -1)[0])
            .first();

    assertThat(found("<artifactId>tranche-(?!bom)(.*)</artifactId>", bom))
        .containsAll(libraries().stream().map(each -> each.getFileName().toString()).toList())
        .allSatisfy(module -> assertThat(Shared.root().resolve(module)).isDirectory());
    assertThat(bom).contains("<version>" + version + "</version>");
  }

  /// Nothing to compare before the first release, so the API of today stands in for one as well.
  @Test
  void breaksSinceTheLastReleaseAreAnnounced() throws IOException {
    List<Path> classPath =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .toList();
    PublicApi now = PublicApi.read(Shared.root(), classPath);
    now.write(folder, "1.0");
    Path env = folder.resolve("env.txt");
    assertThat(env).content().contains("io.tranche.env.Reward #reward(");
    String gone = "io.tranche.env.Reward #praise(): abstract double";
    Files.writeString(env, Files.readString(env) + gone + "\n");

    assertThat(now.breaks(folder)).containsExactly("gone: " + gone);
    assertThat(
            PublicApi.unannounced(
                now.breaks(Shared.root().resolve("api")),
                Files.readString(Shared.root().resolve("CHANGELOG.md"))))
        .isEmpty();
  }

  /// Erasure is the same, programs of users no longer compile.
  @Test
  void otherTypeArgumentsAreABreakAndOtherNamesOfParametersAreNot() throws IOException {
    PublicApi before =
        api("before", "<T extends Comparable<T>> List<? extends T> sorted(Map<String, T[]> given)");
    before.write(folder.resolve("api"), "1.0");

    assertThat(
            api("renamed", "<S extends Comparable<S>> List<? extends S> sorted(Map<String, S[]> g)")
                .breaks(folder.resolve("api")))
        .isEmpty();
    assertThat(
            api("other", "<T extends Comparable<T>> List<? extends T> sorted(Map<Integer, T[]> g)")
                .breaks(folder.resolve("api")))
        .containsExactly(
            "gone: lib.Sorter #sorted<java.lang.Comparable<M0>>(java.util.Map<java.lang.String,"
                + " M0[]>): abstract java.util.List<? extends M0>",
            "new: lib.Sorter #sorted<java.lang.Comparable<M0>>(java.util.Map<java.lang.Integer,"
                + " M0[]>): abstract java.util.List<? extends M0>");
  }

  /// Compiles a library of one interface.
  private PublicApi api(String name, String method) throws IOException {
    Path root = folder.resolve(name);
    Path sources = Files.createDirectories(root.resolve("lib/src/main/java"));
    Files.writeString(sources.resolve("module-info.java"), "module lib {\n  exports lib;\n}\n");
    Path source =
        Files.writeString(
            sources.resolve("Sorter.java"),
            "package lib; import java.util.*; public interface Sorter<A> extends Comparator<A> { %s; }"
                .formatted(method));
    Path classes = root.resolve("classes");
    int status =
        Objects.requireNonNull(ToolProvider.getSystemJavaCompiler())
            .run(null, null, null, "-proc:none", "-d", classes.toString(), source.toString());
    assertThat(status).isZero();
    return PublicApi.read(root, List.of(classes));
  }
}
