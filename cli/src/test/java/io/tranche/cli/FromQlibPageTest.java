package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.run.ExecutionRun;
import io.tranche.testkit.Shared;
import io.tranche.work.backtest.BacktestPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// docs/from-qlib.md: the road from a store to the backtest tables works, and everything that the
/// page names exists.
class FromQlibPageTest {

  private static final Path CONFIGS = Shared.root().resolve("examples/qlib-run/exp_configs");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern VERB = Pattern.compile("tranche ((?:data|orders) \\w+|\\w+)");

  /// Read from `pickle_data_config.yml`, which the road reads.
  private static final Set<String> HANDLERS =
      Set.of(
          "HighFreqGeneralHandler",
          "HighFreqGeneralBacktestHandler",
          "HighFreqNorm",
          "TimeRangeFlt");

  @Test
  void everyCommandWorks(@TempDir Path folder) throws Exception {
    String said = PageCommands.run("from-qlib.md", folder);

    assertThat(said)
        .contains("done after 2 iterations")
        .doesNotContain("failed")
        .doesNotContain("warning: ");
    Path outputs = folder.resolve("empty/outputs");
    List<String> twap = Files.readAllLines(outputs.resolve("backtest_twap/backtest_result.csv"));
    assertThat(twap).hasSizeGreaterThan(5);
    for (String name : List.of("backtest_ppo", "backtest_opds")) {
      assertThat(Files.readAllLines(outputs.resolve(name).resolve("backtest_result.csv")))
          .hasSameSizeAs(twap)
          .isNotEqualTo(twap);
    }
    assertThat(outputs.resolve("opds/result.csv")).exists();
  }

  @Test
  void everyVerbExists() throws IOException {
    for (String verb : new TreeSet<>(found(VERB, page("# From Qlib")))) {
      var arguments = new ArrayList<>(List.of(verb.split(" ")));
      arguments.add("--help");

      assertThat(Run.of(arguments.toArray(String[]::new)).status()).as(verb).isZero();
    }
  }

  @Test
  void everyClassExists() throws IOException {
    String known = Run.of("components").out();
    List<String> classes =
        page("## Classes")
            .lines()
            .filter(line -> line.startsWith("| `"))
            .flatMap(line -> found(CODE, line).stream())
            .filter(name -> name.matches("[A-Z]\\w+"))
            .filter(name -> !HANDLERS.contains(name))
            .toList();

    assertThat(classes).hasSizeGreaterThan(20);
    for (String name : classes) {
      assertThat(known).containsPattern("(?m)\\b%s\\b".formatted(name));
    }
  }

  @Test
  void everyKeyExists() throws IOException {
    List<String> training = keys("## Keys of a training file");
    List<String> backtest = keys("## Keys of a backtest file");

    assertThat(training).hasSizeGreaterThan(25).containsAll(leaves("train_opds.yml", 3));
    assertThat(backtest).hasSizeGreaterThan(15).containsAll(leaves("backtest_twap.yml", 2));
    for (String key : training) {
      assertKnown("train_opds.yml", key, config -> ExecutionRun.read(config, _ -> {}));
    }
    for (String key : backtest) {
      assertKnown("backtest_opds.yml", key, config -> BacktestPlan.from(config, _ -> {}));
    }
  }

  /// A key that is typed and unknown is refused; another one has a value that is refused, or not.
  private static void assertKnown(String file, String key, Consumer<ConfigNode> reader) {
    ConfigNode config = ConfigFiles.load(CONFIGS.resolve(file));
    try {
      reader.accept(config.with(key + "=[]"));
    } catch (ConfigException | IllegalArgumentException e) {
      assertThat(e.getMessage()).as(key).doesNotContain("a key out of");
    }
  }

  /// Returns the keys of a configuration, down to a depth; sections that the page does not enter
  /// are left out.
  private static List<String> leaves(String file, int depth) {
    var keys = new ArrayList<String>();
    collect(ConfigFiles.load(CONFIGS.resolve(file)), "", depth, keys);
    return keys;
  }

  private static void collect(ConfigNode node, String path, int depth, List<String> keys) {
    Set<String> whole =
        Set.of(
            "state_interpreter", "action_interpreter", "reward", "network", "policy", "strategies");
    for (String key : node.keys()) {
      ConfigNode child = node.optional(key);
      if (child != null && child.isMapping() && depth > 1 && !whole.contains(path + key)) {
        collect(child, path + key + ".", depth - 1, keys);
      } else {
        keys.add(path + key);
      }
    }
  }

  private static List<String> keys(String heading) throws IOException {
    return page(heading)
        .lines()
        .filter(line -> line.startsWith("| `"))
        .map(line -> line.split("\\|", -1)[1])
        .flatMap(cell -> found(CODE, cell).stream())
        .toList();
  }

  /// Returns a section of the page; all of it for its title.
  private static String page(String heading) throws IOException {
    String page = Files.readString(Shared.root().resolve("docs/from-qlib.md"));
    String rest = page.substring(page.indexOf(heading) + heading.length());
    return heading.startsWith("## ") && rest.contains("\n## ")
        ? rest.substring(0, rest.indexOf("\n## "))
        : rest;
  }

  private static List<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(FromQlibPageTest::first).toList();
  }

  private static String first(MatchResult match) {
    return match.group(1);
  }
}
