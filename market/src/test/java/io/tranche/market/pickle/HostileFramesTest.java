package io.tranche.market.pickle;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.DataException;
import io.tranche.market.Table;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/// Frames whose headers lie, written in the text form of protocol 0.
class HostileFramesTest {

  private static final String DOUBLES =
      call("numpy", "dtype", text("f8"), "I0\n", "I1\n")
          + tuple(number(3), text("<"), "N", "N", "N", number(-1), number(-1), number(0))
          + "b";
  private static final String TWO = "\u0000".repeat(16); // two doubles

  @Test
  void readsAnHonestFrame() {
    Table table = read(frame(labels("a"), range(0, 2, 1), block(array(1, 2, TWO), slice(0, 1, 1))));

    assertThat(table.names()).containsExactly("a");
    assertThat(table.rows()).isEqualTo(2);
  }

  @Test
  void refusesMoreRowsThanTheFileHasBytes() {
    refuses(frame(labels("a"), range(0, 1L << 50, 1), block(array(1, 2, TWO), slice(0, 1, 1))));
    refuses(frame(labels("a"), range(0, Long.MAX_VALUE, 1)));
    refuses(frame(labels("a"), range(Long.MIN_VALUE, 5, -1)));
    refuses(frame(labels("a"), range(0, 5, 0)));
  }

  @Test
  void refusesShapesThatTheDataDoNotFill() {
    refuses(frame(labels("a"), range(0, 2, 1), block(array(1, 3, TWO), slice(0, 1, 1))));
    refuses(
        frame(labels("a"), range(0, 2, 1), block(array(1L << 31, 1L << 31, TWO), slice(0, 1, 1))));
    refuses(
        frame(labels("a"), range(0, 0, 1), block(array(Integer.MAX_VALUE, 0, ""), slice(0, 1, 1))));
    refuses(frame(labels("a"), range(0, 2, 1), block(array(-1, -2, TWO), slice(0, 1, 1))));
  }

  @Test
  void refusesPlacesThatAreNotThere() {
    String block = array(1, 2, TWO);
    refuses(frame(labels("a"), range(0, 2, 1), block(block, slice(1, 2, 1))));
    refuses(frame(labels("a"), range(0, 2, 1), block(block, slice(-1, 1, 1))));
    refuses(frame(labels("a"), range(0, 2, 1), block(block, slice(0, Long.MAX_VALUE, 0))));
    refuses(frame(labels("a"), range(0, 2, 1))); // no block at all
    String twice = block(block, slice(0, 1, 1));
    refuses(frame(labels("a"), range(0, 2, 1), twice, twice), "one block that holds column a");
    refuses(frame(labels("a", "a"), range(0, 2, 1), block(array(2, 1, TWO), slice(0, 2, 1))));
  }

  @Test
  void refusesOneArrayMadeIntoThousandsOfColumns() {
    int columns = 3_000;
    var names = new String[columns];
    var blocks = new String[columns];
    for (int i = 0; i < columns; i++) {
      names[i] = "c" + i;
      blocks[i] =
          block(
              i == 0 ? array(1, 1_000, "\u0000".repeat(8_000)) + "p7\n" : "g7\n",
              slice(i, i + 1, 1));
    }

    refuses(frame(labels(names), range(0, 1_000, 1), blocks), "no more cells than bytes");
  }

  @Test
  void refusesCategoriesThatAreTheirOwn() {
    String dtype = call("pandas", "CategoricalDtype") + dict(text("categories"), "g9\n") + "b";
    String codes = array(1, 2, TWO);
    String categorical =
        call("pandas._libs.arrays", "__pyx_unpickle_NDArrayBacked", "cpandas\nCategorical\n")
            + tuple(dtype, codes)
            + "b";
    // The index is remembered before its dict of parts gets the data that refers to it.
    String index =
        call("pandas.core.indexes.base", "_new_Index", "cpandas\nIndex\n", dict() + "p8\n")
            + "p9\n0"
            + "g8\n"
            + text("data")
            + categorical
            + "s"
            + text("name")
            + "Ns0"
            + "g9\n";

    refuses(frame(labels("a"), index, block(array(1, 2, TWO), slice(0, 1, 1))));
  }

  private static void refuses(String pickle) {
    refuses(pickle, "");
  }

  private static void refuses(String pickle, String message) {
    assertThatThrownBy(() -> read(pickle))
        .isInstanceOf(DataException.class)
        .hasMessageStartingWith("hostile.pkl")
        .hasMessageContaining(message);
  }

  private static Table read(String pickle) {
    return PickleFormat.read("hostile.pkl", ByteBuffer.wrap(pickle.getBytes(ISO_8859_1)));
  }

  private static String frame(String columns, String index, String... blocks) {
    String manager =
        call(
            "pandas.core.internals.managers",
            "BlockManager",
            tuple(blocks),
            "(" + columns + index + "l");
    return call("pandas", "DataFrame") + dict(text("_mgr"), manager) + "b.";
  }

  private static String labels(String... names) {
    var list = new StringBuilder();
    for (String name : names) {
      list.append(text(name));
    }
    String objects =
        call("numpy", "dtype", text("O8"), "I0\n", "I1\n")
            + tuple(number(3), text("|"), "N", "N", "N", number(-1), number(-1), number(63))
            + "b";
    String data =
        call("numpy.core.multiarray", "_reconstruct")
            + tuple(number(1), tuple(number(names.length)), objects, "I00\n", "(" + list + "l")
            + "b";
    return call(
        "pandas.core.indexes.base",
        "_new_Index",
        "cpandas\nIndex\n",
        dict(text("data"), data, text("name"), "N"));
  }

  private static String range(long start, long stop, long step) {
    return call(
        "pandas.core.indexes.base",
        "_new_Index",
        "cpandas\nRangeIndex\n",
        dict(
            text("name"),
            "N",
            text("start"),
            number(start),
            text("stop"),
            number(stop),
            text("step"),
            number(step)));
  }

  private static String block(String values, String placement) {
    return call("pandas._libs.internals", "_unpickle_block", values, placement, number(2));
  }

  private static String slice(long start, long stop, long step) {
    return call("builtins", "slice", number(start), number(stop), number(step));
  }

  private static String array(long rows, long columns, String data) {
    String bytes = call("_codecs", "encode", text(data), text("latin1"));
    return call("numpy.core.multiarray", "_reconstruct")
        + tuple(number(1), tuple(number(rows), number(columns)), DOUBLES, "I00\n", bytes)
        + "b";
  }

  private static String call(String module, String name, String... arguments) {
    return "c" + module + "\n" + name + "\n" + tuple(arguments) + "R";
  }

  private static String tuple(String... items) {
    return "(" + String.join("", items) + "t";
  }

  private static String dict(String... keysAndValues) {
    return "(" + String.join("", keysAndValues) + "d";
  }

  private static String text(String text) {
    return "V" + text + "\n";
  }

  private static String number(long number) {
    return "I" + number + "\n";
  }
}
