package io.tranche.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublicApiTest {

  private static final String BEFORE =
      """
      public interface Shape {
        double area();
        default String name() { return "shape"; }
        record Circle(double radius) implements Shape {
          public double area() { return 3 * radius * radius; }
          void hidden() {}
        }
        sealed interface Colour permits Red {}
        record Red() implements Colour {}
      }
      """;

  @TempDir Path folder;

  /// Compiles a library of one type, and reads what it offers.
  private PublicApi api(String source) throws IOException {
    Path sources = Files.createDirectories(folder.resolve("shapes/src/main/java/shapes"));
    Files.writeString(
        sources.resolveSibling("module-info.java"),
        "module shapes {\n  exports shapes;\n  exports shapes.inside to\n      other;\n}\n");
    Path type = Files.writeString(sources.resolve("Shape.java"), "package shapes;\n" + source);
    Path inside = Files.createDirectories(sources.resolve("inside"));
    Path secret =
        Files.writeString(
            inside.resolve("Secret.java"), "package shapes.inside; public class Secret {}");
    Path classes = Files.createTempDirectory(folder, "classes");
    int status =
        Objects.requireNonNull(ToolProvider.getSystemJavaCompiler())
            .run(null, null, null, "-d", classes.toString(), type.toString(), secret.toString());
    assertThat(status).isZero();
    return PublicApi.read(folder, List.of(classes));
  }

  private List<String> breaks(String source) throws IOException {
    Path recorded = folder.resolve("api");
    api(BEFORE).write(recorded, "1.0");
    return api(source).breaks(recorded);
  }

  @Test
  void everyPublicFactIsALine() throws IOException {
    api(BEFORE).write(folder.resolve("api"), "1.0");

    assertThat(folder.resolve("api/shapes.txt"))
        .content()
        .startsWith("# 1.0\n")
        .contains(
            "shapes.Shape interface\n",
            "shapes.Shape #area(): abstract double\n",
            "shapes.Shape #name(): java.lang.String\n",
            "shapes.Shape.Circle record\n",
            "shapes.Shape.Circle is shapes.Shape\n",
            "shapes.Shape.Circle #<init>(double): void\n",
            "shapes.Shape.Colour sealed interface\n",
            "shapes.Shape.Colour permits shapes.Shape.Red\n")
        .doesNotContain("hidden", "Secret");
  }

  @Test
  void whatIsAddedForCallersIsNoBreak() throws IOException {
    assertThat(breaks(BEFORE)).isEmpty();
    assertThat(
            breaks(
                BEFORE.replace(
                    "double area();", "double area(); static Shape unit() { return null; }")))
        .isEmpty();
  }

  @Test
  void whatIsGoneOrChangedIsABreak() throws IOException {
    assertThat(breaks(BEFORE.replace("double radius)", "double radius, int edges)")))
        .containsExactly("gone: shapes.Shape.Circle #<init>(double): void");
    assertThat(breaks(BEFORE.replace("String name()", "Object name()")))
        .containsExactly("gone: shapes.Shape #name(): java.lang.String");
  }

  @Test
  void whatOthersMustDoNowIsABreak() throws IOException {
    assertThat(
            breaks(
                BEFORE
                    .replace("double area();", "double area(); int edges();")
                    .replace("void hidden() {}", "public int edges() { return 0; }")))
        .containsExactly("new: shapes.Shape #edges(): abstract int");
    assertThat(
            breaks(
                BEFORE.replace(
                    "permits Red {}", "permits Red, Blue {} record Blue() implements Colour {}")))
        .containsExactly("new: shapes.Shape.Colour permits shapes.Shape.Blue");
  }

  @Test
  void theChangelogAnnouncesBreaks() {
    List<String> breaks = List.of("gone: shapes.Shape.Circle #<init>(double): void");

    assertThat(PublicApi.unannounced(breaks, "## Unreleased\n- `Circle` is rounder.\n"))
        .isEqualTo(breaks);
    assertThat(
            PublicApi.unannounced(
                breaks, "## Unreleased\n- Breaking: shapes have edges,\n  so has `Circle`.\n"))
        .isEmpty();
    assertThat(
            PublicApi.unannounced(
                breaks, "## Unreleased\n- More.\n\n## 1.0\n- Breaking: `Circle` has edges.\n"))
        .isEqualTo(breaks);
  }
}
