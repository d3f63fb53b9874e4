package io.tranche.benchmarks.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ServePictureTest {

  /// `./tranche bench serve` leaves both files in benchmarks/target/serve.
  @Test
  void thePublishedPictureIsDrawnFromThePublishedFigures() throws IOException {
    Path docs = Shared.root().resolve("docs");

    assertThat(docs.resolve("serve.svg"))
        .hasContent(ServePicture.draw(Files.readString(docs.resolve("serve.csv"))));
  }

  @Test
  void refusesAnotherTable() {
    assertThatThrownBy(() -> ServePicture.draw("a,b\n1,2\n"))
        .hasMessage("expected offered_per_s,p99_ms,saturation,server, was a,b");
  }
}
