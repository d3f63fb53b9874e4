package io.tranche.serving.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.serving.Answer;
import io.tranche.serving.Request;
import io.tranche.serving.journal.Records;
import io.tranche.testkit.Cases;
import io.tranche.testkit.TestProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A service that is killed repeatedly under load keeps every acknowledged change and never sends a
/// child order twice.
class KillTest {

  private static final int KILLS = Cases.count(5, 50);
  private static final int LINES_A_LIFE = 400;

  @TempDir Path folder;

  @Test
  void nothingAcknowledgedIsLost() throws Exception {
    TestService.open(folder).close();
    var random = new SplittableRandom(9);
    Map<String, String> children = new HashMap<>();
    Map<String, Double> filled = new HashMap<>();
    var opened = new ArrayList<String>();
    for (int life = 0; life < KILLS; life++) {
      for (String line : live(life, random.nextInt(LINES_A_LIFE / 4, LINES_A_LIFE))) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
          case "opened" -> opened.add(words[1]);
          case "child" -> {
            String before = children.put(words[1] + " " + words[2], words[3]);
            assertThat(before == null || before.equals(words[3])).as(line).isTrue();
          }
          case "filled" -> filled.merge(words[1], Double.parseDouble(words[2]), Double::sum);
          default -> throw new AssertionError(line);
        }
      }
    }

    assertThat(opened).hasSizeGreaterThan(KILLS);
    assertThat(children).hasSizeGreaterThan(KILLS);
    try (var service = TestService.open(folder)) {
      for (String id : opened) {
        // A fill may have become durable without anybody hearing of it.
        assertThat(service.look(id).amount() - service.look(id).remaining())
            .isGreaterThanOrEqualTo(filled.getOrDefault(id, 0.0) - 1e-6);
      }
      for (var each : children.entrySet()) {
        String[] key = each.getKey().split(" ", -1);
        var again =
            (Answer.Child) service.ask(new Request.Decide(key[0], Integer.valueOf(key[1]), null));
        assertThat(Double.toString(again.volume())).isEqualTo(each.getValue());
      }
      Records.assertFaithful(service, folder.resolve("journal"));
    }
  }

  /// Starts a service, reads a number of its acknowledgements, and kills it while it continues.
  private List<String> live(int life, int count) throws IOException, InterruptedException {
    var command = new ArrayList<>(TestProcess.command("serving", BusyService.class));
    command.add(folder.toString());
    command.add(Integer.toString(life));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    var lines = new ArrayList<String>();
    try (var reader = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      String line = reader.readLine();
      while (line != null) {
        // The last line of a process that was killed may not be whole.
        if (line.endsWith(";")) {
          lines.add(line.substring(0, line.length() - 1));
        }
        if (lines.size() == count) {
          process.toHandle().destroyForcibly(); // that of the process would close the stream
        }
        line = reader.readLine();
      }
    }
    process.waitFor();
    assertThat(lines).as("lines of life %d", life).hasSizeGreaterThanOrEqualTo(count);
    return lines;
  }
}
