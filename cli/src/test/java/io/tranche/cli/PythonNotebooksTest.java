package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Python;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The notebooks of examples/notebooks run, and show what they say they show.
final class PythonNotebooksTest {

  private static final Path NOTEBOOKS = Shared.root().resolve("examples/notebooks");

  @TempDir private Path folder;

  /// A reader who has no JDK at hand sees what they show.
  @Test
  void theyAreStoredAsTheyWereExecuted() throws IOException {
    try (Stream<Path> files = Files.list(NOTEBOOKS)) {
      List<Path> found = files.toList();
      assertThat(found).hasSize(3);
      for (Path file : found) {
        String text = Files.readString(file);
        assertThat(text).as(file.toString()).contains("\"image/png\"").doesNotContain("/tmp/");
        for (JsonNode cell : new JsonMapper().readTree(text).get("cells")) {
          if (cell.get("cell_type").stringValue().equals("code")) {
            assertThat(cell.get("execution_count").isNumber()).as(file.toString()).isTrue();
          }
        }
      }
    }
  }

  @Tag("full")
  @ParameterizedTest
  @ValueSource(strings = {"bars-to-agent", "stable-baselines3", "journal-to-tca"})
  void theyRunAndTheirPicturesAreNotBlank(String name) throws IOException, InterruptedException {
    PythonPackage python = PythonPackage.in(folder);
    String printed =
        python.run(
            Python.withLearnersOrSkip(),
            """
            import runpy
            os.environ["PYTHONPATH"] = sys.path[0]
            os.environ["OMP_NUM_THREADS"] = "1"
            runpy.run_path(os.path.join(sys.path[0], "tests", "notebook.py"), run_name="__main__")
            """,
            NOTEBOOKS.resolve(name + ".ipynb").toString(),
            Files.createDirectories(folder.resolve("a folder")).toString());

    assertThat(printed).startsWith("SHOWS");
  }
}
