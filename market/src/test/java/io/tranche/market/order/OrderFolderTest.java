package io.tranche.market.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.DataException;
import io.tranche.market.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrderFolderTest {

  private static final OrderSplit SPLIT =
      new OrderSplit(LocalDate.of(2021, 6, 1), LocalDate.of(2021, 6, 2));
  private static final List<DayOrder> ORDERS =
      List.of(
          new DayOrder(LocalDate.of(2021, 6, 1), "A", Side.BUY, 10.5, 3),
          new DayOrder(LocalDate.of(2021, 6, 2), "A", Side.SELL, 20, 3),
          new DayOrder(LocalDate.of(2021, 6, 3), "B", Side.SELL, 30, 3));

  @TempDir Path folder;

  @Test
  void laysOutTheSplitsAsTrainingReadsThem() throws IOException {
    Path target = folder.resolve("orders");

    OrderFolder.write(ORDERS, SPLIT, "csv", target);

    assertThat(files(target))
        .containsExactly("all/A.csv", "all/B.csv", "test/B.csv", "train/A.csv", "valid/A.csv");
    var read = OrderFiles.read(target.resolve("all"), LocalTime.of(9, 30), LocalTime.of(15, 0));
    assertThat(read)
        .containsExactlyElementsOf(
            ORDERS.stream()
                .map(order -> order.between(LocalTime.of(9, 30), LocalTime.of(15, 0)))
                .toList());
  }

  @Test
  void leavesAFolderInUseAlone() throws IOException {
    Path target = Files.createDirectory(folder.resolve("orders"));
    Files.writeString(target.resolve("mine.txt"), "mine");

    assertThatThrownBy(() -> OrderFolder.write(ORDERS, SPLIT, "csv", target))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("a new or empty folder");
    assertThat(files(folder)).containsExactly("orders/mine.txt");
  }

  @Test
  void leavesNothingBehindWhenTheFormatCannotBeWritten() throws IOException {
    assertThatThrownBy(() -> OrderFolder.write(ORDERS, SPLIT, "xls", folder.resolve("orders")))
        .isInstanceOf(DataException.class);
    assertThat(files(folder)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"../../../escaped", "A/B", "..", ""})
  void writesNothingOutsideTheFolderWhateverAnInstrumentIsCalled(String name) throws IOException {
    Path target = Files.createDirectories(folder.resolve("a/b")).resolve("orders");
    var order = new DayOrder(LocalDate.of(2021, 6, 1), name, Side.BUY, 10, 3);

    assertThatThrownBy(() -> OrderFolder.write(List.of(order), SPLIT, "csv", target))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("instrument: expected a name that can be a file name")
        .hasMessageContaining("'" + name + "'");
    assertThat(files(folder)).isEmpty();
  }

  private static List<String> files(Path root) throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      return paths
          .filter(Files::isRegularFile)
          .map(path -> root.relativize(path).toString())
          .sorted()
          .toList();
    }
  }
}
