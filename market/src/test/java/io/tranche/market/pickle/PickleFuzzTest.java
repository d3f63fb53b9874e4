package io.tranche.market.pickle;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.market.DataException;
import io.tranche.market.Table;
import io.tranche.market.order.OrderFiles;
import io.tranche.market.order.QlibOrderGenerator;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import io.tranche.testkit.Cases;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Whatever the bytes, a table comes out or a [DataException].
class PickleFuzzTest {

  @Test
  void mutatedPicklesAreReadOrRefused() throws IOException {
    List<byte[]> seeds = seeds();
    int[] refused = new int[1];
    int count = Cases.count(10_000, 1_000_000);

    Cases.forAll(
        count,
        random -> {
          byte[] seed = seeds.get(random.nextInt(seeds.size()));
          try {
            use(PickleFormat.read("fuzz.pkl", ByteBuffer.wrap(mutate(seed, random))));
          } catch (DataException expected) {
            refused[0]++;
          }
        });

    assertThat(refused[0]).isBetween(count / 10, count);
  }

  /// Whatever a table holds, those who read it refuse it in the same way.
  private static void use(Table table) {
    LocalDate day = LocalDate.of(2021, 3, 2);
    if (table.column("amount") != null) {
      OrderFiles.readOrderFile(Path.of("fuzz.pkl"), _ -> table);
      OrderFiles.loadOrders("fuzz.pkl", table, LocalTime.MIN, LocalTime.NOON);
      OrderFiles.orders("fuzz.pkl", table, LocalTime.MIN, LocalTime.NOON);
    } else if (table.column("$close0") != null) {
      new QlibOrderGenerator(1, 0, 4, 9).generate(List.of("S1"), _ -> table);
      BacktestPrices.of("fuzz.pkl", table, "S1", day).dealPrices(DealPrice.CLOSE, null);
    } else if (table.column("date") != null) {
      ProcessedDay.of("fuzz.pkl", table, "S1", day, 5, 4);
    }
  }

  private static byte[] mutate(byte[] seed, SplittableRandom random) {
    byte[] bytes = seed.clone();
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(6)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> bytes = Arrays.copyOf(bytes, Math.max(at, 1)); // cut off
        case 3 -> { // copy a piece elsewhere
          int length = random.nextInt(1, 20);
          int from = random.nextInt(bytes.length);
          System.arraycopy(
              bytes, from, bytes, at, Math.min(length, bytes.length - Math.max(from, at)));
        }
        case 4 -> { // refer to another object
          int other = random.nextInt(bytes.length);
          bytes[at] = 'h';
          bytes[Math.min(at + 1, bytes.length - 1)] = bytes[other];
        }
        default -> // numbers at their edges
            Arrays.fill(
                bytes,
                at,
                Math.min(at + 4, bytes.length),
                (byte) (random.nextBoolean() ? 0xff : 0x7f));
      }
    }
    return bytes;
  }

  private static List<byte[]> seeds() throws IOException {
    var seeds = new ArrayList<byte[]>();
    Path folder = Shared.root().resolve("market/src/test/resources/pickle");
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(new PickleFormat()::accepts).sorted().toList()) {
        seeds.add(Files.readAllBytes(file));
      }
    }
    return seeds;
  }
}
