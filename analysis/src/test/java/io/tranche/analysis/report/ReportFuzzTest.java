package io.tranche.analysis.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.market.DataException;
import io.tranche.testkit.Cases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportFuzzTest {

  @TempDir private Path folder;

  @Test
  void nothingButADataExceptionComesOutOfADamagedFile() throws IOException {
    Path file = folder.resolve(Reports.JSON);
    ReportJson.write(Samples.whole(), file);
    byte[] whole = Files.readAllBytes(file);

    int[] outcomes = new int[2]; // read, refused
    Cases.forAll(
        Cases.count(100, 100_000),
        random -> {
          byte[] damaged =
              random.nextInt(4) == 0
                  ? Arrays.copyOf(whole, random.nextInt(whole.length))
                  : whole.clone();
          for (int i = random.nextInt(4); i > 0 && damaged.length > 0; i--) {
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
          }
          try {
            Cases.write(file, damaged);
            ReportData read = Reports.read(file);
            assertThat(HtmlPage.of(new Page(read.title(), "", null, ReportSections.of(read))))
                .endsWith("</html>\n");
            outcomes[0]++;
          } catch (DataException e) {
            assertThat(e).hasMessageContaining(Reports.JSON);
            outcomes[1]++;
          }
        });
    assertThat(outcomes[0]).isPositive();
    assertThat(outcomes[1]).isPositive();
  }
}
