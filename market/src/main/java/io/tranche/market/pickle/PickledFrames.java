package io.tranche.market.pickle;

import io.tranche.market.Table;
import io.tranche.market.Table.Column;
import io.tranche.market.Table.Numbers;
import io.tranche.market.Table.Singles;
import io.tranche.market.Table.Texts;
import io.tranche.market.Table.Times;
import io.tranche.market.pickle.PickleValue.Bool;
import io.tranche.market.pickle.PickleValue.Bytes;
import io.tranche.market.pickle.PickleValue.Dict;
import io.tranche.market.pickle.PickleValue.Global;
import io.tranche.market.pickle.PickleValue.Int;
import io.tranche.market.pickle.PickleValue.None;
import io.tranche.market.pickle.PickleValue.PickledObject;
import io.tranche.market.pickle.PickleValue.Sequence;
import io.tranche.market.pickle.PickleValue.Sequence.Kind;
import io.tranche.market.pickle.PickleValue.Text;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Tables as the inert objects of a pandas data frame: what pandas 1.5 writes, which later versions
/// read too.
///
/// The columns `date`, `datetime` and `instrument` become the levels of the index, as in Qlib's
/// files.
final class PickledFrames {

  private static final Set<String> LEVELS = Set.of("date", "datetime", "instrument");

  /// Columns of codes, which Qlib's scripts write as integers.
  private static final Set<String> CODES = Set.of("order_type", "direction");

  private static final long NANOS = 1_000_000_000;

  private PickledFrames() {}

  static PickledObject of(Table table) {
    List<String> names = table.names().stream().filter(name -> !isLevel(table, name)).toList();
    List<String> levels = table.names().stream().filter(name -> isLevel(table, name)).toList();
    var blocks = new ArrayList<PickleValue>();
    for (int from = 0; from < names.size(); ) {
      Column first = column(table, names.get(from));
      int to = from + 1;
      while (to < names.size()
          && !CODES.contains(names.get(to))
          && !CODES.contains(names.get(from))
          && column(table, names.get(to)).getClass() == first.getClass()) {
        to++;
      }
      blocks.add(block(table, names.subList(from, to), from));
      from = to;
    }
    PickleValue index =
        switch (levels.size()) {
          case 0 -> range(table.rows());
          case 1 -> index(column(table, levels.getFirst()), levels.getFirst());
          default -> multiIndex(table, levels);
        };
    PickledObject manager =
        call(
            "pandas.core.internals.managers",
            "BlockManager",
            new Sequence(Kind.TUPLE, blocks),
            list(index(Texts.of(names, name -> name), null), index));
    return made(
        "pandas.core.frame",
        "DataFrame",
        dict(
            "_mgr", manager,
            "_typ", new Text("dataframe"),
            "_metadata", list(),
            "attrs", dict(),
            "_flags", dict("allows_duplicate_labels", Bool.TRUE)));
  }

  private static boolean isLevel(Table table, String name) {
    return LEVELS.contains(name)
        && (column(table, name) instanceof Times || column(table, name) instanceof Texts);
  }

  private static Column column(Table table, String name) {
    return Objects.requireNonNull(table.column(name));
  }

  /// Returns neighbouring columns of one kind.
  private static PickleValue block(Table table, List<String> names, int place) {
    List<Column> columns = names.stream().map(name -> column(table, name)).toList();
    var shape = List.of(columns.size(), table.rows());
    PickledObject values =
        switch (columns.getFirst()) {
          case Texts _ -> array(shape, dtype("O8", "|", 63), texts(columns));
          case Times _ -> array(shape, times(), bytes(columns, Long.BYTES));
          case Singles _ -> array(shape, dtype("f4", "<", 0), bytes(columns, Float.BYTES));
          case Numbers numbers when CODES.contains(names.getFirst()) && isWhole(numbers) ->
              array(shape, dtype("i8", "<", 0), codes(numbers));
          case Numbers _ -> array(shape, dtype("f8", "<", 0), bytes(columns, Double.BYTES));
        };
    return call(
        "pandas._libs.internals",
        "_unpickle_block",
        values,
        call("builtins", "slice", integer(place), integer(place + columns.size()), integer(1)),
        integer(2));
  }

  private static boolean isWhole(Numbers numbers) {
    return IntStream.range(0, numbers.size())
        .allMatch(row -> numbers.value(row) == (long) numbers.value(row));
  }

  private static PickleValue codes(Numbers numbers) {
    ByteBuffer bytes = little(numbers.size() * Long.BYTES);
    for (int row = 0; row < numbers.size(); row++) {
      bytes.putLong((long) numbers.value(row));
    }
    return new Bytes(bytes.flip());
  }

  private static PickleValue texts(List<Column> columns) {
    var items = new ArrayList<PickleValue>();
    for (Column column : columns) {
      for (int row = 0; row < column.size(); row++) {
        String text = ((Texts) column).value(row);
        items.add(text == null ? None.NONE : new Text(text));
      }
    }
    return new Sequence(Kind.LIST, items);
  }

  private static PickleValue bytes(List<Column> columns, int width) {
    ByteBuffer bytes = little(columns.size() * columns.getFirst().size() * width);
    for (Column column : columns) {
      for (int row = 0; row < column.size(); row++) {
        switch (column) {
          case Numbers numbers -> bytes.putDouble(numbers.value(row));
          case Singles singles -> bytes.putFloat(singles.value(row));
          case Times times -> bytes.putLong(nanos(times.value(row)));
          case Texts _ -> throw new IllegalStateException("texts have no bytes");
        }
      }
    }
    return new Bytes(bytes.flip());
  }

  /// `NaT` is the smallest number, as [Times#MISSING] is.
  private static long nanos(long time) {
    return time == Times.MISSING ? time : Math.multiplyExact(time, NANOS);
  }

  private static PickleValue range(int rows) {
    return newIndex(
        "pandas.core.indexes.range",
        "RangeIndex",
        dict("name", None.NONE, "start", integer(0), "stop", integer(rows), "step", integer(1)));
  }

  private static PickleValue index(Column column, @Nullable String name) {
    PickleValue label = name == null ? None.NONE : new Text(name);
    var shape = List.of(column.size());
    if (column instanceof Times) {
      PickledObject data = array(shape, times(), bytes(List.of(column), Long.BYTES));
      return call(
          "pandas.core.indexes.datetimes",
          "_new_DatetimeIndex",
          new Global("pandas.core.indexes.datetimes", "DatetimeIndex"),
          dict("data", data, "name", label, "tz", None.NONE, "freq", None.NONE));
    }
    PickledObject data = array(shape, dtype("O8", "|", 63), texts(List.of(column)));
    return newIndex("pandas.core.indexes.base", "Index", dict("data", data, "name", label));
  }

  /// The values of a level are distinct and sorted, as pandas has them.
  private static PickleValue multiIndex(Table table, List<String> names) {
    var levels = new ArrayList<PickleValue>();
    var codes = new ArrayList<PickleValue>();
    for (String name : names) {
      int[] places = new int[table.rows()];
      Column distinct =
          switch (column(table, name)) {
            case Times times -> distinct(times, places);
            case Texts texts -> distinct(texts, places);
            case Numbers _, Singles _ -> throw new IllegalStateException("numbers are no level");
          };
      levels.add(index(distinct, name));
      ByteBuffer bytes = little(places.length * Integer.BYTES);
      Arrays.stream(places).forEach(bytes::putInt);
      codes.add(array(List.of(places.length), dtype("i4", "<", 0), new Bytes(bytes.flip())));
    }
    return newIndex(
        "pandas.core.indexes.multi",
        "MultiIndex",
        dict(
            "levels",
            new Sequence(Kind.LIST, levels),
            "codes",
            new Sequence(Kind.LIST, codes),
            "sortorder",
            None.NONE,
            "names",
            list(names.stream().map(Text::new).toArray(PickleValue[]::new))));
  }

  private static Times distinct(Times times, int[] places) {
    long[] sorted =
        IntStream.range(0, times.size())
            .mapToLong(times::value)
            .filter(time -> time != Times.MISSING)
            .sorted()
            .distinct()
            .toArray();
    Arrays.setAll(places, row -> Math.max(-1, Arrays.binarySearch(sorted, times.value(row))));
    return new Times(sorted);
  }

  private static Texts distinct(Texts texts, int[] places) {
    String[] sorted = texts.distinct();
    Arrays.sort(sorted);
    Arrays.setAll(
        places,
        row -> {
          String text = texts.value(row);
          return text == null ? -1 : Arrays.binarySearch(sorted, text);
        });
    return Texts.of(sorted);
  }

  private static PickledObject newIndex(String module, String name, Dict parts) {
    return call("pandas.core.indexes.base", "_new_Index", new Global(module, name), parts);
  }

  private static PickledObject array(List<Integer> shape, PickleValue dtype, PickleValue content) {
    PickledObject array =
        call(
            "numpy.core.multiarray",
            "_reconstruct",
            new Global("numpy", "ndarray"),
            tuple(integer(0)),
            new Bytes(ByteBuffer.wrap(new byte[] {'b'})));
    array.build(
        tuple(
            integer(1),
            tuple(shape.stream().map(PickledFrames::integer).toArray(PickleValue[]::new)),
            dtype,
            Bool.FALSE,
            content));
    return array;
  }

  private static PickledObject dtype(String code, String order, int flags) {
    PickledObject dtype = call("numpy", "dtype", new Text(code), Bool.FALSE, Bool.TRUE);
    dtype.build(
        tuple(
            integer(3),
            new Text(order),
            None.NONE,
            None.NONE,
            None.NONE,
            integer(-1),
            integer(-1),
            integer(flags)));
    return dtype;
  }

  /// Nanoseconds, the only unit that pandas 1 knows.
  private static PickledObject times() {
    PickledObject dtype = call("numpy", "dtype", new Text("M8"), Bool.FALSE, Bool.TRUE);
    PickleValue unit =
        tuple(
            new Bytes(ByteBuffer.wrap(new byte[] {'n', 's'})), integer(1), integer(1), integer(1));
    dtype.build(
        tuple(
            integer(4),
            new Text("<"),
            None.NONE,
            None.NONE,
            None.NONE,
            integer(-1),
            integer(-1),
            integer(0),
            tuple(dict(), unit)));
    return dtype;
  }

  /// Returns an object that consists of its state.
  static PickledObject made(String module, String name, Dict state) {
    var object =
        new PickledObject(new Global(module, name), new Sequence(Kind.TUPLE, List.of()), null, 0);
    object.build(state);
    return object;
  }

  private static PickledObject call(String module, String name, PickleValue... arguments) {
    return new PickledObject(new Global(module, name), (Sequence) tuple(arguments), null, 0);
  }

  static PickleValue tuple(PickleValue... items) {
    return new Sequence(Kind.TUPLE, List.of(items));
  }

  static PickleValue list(PickleValue... items) {
    return new Sequence(Kind.LIST, List.of(items));
  }

  static PickleValue integer(long value) {
    return new Int(value);
  }

  /// @param keysAndValues a name, its value, and so on
  static Dict dict(Object... keysAndValues) {
    var dict = new Dict();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      dict.put(new Text((String) keysAndValues[i]), (PickleValue) keysAndValues[i + 1]);
    }
    return dict;
  }

  static Dict dict(Map<String, ? extends PickleValue> entries) {
    var dict = new Dict();
    entries.forEach((name, value) -> dict.put(new Text(name), value));
    return dict;
  }

  private static ByteBuffer little(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
