package io.tranche.serving.app;

import io.tranche.config.ConfigFiles;
import io.tranche.serving.TestModels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Two models and a token in a folder, to be served.
final class ServedModels {

  static final String TOKEN = "0123456789abcdef0123";

  private ServedModels() {}

  /// Returns a configuration that serves the first one, with generous deadlines.
  static DecisionServerConfig config(Path folder, String... assignments) throws IOException {
    Path models = Files.createDirectories(folder.resolve("models"));
    Path bundle = models.resolve("demo@1.tranche");
    if (!Files.exists(bundle)) {
      TestModels.write(models, "demo@1", 1);
      TestModels.write(models, "demo@2", 2);
      Files.writeString(folder.resolve("token"), TOKEN + "\n");
    }
    var node =
        ConfigFiles.parse(
            "test",
            """
            journal: journal
            http: {port: 0, token_file: token, limits: {answer_seconds: 120}}
            engine: {deadline_micros: 30000000, stall_micros: 60000000, gap_minutes: 240, needs_earlier_days: false, await_cancels: false,
              limits: {order_amount: 1000000000}}
            predict: {deadline_micros: 60000000}
            """);
    for (String each : assignments) {
      node = node.with(each);
    }
    return DecisionServerConfig.of(List.of(bundle), node, folder);
  }
}
