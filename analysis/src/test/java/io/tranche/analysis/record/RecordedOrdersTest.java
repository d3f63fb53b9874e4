package io.tranche.analysis.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.analysis.record.RecordHeader.ScoreKind;
import io.tranche.analysis.record.RecordedOrder.Fills;
import io.tranche.analysis.record.RecordedOrder.Step;
import io.tranche.analysis.record.RecordedOrder.Tick;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedOrdersTest {

  private static final LocalDateTime START = LocalDateTime.of(2024, 3, 1, 9, 30);

  @TempDir Path folder;

  private static RecordedOrder steps(int order) {
    return new RecordedOrder(
        List.of(new Tick(1, 10.5, 100), new Tick(2, Double.NaN, Double.NaN)),
        0,
        List.of(
            new Fills("the agent", List.of(5.0, 0.0), List.of(10.5, Double.NaN)),
            new Fills("TWAP", List.of(2.5, 2.5), List.of(10.5, 10.25))),
        List.of(
            new Step(
                0,
                order,
                2,
                5,
                5,
                10.5,
                List.of(0.25f, 0.75f),
                List.of(Float.NaN, 1f),
                List.of(0.5f, -0.125f))));
  }

  private Path write() {
    Path file = folder.resolve("deep/" + OrderRecordWriter.FILE);
    try (var writer = new OrderRecordWriter(file, 3)) {
      writer.add(1, steps(1));
      writer.column(RecordedOrders.INSTRUMENT, 4, i -> i % 2);
      writer.column(RecordedOrders.SIDE, 1, i -> i % 2);
      writer.column(RecordedOrders.START, 8, i -> BarTime.of(START.plusDays(i)));
      writer.column(RecordedOrders.END, 8, i -> BarTime.of(START.plusDays(i).plusHours(1)));
      writer.numbers(RecordedOrders.AMOUNT, i -> 100 + i);
      writer.numbers("net", i -> i == 2 ? Double.NaN : 0.1 * i);
      assertThat(file).doesNotExist();
      writer.commit(
          ScoreKind.PROBABILITIES, List.of("one", "two"), List.of("TWAP"), List.of("A", "B"));
    }
    return file;
  }

  @Test
  void whatWasWrittenIsReadBack() {
    try (var orders = RecordedOrders.open(write())) {
      assertThat(orders.header().orders()).isEqualTo(3);
      assertThat(orders.header().recorded()).isEqualTo(1);
      assertThat(orders.order(1))
          .isEqualTo(
              new Order(
                  "B", Side.ofCode(1), 101, START.plusDays(1), START.plusDays(1).plusHours(1)));
      assertThat(orders.numbers("net")).containsExactly(0, 0.1, Double.NaN);
      assertThat(orders.number("net", 1)).isEqualTo(0.1);
      assertThat(orders.instruments()).containsExactly(0, 1, 0);
      assertThat(orders.sides()).containsExactly(0, 1, 0);
      assertThat(orders.steps(0)).isNull();
      assertThat(orders.steps(1)).isEqualTo(steps(1));
      assertThatThrownBy(() -> orders.number("none", 0)).hasMessageContaining("expected one of");
      assertThatThrownBy(() -> orders.order(3)).hasMessageContaining("expected an order below 3");
    }
  }

  @Test
  void aWriterThatIsNotCommittedLeavesNothing() throws IOException {
    try (var writer = new OrderRecordWriter(folder.resolve("a.record"), 1)) {
      writer.add(0, steps(0));
    }

    assertThat(folder).isEmptyDirectory();
  }

  /// Every damage is told as such, or changes nothing that is read: no other exception, and no
  /// array of a size that the file cannot hold.
  @Test
  void damageIsTold() throws IOException {
    byte[] sound = Files.readAllBytes(write());
    var random = new SplittableRandom(3);
    Path file = folder.resolve("damaged.record");
    int told = 0;
    for (int i = 0; i < 2_000; i++) {
      byte[] bytes = sound.clone();
      if (i % 4 == 0) {
        bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
      } else {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 + random.nextInt(255));
      }
      Files.write(file, bytes);
      try (var orders = RecordedOrders.open(file)) {
        orders.numbers("net");
        orders.instruments();
        orders.sides();
        for (int order = 0; order < 3; order++) {
          orders.order(order);
          orders.steps(order);
        }
      } catch (DataException e) {
        assertThat(e).hasMessageContaining("damaged.record");
        told++;
      }
    }
    assertThat(told).isGreaterThan(1_900);
  }
}
