package io.tranche.benchmarks.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.benchmarks.measure.Figure;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServePictureTest {

  /// `./tranche bench all --peers` writes both.
  @Test
  void thePublishedPictureIsDrawnFromThePublishedFigures() throws IOException {
    Path docs = Shared.root().resolve("docs");

    assertThat(docs.resolve("serve.svg"))
        .hasContent(ServePicture.draw(Files.readString(docs.resolve("serve.csv"))));
  }

  @Test
  void theTableHasEveryPointOfTheFiguresAndMarksSaturation() {
    var figures =
        List.of(
            new Figure("serve.desk.saturation", 3000.4, "requests/s"),
            new Figure("serve.predict.saturation", 200, "requests/s"),
            new Figure("serve.observations_200.p50", 1, "ms"),
            new Figure("serve.observations_200.p99", 2.5, "ms"),
            new Figure("serve.requests_2000.compact.p99", 3, "ms"),
            new Figure("serve.requests_2000.json.p99", 4, "ms"),
            new Figure("serve.requests_3000.compact.p99", 5, "ms"));

    assertThat(ServePicture.csv(figures))
        .isEqualTo(
            """
            offered_per_s,p99_ms,saturation,server
            2000,3.00,false,ours, desk, compact
            3000,5.00,true,ours, desk, compact
            2000,4.00,false,ours, desk, JSON
            200,2.50,true,ours, predict
            """);
  }

  @Test
  void refusesAnotherTable() {
    assertThatThrownBy(() -> ServePicture.draw("a,b\n1,2\n"))
        .hasMessage("expected offered_per_s,p99_ms,saturation,server, was a,b");
  }
}
