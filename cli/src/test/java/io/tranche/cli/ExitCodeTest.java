package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.cli.console.ExitCode;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The exit codes of docs/install.md.
class ExitCodeTest {

  @TempDir Path folder;

  @Test
  void theTableHasEveryCode() throws Exception {
    var codes = new TreeSet<Integer>();
    for (Field field : ExitCode.class.getFields()) {
      codes.add(field.getInt(null));
    }
    var documented = new TreeSet<Integer>();
    Files.readAllLines(Shared.root().resolve("docs/install.md")).stream()
        .filter(line -> line.matches("\\| \\d+ \\| .*"))
        .forEach(line -> documented.add(Integer.parseInt(line.split("\\|", -1)[1].strip())));
    assertThat(documented).isEqualTo(codes);
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
