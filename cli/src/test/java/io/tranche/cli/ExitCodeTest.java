package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.cli.console.ExitCode;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The exit codes of docs/reference/exit-codes.md.
class ExitCodeTest {

  @TempDir Path folder;

  @Test
  void theTableHasEveryCode() throws Exception {
    var codes = new TreeSet<Integer>();
    for (Field field : ExitCode.class.getFields()) {
      codes.add(field.getInt(null));
    }
    var documented = new TreeSet<Integer>();
    Files.readAllLines(Shared.root().resolve("docs/reference/exit-codes.md")).stream()
        .filter(line -> line.matches("\\| \\d+ \\| .*"))
        .forEach(line -> documented.add(Integer.parseInt(line.split("\\|", -1)[1].strip())));
    assertThat(documented).isEqualTo(codes);
  }

  /// A wrong option is 2 everywhere; so are configurations and runs that are missing. Data are 3,
  /// models 4.
  @ParameterizedTest
  @CsvSource({
    "backtest none.yml, 2",
    "cluster run, 2",
    "cluster up --workers 0, 2",
    "completion nosuch, 2",
    "components nosuch, 2",
    "config explain nosuch, 2",
    "config schema extra, 2",
    "conformance none, 3",
    "data check none, 3",
    "data convert none --out x.csv, 3",
    "data features none.yml --out x, 2",
    "data generate, 2",
    "dashboard --runs none, 3",
    "data volume none, 3",
    "decide none --bars none.csv --orders none.csv, 4",
    "demo --iterations 0, 2",
    "doctor none, 2",
    "export none --out x.tranche, 4",
    "gym none.yml --file none, 2",
    "help nosuch, 2",
    "inspect none, 4",
    "journal explain none --models none, 3",
    "journal export none --out x.csv, 3",
    "journal restore none --out x, 3",
    "journal verify none, 3",
    "judge none, 2",
    "man, 2",
    "new 2nd, 2",
    "orders generate none --out x, 3",
    "orders merge none --out x.csv, 3",
    "replay none --bars none.csv, 4",
    "report none, 3",
    "roll none.yml --out x, 2",
    "select none, 2",
    "serve none, 4",
    "sign none --key none, 2",
    "start none.csv --yes, 3",
    "stress none, 2",
    "train none.yml, 2",
    "tune none.yml, 2"
  })
  void aMissingInputHasTheCodeOfItsKind(String line, int status) {
    Run run = Run.of(line.split(" "));

    assertThat(run.status()).as(run.err()).isEqualTo(status);
    assertThat(run.err().lines().count()).isLessThanOrEqualTo(2);
  }

  /// The manual has a page for each verb, so no verb can be forgotten here.
  @Test
  void everyVerbIsTriedAndRefusesAnUnknownOption() throws IOException {
    Run.of("man", "--out", folder.resolve("man").toString());
    List<String> cases =
        Files.readAllLines(
            Shared.root().resolve("cli/src/test/java/io/tranche/cli/ExitCodeTest.java"));
    for (String page : Objects.requireNonNull(folder.resolve("man").toFile().list())) {
      String verb = page.replaceFirst("^tranche-?", "").replaceFirst("\\.1$", "").replace('-', ' ');
      if (Set.of("", "data", "orders", "journal", "config", "cluster", "help").contains(verb)) {
        continue; // a list of verbs
      }
      assertThat(cases).as(verb).anyMatch(line -> line.strip().startsWith("\"" + verb));
      Run run = Run.of((verb + " --no-such-option").split(" "));
      assertThat(run.status()).as(verb).isEqualTo(2);
      assertThat(Run.of((verb + " --help").split(" ")).out())
          .as(verb)
          .contains("--quiet", "--verbose");
    }
  }

  @Test
  void everyVerbKeepsThem() throws IOException {
    Path broken = Files.writeString(folder.resolve("broken.tranche"), "no bundle");
    Path wrong = Files.writeString(folder.resolve("wrong.yml"), "tranche: 1\ntrainr: {}\n");
    Path noBars = Files.writeString(folder.resolve("bars.csv"), "a,b\n1,2\n");
    var expected =
        Map.of(
            "components",
            0,
            "train " + wrong,
            2,
            "judge " + folder,
            2,
            "data check " + noBars,
            3,
            "start %s --yes --out %s/out".formatted(noBars, folder),
            3,
            "inspect " + broken,
            4);
    expected.forEach(
        (line, status) -> assertThat(Run.of(line.split(" ")).status()).as(line).isEqualTo(status));
  }
}
