package io.tranche.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/// What only the sources show.
class SourceTest {

  // Written so that this file does not match itself.
  private static final Pattern UNFINISHED =
      Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");

  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  /// Types whose constructors take a list of equal values.
  private static final Set<String> LISTS = Set.of("ProcessBuilder", "Value.Floats");

  @Test
  void nothingIsLeftForLater() throws IOException {
    List<Path> sources = sources();
    var unfinished = new ArrayList<String>();
    for (Path source : sources) {
      int line = 0;
      for (String text : Files.readAllLines(source)) {
        line++;
        if (UNFINISHED.matcher(text).find()) {
          unfinished.add(Shared.root().relativize(source) + ":" + line);
        }
      }
    }

    assertThat(sources).hasSizeGreaterThan(20);
    assertThat(unfinished).isEmpty();
  }

  /// Whoever wants to know what PPO computes reads one file; the others share out the work.
  @Test
  void theMathematicsOfPpoIsOneShortFile() throws IOException {
    Path ppo = Shared.root().resolve("policy/src/main/java/io/tranche/policy/ppo");
    List<String> lines = Files.readAllLines(ppo.resolve("PpoLoss.java"));

    assertThat(lines).hasSizeLessThanOrEqualTo(300);
    assertThat(String.join("\n", lines))
        .contains("void advantages(", "float ratio =", "float clip =", "entropy(", "float critic(");
    try (Stream<Path> files = Files.list(ppo)) {
      for (Path file : files.filter(each -> !each.endsWith("PpoLoss.java")).toList()) {
        assertThat(Files.readString(file))
            .as(file.toString())
            .doesNotContain("Math.exp", "Math.log", "Math.sqrt", "Math.clamp");
      }
    }
  }

  /// Each parameter says what it means, what is usual, and in brackets who says so.
  @Test
  void everyParameterOfAnAlgorithmHasARangeAndASource() throws IOException {
    for (String file :
        List.of(
            "policy/src/main/java/io/tranche/policy/ppo/PpoConfig.java",
            "policy/src/main/java/io/tranche/policy/dqn/DqnConfig.java",
            "policy/src/main/java/io/tranche/policy/sac/SacConfig.java",
            "policy/src/main/java/io/tranche/policy/agent/Exploration.java",
            "policy/src/main/java/io/tranche/policy/learn/UpdateSettings.java",
            "tensor/src/main/java/io/tranche/tensor/AdamConfig.java")) {
      String text = Files.readString(Shared.root().resolve(file));
      String[] parameters =
          text.substring(0, text.indexOf("\npublic record"))
              .replace("\n///", "")
              .split("@param ", -1);

      assertThat(parameters).as(file).hasSizeGreaterThan(3);
      for (String parameter : List.of(parameters).subList(1, parameters.length)) {
        assertThat(parameter)
            .as(file)
            .containsPattern("\\(.+\\)")
            .containsPattern("\\d|: on|: linear|whether|error|Gaussian|: updates");
      }
    }
  }

  /// Ten values in a row cannot be read: a record has a default or a factory, and withers.
  @Test
  void examplesDocumentsAndTestsNameTheirValues() throws IOException {
    var sources = new ArrayList<JavaFileObject>();
    for (Path source : sources()) {
      String place = Shared.root().relativize(source).toString();
      if (place.contains("/src/test/") || place.startsWith("examples")) {
        sources.add(new Source(source.toUri(), Files.readString(source)));
      }
    }
    try (Stream<Path> pages = Files.list(Shared.root().resolve("docs"))) {
      for (Path page : pages.filter(each -> each.toString().endsWith(".md")).toList()) {
        BLOCK
            .matcher(Files.readString(page))
            .results()
            .map(block -> "class Shown { Object run() {" + block.group(1) + "}}")
            .forEach(text -> sources.add(new Source(page.toUri().resolve("Shown.java"), text)));
      }
    }
    var found = new ArrayList<String>();
    var finder =
        new TreeScanner<Void, String>() {
          @Override
          public Void visitNewClass(NewClassTree made, String place) {
            String type = made.getIdentifier().toString();
            if (made.getArguments().size() >= 10 && !LISTS.contains(type)) {
              found.add("%s: new %s of %d".formatted(place, type, made.getArguments().size()));
            }
            return super.visitNewClass(made, place);
          }
        };
    JavacTask task =
        (JavacTask)
            Objects.requireNonNull(ToolProvider.getSystemJavaCompiler())
                .getTask(new StringWriter(), null, _ -> {}, List.of("-proc:none"), null, sources);

    task.parse().forEach(unit -> unit.accept(finder, unit.getSourceFile().getName()));

    assertThat(sources).hasSizeGreaterThan(200);
    assertThat(found).isEmpty();
  }

  /// The interface of the kernels is for arrays, not for readers.
  @Test
  void noListenerHasManyParameters() throws IOException {
    var sources = new ArrayList<JavaFileObject>();
    for (Path source : sources()) {
      if (source.toString().contains("/src/main/") && !source.endsWith("Kernels.java")) {
        sources.add(new Source(source.toUri(), Files.readString(source)));
      }
    }
    var found = new ArrayList<String>();
    var finder =
        new TreeScanner<Void, String>() {
          @Override
          public Void visitClass(ClassTree type, String place) {
            for (Tree member : type.getMembers()) {
              if (type.getKind() == Tree.Kind.INTERFACE
                  && member instanceof MethodTree method
                  && method.getParameters().size() >= 8) {
                found.add(place + ": " + method.getName());
              }
            }
            return super.visitClass(type, place);
          }
        };
    JavacTask task =
        (JavacTask)
            Objects.requireNonNull(ToolProvider.getSystemJavaCompiler())
                .getTask(new StringWriter(), null, _ -> {}, List.of("-proc:none"), null, sources);

    task.parse().forEach(unit -> unit.accept(finder, unit.getSourceFile().getName()));

    assertThat(found).isEmpty();
  }

  private static List<Path> sources() throws IOException {
    var sources = new ArrayList<Path>();
    for (Path folder : List.of(Shared.root(), Shared.root().resolve("examples"))) {
      try (var modules = Files.newDirectoryStream(folder, SourceTest::hasSources)) {
        for (Path module : modules) {
          try (var files = Files.walk(module.resolve("src"))) {
            files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
          }
        }
      }
    }
    return sources;
  }

  private static boolean hasSources(Path module) {
    return Files.isDirectory(module.resolve("src"));
  }

  /// A source that has been read.
  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(URI place, String text) {
      super(place, Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoresEncodingErrors) {
      return text;
    }
  }
}
