package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Python;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Libraries that know nothing of Tranche train agents on its embedded market that beat TWAP there.
///
/// Each is trained with two settings. Which one is judged is decided on the validation orders; the
/// test orders are of later days, and only the judge sees them.
@Tag("full")
final class PythonPeersTest {

  private static final Pattern LOW = Pattern.compile("'low': (-?[0-9.e-]+)");

  @TempDir private Path folder;

  @Test
  void stableBaselinesTrainsOnItAndItsCheckerAcceptsIt() throws IOException, InterruptedException {
    for (String program : PythonEnvironmentTest.programs(true)) {
      PythonPackage.in(folder).run(Python.withLearnersOrSkip(), program);
    }
    beatsTwap("peer_sb3.py", "250000");
  }

  @Test
  void tianshouTrainsOnIt() throws IOException, InterruptedException {
    beatsTwap("peer_tianshou.py", "102400");
  }

  /// Its file is taken from PyPI as it is; it has the same environment as any user's.
  @Test
  void theFileOfCleanRlTrainsOnIt() throws IOException, InterruptedException {
    Path file = Python.wheelOrSkip("cleanrl==1.2.0").resolve("cleanrl/ppo_continuous_action.py");

    beatsTwap("peer_cleanrl.py", file.toString(), "250000");
  }

  private void beatsTwap(String program, String... arguments)
      throws IOException, InterruptedException {
    PythonPackage python = PythonPackage.in(folder);
    List<String> printed =
        python.runFile(Python.withLearnersOrSkip(), program, arguments).lines().toList();

    // The interval of all orders is above zero. The word "better" would ask the same of each side.
    Matcher low = LOW.matcher(printed.getLast());
    assertThat(low.find()).as(String.join("\n", printed)).isTrue();
    assertThat(Double.parseDouble(low.group(1))).as(String.join("\n", printed)).isPositive();
    assertThat(printed).filteredOn(line -> line.startsWith("validation")).hasSize(2);
    SortedSet<String> train = days("train");
    SortedSet<String> valid = days("valid");
    SortedSet<String> test = days("test");
    assertThat(valid.first()).isGreaterThan(train.last());
    assertThat(test.first()).isGreaterThan(valid.last());
    assertThat(test).hasSizeGreaterThan(40);
  }

  /// Returns the days of a stage's orders, of the run that was judged.
  private SortedSet<String> days(String stage) throws IOException {
    var days = new TreeSet<String>();
    try (Stream<Path> files = Files.list(folder.resolve("judged run/data/orders/" + stage))) {
      for (Path file : files.toList()) {
        Files.readAllLines(file).stream()
            .skip(1)
            .map(line -> line.substring(0, line.indexOf(',')))
            .forEach(days::add);
      }
    }
    return days;
  }
}
