package io.tranche.env.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.config.ConfigFiles;
import io.tranche.env.space.Value;
import io.tranche.testkit.Cases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonLinesWriterTest {

  @TempDir Path folder;

  @Test
  void everyEpisodeIsALineAndAResumedRunAppends() throws IOException {
    Path file = folder.resolve("episodes.jsonl");
    try (var log = new EpisodeLog(new JsonLinesWriter(file, false))) {
      log.onEnvAllReady();
      Episodes.run(log, 0, 1, 2);
      log.onEnvAllDone();
      assertThat(Files.readString(file))
          .isEqualTo(
              "{\"episode\":1,\"length\":2,\"values\":"
                  + "{\"reward\":3.0,\"steps_per_episode\":2.0,\"stock_id\":\"S0\"}}\n");
    }
    try (var log = new EpisodeLog(new JsonLinesWriter(file, true))) {
      Episodes.run(log, 7, 1.5);
    }

    assertThat(Files.readAllLines(file))
        .hasSize(2)
        .last()
        .isEqualTo(
            "{\"episode\":1,\"length\":1,\"values\":"
                + "{\"reward\":1.5,\"steps_per_episode\":1.0,\"stock_id\":\"S7\"},"
                + "\"rewards\":[1.5],\"steps\":[{\"reward\":1.5,\"steps_per_episode\":1.0,"
                + "\"stock_id\":\"S7\"}]}");
  }

  @Test
  void everyKindOfValueHasAForm() {
    var values = new LinkedHashMap<String, Object>();
    values.put("nan", Double.NaN);
    values.put("inf", Double.NEGATIVE_INFINITY);
    values.put("single", 0.5f);
    values.put("integer", 3);
    values.put("truth", true);
    values.put("time", LocalDateTime.parse("2020-01-02T12:00:00"));
    values.put("matrix", new Value.Floats(Value.ElementType.FLOAT64, List.of(2, 2), 1, 2, 3, 1e-7));
    values.put("scalar", new Value.Integers(Value.ElementType.INT64, List.of(), 7));
    values.put("empty", new Value.Floats(Value.ElementType.FLOAT64, List.of(0, 3)));
    values.put("array", new double[] {1, 2});
    values.put("nested", Map.of("list", List.of(1, "two")));
    values.put("none", null);
    values.put("nothing", Map.of());

    assertThat(JsonText.of(values))
        .isEqualTo(
            "{'nan':'NaN','inf':'-Infinity','single':0.5,'integer':3,'truth':true,"
                    .replace('\'', '"')
                + "'time':'2020-01-02T12:00','matrix':[[1.0,2.0],[3.0,1e-07]],'scalar':7,"
                    .replace('\'', '"')
                + "'empty':[],'array':[1.0,2.0],'nested':{'list':[1,'two']},'none':null,"
                    .replace('\'', '"')
                + "'nothing':{}}".replace('\'', '"'));
  }

  @Test
  void anyTextReadsBack() {
    Cases.forAll(
        Cases.count(2_000, 100_000),
        random -> {
          var text = new StringBuilder();
          for (int i = random.nextInt(8); i >= 0; i--) {
            int point = random.nextInt(random.nextBoolean() ? 0x100 : 0x110000);
            if (point < 0xd800 || point > 0xdfff) {
              text.appendCodePoint(point);
            }
          }

          String json = JsonText.of(Map.of("text", text.toString()));

          assertThat(json).doesNotContain("\n", "\r");
          assertThat(ConfigFiles.parse("json", json).required("text").asText())
              .isEqualTo(text.toString());
        });
  }
}
