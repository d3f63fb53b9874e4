package io.tranche.serving.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.backtest.ParentOrder.Status;
import io.tranche.runtime.LoadedModel;
import io.tranche.serving.Answer;
import io.tranche.serving.Request;
import io.tranche.serving.journal.JournalHistory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A service opens journals that the version before it wrote, with open orders, and continues them.
class CompatibilityTest {

  @TempDir Path folder;

  /// Copies the journal that [FixtureJournal] wrote when this was the newest format.
  private void unpack() throws IOException {
    Path journal = Files.createDirectories(folder.resolve("journal"));
    try (var list = resource("files")) {
      for (String name : new String(list.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        try (var in = resource(name)) {
          Path target = journal.resolve(name);
          Files.createDirectories(Objects.requireNonNull(target.getParent()));
          Files.write(target, in.readAllBytes());
        }
      }
    }
  }

  private static java.io.InputStream resource(String name) {
    return Objects.requireNonNull(
        CompatibilityTest.class.getResourceAsStream(
            "/io/tranche/serving/journal/version-2/" + name),
        name);
  }

  @Test
  void aJournalOfVersionTwoGoesOn() throws IOException {
    unpack();
    Answer.OrderState a;
    try (var service = TestService.open(folder, FixtureJournal::config, EngineParts.REAL)) {
      assertThat(service.engine.openOrders()).isEqualTo(4);
      a = service.look("a");
      assertThat(a.amount()).isEqualTo(1_200);
      assertThat(a.account()).isEqualTo("desk");
      assertThat(a.filled()).isGreaterThan(1);
      assertThat(a.nextStep()).isEqualTo(2);
      assertThat(service.look("b").status()).isEqualTo(Status.CANCELLED);
      assertThat(service.look("c").status()).isEqualTo(Status.CANCELLED);
      assertThat(service.look("d").amount()).isEqualTo(400);
      assertThat(service.engine.switchedOff())
          .containsExactly(new Request.Switch(Request.Scope.INSTRUMENT, "B", true));
      assertThat(service.engine.unmatchedFills()).isEqualTo(1);
      assertThat(service.ask(new Request.ListLimits()).toString()).contains("SLICE_SHARE=0.5");
      assertThat(service.decide("a").step()).isEqualTo(2);
      assertThat(service.decide("d").source()).isEqualTo(Answer.Source.MODEL);
    }
    try (var service = TestService.open(folder, FixtureJournal::config, EngineParts.REAL)) {
      assertThat(service.look("a").filled()).isEqualTo(a.filled());
      assertThat(service.look("a").nextStep()).isEqualTo(3);
    }
    LoadedModel model = LoadedModel.open(folder.resolve("models/demo@1.tranche"));
    var explained = new ArrayList<JournalReplay.Explained>();
    JournalReplay.read(folder.resolve("journal"), _ -> model, _ -> true, explained::add);
    assertThat(explained).hasSize(4).allMatch(each -> each.difference() == null);
  }

  /// Whoever adds an event adds it to the fixture of the next version.
  @Test
  void theFixtureHasEveryKindOfEvent() throws IOException {
    unpack();
    var kinds = new TreeSet<String>();
    JournalHistory.read(
        folder.resolve("journal"),
        entries -> entries.forEach(each -> kinds.add(each.event().getClass().getSimpleName())));

    assertThat(kinds)
        .containsAll(
            List.of(
                "Amended",
                "BarCorrected",
                "BarTaken",
                "Cancelled",
                "DayOpened",
                "Decided",
                "FillCorrected",
                "Filled",
                "Halted",
                "Heading",
                "HeartbeatSet",
                "LimitsSet",
                "ModelLoaded",
                "ModelUnloaded",
                "OrderOpened",
                "Referenced",
                "Reported",
                "Routed",
                "Started",
                "Switched",
                "Unmatched"));
  }
}
