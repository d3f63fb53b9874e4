package io.tranche.serving.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.serving.Answer;
import io.tranche.serving.Answer.Reason;
import io.tranche.serving.Request;
import io.tranche.testkit.Cases;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Compares random requests with a simple model of the ledger, with occasional restarts.
class LedgerPropertyTest {

  @TempDir Path folder;

  private static final class Paper {
    double remaining;
    double working;
    boolean isCancelled;
    final Map<Integer, Answer.Child> children = new HashMap<>();
    final Set<String> fills = new HashSet<>();
    final Map<Integer, Double> filled = new HashMap<>();
    int newest = -1;

    Paper(double amount) {
      remaining = amount;
    }
  }

  @Test
  void neverLosesOrDoublesAnything() {
    Cases.forAll(
        Cases.count(4, 200),
        random -> {
          Path where = folder.resolve("case" + random.nextLong());
          var paper = new HashMap<String, Paper>();
          var ticks = new int[2];
          for (int life = 0; life < 3; life++) {
            try (var service = TestService.open(where)) {
              for (int i = 0; i < 150; i++) {
                one(service, random, paper, ticks);
              }
              paper.forEach((id, known) -> compare(service.look(id), known));
            }
          }
          delete(where);
        });
  }

  private static void compare(Answer.OrderState state, Paper known) {
    assertThat(state.remaining()).isCloseTo(known.remaining, within(1e-6));
    double filled = known.filled.values().stream().mapToDouble(Double::doubleValue).sum();
    assertThat(state.filled()).isCloseTo(filled, within(1e-6));
    if (!state.status().isFinal()) {
      assertThat(state.working()).isCloseTo(known.working, within(1e-6));
    }
    assertThat(state.remaining()).isBetween(0.0, state.amount());
    assertThat(state.working()).isBetween(0.0, state.remaining());
  }

  private static void one(
      TestService service, SplittableRandom random, Map<String, Paper> paper, int[] ticks) {
    int which = random.nextInt(2);
    String instrument = which == 0 ? "A" : "B";
    String id = "o" + random.nextInt(12);
    Paper known = paper.get(id);
    switch (random.nextInt(10)) {
      case 0 -> open(service, paper, id, random);
      case 1, 2, 3, 4 -> {
        int tick = Math.min(239, ticks[which] + random.nextInt(6) - 1);
        if (tick >= 0) {
          service.ask(TestService.bar(instrument, tick));
          ticks[which] = Math.max(ticks[which], tick + 1);
        }
      }
      case 5, 6, 7 -> decide(service, random, id, known);
      case 8 -> {
        fill(service, random, id, known);
        if (known != null && !known.children.isEmpty()) {
          fillAny(service, random, id, known);
        }
      }
      default -> {
        if (random.nextInt(10) == 0) {
          Answer answer = service.ask(new Request.Cancel(id));
          if (known != null && answer instanceof Answer.OrderState) {
            known.isCancelled = true;
          }
        }
      }
    }
  }

  private static void open(
      TestService service, Map<String, Paper> paper, String id, SplittableRandom random) {
    double amount = 100 * (1 + Math.floorMod(id.hashCode(), 3));
    var request = TestService.order(id, id.hashCode() % 2 == 0 ? "A" : "B", amount);
    Answer answer = service.ask(request);
    if (answer instanceof Answer.OrderState) {
      paper.computeIfAbsent(id, _ -> new Paper(amount));
    }
    Answer other = service.ask(TestService.order(id, "A", amount + random.nextInt(1, 9)));
    if (paper.containsKey(id)) {
      assertThat(((Answer.Refused) other).reason()).isEqualTo(Reason.CONFLICT);
    } else if (other instanceof Answer.OrderState state) {
      paper.put(id, new Paper(state.amount()));
    }
  }

  private static void decide(
      TestService service, SplittableRandom random, String id, @Nullable Paper known) {
    Integer step = random.nextBoolean() ? null : Integer.valueOf(random.nextInt(9));
    long micros = random.nextInt(4) == 0 ? 1 : TestService.PATIENT;
    Answer answer = service.ask(new Request.Decide(id, step, micros));
    if (known == null) {
      assertThat(((Answer.Refused) answer).reason()).isEqualTo(Reason.UNKNOWN);
    } else if (answer instanceof Answer.Child child) {
      Answer.Child before = known.children.putIfAbsent(child.step(), child);
      if (before == null) {
        assertThat(known.isCancelled).isFalse();
        assertThat(child.volume()).isBetween(0.0, known.remaining + 1e-9);
        known.working = child.volume();
        known.newest = child.step();
      } else {
        assertThat(child).isEqualTo(before);
      }
    } else {
      assertThat(((Answer.Refused) answer).reason()).isEqualTo(Reason.NOT_DUE);
    }
  }

  private static void fill(
      TestService service, SplittableRandom random, String id, @Nullable Paper known) {
    String fillId = "f" + random.nextInt(20);
    double volume = known == null ? 1 : Math.rint(known.working * random.nextDouble(0.1, 1.3)) / 2;
    Answer answer = service.ask(new Request.Fill(id, fillId, volume, 10));
    if (known != null && answer instanceof Answer.OrderState && known.fills.add(fillId)) {
      known.remaining = Math.max(0, known.remaining - volume);
      known.working = Math.clamp(known.working - volume, 0, known.remaining);
      known.filled.merge(known.newest, volume, Double::sum);
    }
  }

  /// Reports a fill of any earlier child order, which may have been withdrawn.
  private static void fillAny(
      TestService service, SplittableRandom random, String id, Paper known) {
    var children = List.copyOf(known.children.values());
    Answer.Child child = children.get(random.nextInt(children.size()));
    int step = child.step();
    double volume = Math.rint(child.volume() * random.nextDouble(0.1, 1.3)) / 2;
    String fillId = "s" + step + "-" + random.nextInt(4);
    Answer answer = service.ask(new Request.Fill(id, fillId, step, volume, 10));
    if (answer instanceof Answer.OrderState && known.fills.add(fillId)) {
      known.filled.merge(step, volume, Double::sum);
      known.remaining = Math.max(0, known.remaining - volume);
      known.working = step == known.newest ? known.working - volume : known.working;
      known.working = Math.clamp(known.working, 0, known.remaining);
    } else if (!known.fills.contains(fillId)) {
      assertThat(volume).as("a sound fill is always booked").isZero();
    }
  }

  private static void delete(Path where) {
    List<Path> files;
    try (var walk = Files.walk(where)) {
      files = new ArrayList<>(walk.toList());
      for (Path file : files.reversed()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
