package io.tranche.serving.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.serving.Answer;
import io.tranche.serving.Answer.Source;
import io.tranche.serving.Limit;
import io.tranche.serving.Request;
import io.tranche.serving.RiskLimits;
import io.tranche.serving.TestModels;
import io.tranche.serving.journal.JournalFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Limits apply last, whoever decided.
class LimitTest {

  @TempDir Path folder;

  private static Request.Bar bar(int tick) {
    return new Request.Bar(
        "A",
        TestService.DATE,
        TestService.time(tick),
        TestModels.FIELDS,
        List.of(10f + tick / 100f, 50f));
  }

  private TestService open(RiskLimits limits, EngineParts parts) {
    return TestService.open(
        folder.resolve(limits.toString()), config -> config.withLimits(limits), parts);
  }

  private Answer.Child limited(RiskLimits limits, int bars) {
    // The model fails, so that the wish is TWAP's: 100 a step.
    var parts =
        new EngineParts(
            System::nanoTime,
            JournalFile::open,
            (_, _) -> {
              throw new IllegalStateException("broken");
            });
    try (var service = open(limits, parts)) {
      service.ask(TestService.order("a", "A", 800));
      for (int tick = 0; tick < bars; tick++) {
        service.ask(bar(tick));
      }
      return service.decide("a");
    }
  }

  @Test
  void theSmallestLimitBindsAndIsNamed() {
    assertThat(
            limited(RiskLimits.NONE.with(Limit.SLICE, 70.0).with(Limit.PARTICIPATION_BARS, 1), 0))
        .isEqualTo(new Answer.Child("a", 0, 70, null, Source.TWAP, "slice"));
    assertThat(
            limited(
                RiskLimits.NONE.with(Limit.SLICE_SHARE, 0.1).with(Limit.PARTICIPATION_BARS, 1), 0))
        .isEqualTo(new Answer.Child("a", 0, 80, null, Source.TWAP, "slice_share"));
    assertThat(
            limited(
                RiskLimits.NONE.with(Limit.PARTICIPATION, 0.1).with(Limit.PARTICIPATION_BARS, 10),
                20))
        .isEqualTo(new Answer.Child("a", 0, 50, null, Source.TWAP, "participation"));
    assertThat(
            limited(RiskLimits.NONE.with(Limit.PARTICIPATION_BARS, 1).with(Limit.BAND_BPS, 15.0), 2)
                .limited())
        .isEqualTo("price_band");
    assertThat(
            limited(RiskLimits.NONE.with(Limit.PARTICIPATION_BARS, 1).with(Limit.BAND_BPS, 14.5), 3)
                .limited())
        .isNull();
    assertThat(
            limited(
                RiskLimits.NONE.with(Limit.PARTICIPATION_BARS, 1).with(Limit.BAND_BPS, 15.5), 4))
        .isEqualTo(new Answer.Child("a", 0, 0, null, Source.TWAP, "price_band"));
    assertThat(
            limited(
                RiskLimits.NONE
                    .with(Limit.SLICE, 90.0)
                    .with(Limit.SLICE_SHARE, 0.05)
                    .with(Limit.PARTICIPATION_BARS, 1),
                0))
        .isEqualTo(new Answer.Child("a", 0, 40, null, Source.TWAP, "slice_share"));
  }

  @Test
  void aShareOfWhatNobodyHasSeenIsNothing() {
    assertThat(
            limited(
                RiskLimits.NONE.with(Limit.PARTICIPATION, 0.1).with(Limit.PARTICIPATION_BARS, 9),
                0))
        .isEqualTo(new Answer.Child("a", 0, 0, null, Source.TWAP, "participation"));
  }

  @Test
  void allOrdersShareTheParticipationAllDay() {
    var limits = RiskLimits.NONE.with(Limit.PARTICIPATION, 0.1).with(Limit.PARTICIPATION_BARS, 30);
    try (var service = open(limits, EngineParts.REAL)) {
      double market = 0;
      double filled = 0;
      for (int i = 0; i < 2; i++) {
        service.ask(TestService.order("o" + i, "A", 100_000));
      }
      for (int tick = 0; tick < 239; tick++) {
        for (int i = 0; i < 2; i++) {
          if (service.look("o" + i).isDue()) {
            Answer.Child child = service.decide("o" + i);
            if (child.volume() > 0) {
              service.state(new Request.Fill("o" + i, "f" + tick, child.volume(), 10));
              filled += child.volume();
            }
          }
        }
        service.ask(bar(tick));
        market += 50;
      }

      assertThat(filled).isPositive().isLessThanOrEqualTo(0.1 * market);
    }
  }

  @Test
  void theBandClosesWithoutAPrice() {
    var limits = RiskLimits.NONE.with(Limit.PARTICIPATION_BARS, 1).with(Limit.BAND_BPS, 300.0);
    try (var service = open(limits, EngineParts.REAL)) {
      service.ask(TestService.order("a", "A", 800));
      for (int tick = 0; tick < 31; tick++) {
        service.ask(bar(tick));
      }
      service.ask(
          new Request.Bar(
              "A",
              TestService.DATE,
              TestService.time(31),
              TestModels.FIELDS,
              List.of(Float.NaN, 50f)));

      Answer.Child child = service.decide("a");
      assertThat(child.volume()).isZero();
    }
  }

  @Test
  void amountsAreBounded() {
    try (var service = open(RiskLimits.NONE, EngineParts.REAL)) {
      assertThat(service.refused(TestService.order("a", "A", 1e300)).message())
          .isEqualTo("amount of order a must be at most 1.0E9, was 1.0E300");
    }
  }

  @Test
  void barsMustTellWhatLimitsAreHeldAgainst() {
    try (var service =
        open(
            RiskLimits.NONE
                .with(Limit.PARTICIPATION, 0.1)
                .with(Limit.PARTICIPATION_BARS, 9)
                .with(Limit.BAND_BPS, 10.0),
            EngineParts.REAL)) {
      for (String field : List.of("close", "volume")) {
        var fields = new ArrayList<>(TestModels.FIELDS);
        fields.replaceAll(each -> each.equals(field) ? "other" : each);
        var bar =
            new Request.Bar("A", TestService.DATE, TestService.time(0), fields, List.of(1f, 1f));

        assertThat(service.refused(bar).message()).contains("must have '%s'".formatted(field));
      }
    }
    RiskLimits band = RiskLimits.NONE.with(Limit.PARTICIPATION_BARS, 1).with(Limit.BAND_BPS, 10.0);
    assertThat(band.fields()).containsExactly("close");
    assertThat(RiskLimits.NONE.fields()).isEmpty();
  }

  @Test
  void aModelIsHeldToThemAllDay() {
    var unlimited = new HashSet<Double>();
    try (var service = TestService.open(folder, UnaryOperator.identity(), EngineParts.REAL)) {
      work(service).forEach(child -> unlimited.add(child.volume()));
    }
    assertThat(unlimited).anyMatch(volume -> volume > 60);

    try (var service =
        open(
            RiskLimits.NONE
                .with(Limit.SLICE, 60.0)
                .with(Limit.PARTICIPATION, 0.02)
                .with(Limit.PARTICIPATION_BARS, 30),
            EngineParts.REAL)) {
      List<Answer.Child> children = work(service);

      assertThat(children).extracting(Answer.Child::source).containsOnly(Source.MODEL);
      assertThat(children.getFirst().volume()).isZero(); // no bar has said what trades
      assertThat(children).allMatch(child -> child.volume() <= 0.02 * 30 * 50);
      assertThat(children).anyMatch(child -> "participation".equals(child.limited()));
      assertThat(service.engine.counters().limited.sum()).isPositive();
    }
  }

  private static List<Answer.Child> work(TestService service) {
    var children = new ArrayList<Answer.Child>();
    service.ask(TestService.order("a", "A", 800));
    for (int tick = 0; tick < 239; tick++) {
      if (service.look("a").isDue()) {
        children.add(service.decide("a"));
      }
      service.ask(bar(tick));
    }
    return children;
  }
}
