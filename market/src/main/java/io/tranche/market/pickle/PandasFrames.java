package io.tranche.market.pickle;

import io.tranche.market.DataException;
import io.tranche.market.Table;
import io.tranche.market.Table.Column;
import io.tranche.market.Table.Numbers;
import io.tranche.market.Table.Texts;
import io.tranche.market.pickle.PickleValue.Dict;
import io.tranche.market.pickle.PickleValue.Int;
import io.tranche.market.pickle.PickleValue.None;
import io.tranche.market.pickle.PickleValue.PickledObject;
import io.tranche.market.pickle.PickleValue.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Turns the inert objects of a pandas data frame or series into a [Table].
///
/// Index levels come first, then the columns in the frame's order. An unnamed level gets the name
/// that `reset_index` would give it, except that an unnamed range, which only numbers the rows, is
/// left out.
final class PandasFrames {

  private final PickleSource source;
  private final PandasColumns columns;

  /// @param fileBytes the size of the file, which bounds the cells made
  PandasFrames(String file, long fileBytes) {
    this.source = new PickleSource(file);
    this.columns = new PandasColumns(source, fileBytes);
  }

  private static boolean isFrame(PickleValue value) {
    return value instanceof PickledObject object
        && switch (object.type()) {
          case "pandas.core.frame.DataFrame",
              "pandas.DataFrame",
              "pandas.core.series.Series",
              "pandas.Series" ->
              true;
          default -> false;
        };
  }

  /// @throws DataException if `value` is not a frame or contains an unknown class
  Table table(PickleValue value) {
    if (!isFrame(value)) {
      throw source.unexpected(value, "a pandas DataFrame or Series");
    }
    var frame = (PickledObject) value;
    Manager manager = manager(frame);
    var result = new LinkedHashMap<String, Column>();
    int rows;
    if (frame.type().endsWith("Series")) {
      rows = addIndex(manager.axes().getFirst(), result);
      addSeries(frame, manager, rows, result);
    } else if (manager.axes().size() == 2) {
      rows = addIndex(manager.axes().get(1), result);
      addColumns(frame, manager, rows, result);
    } else {
      throw source.bad(frame, "2 axes", manager.axes().size());
    }
    return Table.of(result);
  }

  private record Block(PickleValue values, PickleValue placement) {}

  private record Manager(List<PickleValue> axes, List<Block> blocks) {}

  /// Since pandas 1.3 a frame's manager is made of blocks and axes; before, and for series, both
  /// lie in its state under `0.14.1`.
  private Manager manager(PickledObject frame) {
    PickleValue value = source.field(frame, "_mgr");
    if (!(value instanceof PickledObject manager)) {
      throw source.unexpected(value, "a BlockManager");
    }
    switch (manager.type()) {
      case "pandas.core.internals.managers.BlockManager",
          "pandas.core.internals.managers.SingleBlockManager" -> {}
      default -> throw source.unexpected(manager, "a BlockManager");
    }
    List<PickleValue> axes;
    var blocks = new ArrayList<Block>();
    if (manager.arguments().size() == 2) {
      axes = source.items(manager, manager.arguments().get(1));
      for (PickleValue block : source.items(manager, manager.arguments().getFirst())) {
        PickledObject made = source.object(block, "pandas._libs.internals._unpickle_block");
        blocks.add(new Block(source.argument(made, 0), source.argument(made, 1)));
      }
    } else {
      List<PickleValue> state = source.items(manager, manager.state());
      if (state.size() < 4) {
        throw source.bad(manager, "the 4 parts of a BlockManager", state.size());
      }
      PickleValue parts = source.field(manager, state.get(3), "0.14.1");
      axes = source.items(manager, source.field(manager, parts, "axes"));
      for (PickleValue block : source.items(manager, source.field(manager, parts, "blocks"))) {
        blocks.add(
            new Block(
                source.field(manager, block, "values"), source.field(manager, block, "mgr_locs")));
      }
    }
    if (axes.isEmpty()) {
      throw source.bad(manager, "axes", "none");
    }
    return new Manager(axes, blocks);
  }

  private void addSeries(
      PickledObject frame, Manager manager, int rows, Map<String, Column> result) {
    if (manager.blocks().size() != 1) {
      throw source.bad(frame, "one block in a series", manager.blocks().size());
    }
    boolean pandas3 = frame.state() instanceof Dict state && state.get("_name") != null;
    add(
        frame,
        name(frame, source.field(frame, pandas3 ? "_name" : "name"), "0"),
        columns.column(manager.blocks().getFirst().values()),
        rows,
        result);
  }

  private void addColumns(
      PickledObject frame, Manager manager, int rows, Map<String, Column> result) {
    List<String> names = labels(manager.axes().getFirst());
    var placed = new @Nullable Column[names.size()];
    for (Block block : manager.blocks()) {
      List<Integer> places = places(frame, block.placement(), names.size());
      List<Column> values = columns.block(block.values(), places.size());
      for (int i = 0; i < places.size(); i++) {
        int place = places.get(i);
        if (placed[place] != null) {
          throw source.bad(frame, "one block that holds column " + names.get(place), "two");
        }
        placed[place] = values.get(i);
      }
    }
    for (int i = 0; i < placed.length; i++) {
      Column column = placed[i];
      if (column == null) {
        throw source.bad(frame, "a block that holds column " + names.get(i), "none");
      }
      add(frame, names.get(i), column, rows, result);
    }
  }

  private void add(
      PickledObject frame, String name, Column column, int rows, Map<String, Column> result) {
    if (column.size() != rows) {
      throw source.bad(frame, "%d rows in column %s".formatted(rows, name), column.size());
    }
    if (result.putIfAbsent(name, column) != null) {
      throw source.bad(frame, "each name once", "a second column " + name);
    }
  }

  /// Returns which columns of the frame a block holds.
  private List<Integer> places(PickledObject frame, PickleValue placement, int count) {
    var places = new ArrayList<Integer>();
    if (placement instanceof PickledObject slice && slice.type().equals("builtins.slice")) {
      long start = source.integer(slice, source.argument(slice, 0));
      long stop = source.integer(slice, source.argument(slice, 1));
      long step = source.integer(slice, source.argument(slice, 2));
      if (start < 0 || start > count || stop < 0 || step <= 0) {
        throw source.bad(slice, "a slice of %d columns".formatted(count), "another one");
      }
      for (long i = start; i < Math.min(stop, count); i += Math.min(step, count)) {
        places.add((int) i);
      }
    } else {
      NumpyArray array = NumpyArray.of(source, placement);
      if (!array.isVector() || array.dtype().kind() != 'i' || array.size() > count) {
        throw source.bad(frame, "the places of at most %d columns".formatted(count), array.size());
      }
      for (int i = 0; i < array.size(); i++) {
        if (array.integer(i) < 0 || array.integer(i) >= count) {
          throw source.bad(frame, "places below " + count, array.integer(i));
        }
        places.add((int) array.integer(i));
      }
    }
    return places;
  }

  /// Adds the levels of a row index and returns the number of rows.
  private int addIndex(PickleValue value, Map<String, Column> result) {
    PickledObject index = index(value);
    PickleValue parts = index.arguments().get(1);
    return switch (kind(index)) {
      case "RangeIndex" -> {
        Column range = range(index, parts);
        if (!(source.field(index, parts, "name") instanceof None)) {
          add(
              index,
              name(index, source.field(index, parts, "name"), "index"),
              range,
              range.size(),
              result);
        }
        yield range.size();
      }
      case "MultiIndex" -> {
        List<PickleValue> levels = source.items(index, source.field(index, parts, "levels"));
        List<PickleValue> codes = source.items(index, source.field(index, parts, "codes"));
        List<PickleValue> names = source.items(index, source.field(index, parts, "names"));
        if (levels.isEmpty() || codes.size() != levels.size() || names.size() != levels.size()) {
          throw source.bad(index, "a name and codes for each level", codes.size());
        }
        int rows = NumpyArray.of(source, codes.getFirst()).size();
        for (int i = 0; i < levels.size(); i++) {
          Column level = values(index(levels.get(i)));
          Column column = columns.gather(index, level, NumpyArray.of(source, codes.get(i)));
          add(index, name(index, names.get(i), "level_" + i), column, rows, result);
        }
        yield rows;
      }
      default -> {
        Column column = values(index);
        String name = name(index, source.field(index, parts, "name"), "index");
        add(index, name, column, column.size(), result);
        yield column.size();
      }
    };
  }

  private Column values(PickledObject index) {
    return switch (kind(index)) {
      case "RangeIndex" -> range(index, index.arguments().get(1));
      case "MultiIndex" -> throw source.bad(index, "a plain index", "several levels");
      default -> columns.indexValues(index);
    };
  }

  private Numbers range(PickledObject index, PickleValue parts) {
    long start = source.integer(index, source.field(index, parts, "start"));
    long stop = source.integer(index, source.field(index, parts, "stop"));
    long step = source.integer(index, source.field(index, parts, "step"));
    source.exact(index, start); // so that the differences below cannot overflow
    source.exact(index, stop);
    if (step == 0 || step == Long.MIN_VALUE) {
      throw source.bad(index, "a step", step);
    }
    long size = step > 0 ? Math.ceilDiv(stop - start, step) : Math.ceilDiv(start - stop, -step);
    double[] values = new double[columns.spend(index, Math.max(size, 0))];
    for (int i = 0; i < values.length; i++) {
      values[i] = start + i * (double) step;
    }
    return new Numbers(values);
  }

  /// Returns the labels of the column axis; numbers are spelt out.
  private List<String> labels(PickleValue value) {
    PickledObject index = index(value);
    var labels = new ArrayList<String>();
    switch (values(index)) {
      case Texts texts -> {
        for (int i = 0; i < texts.size(); i++) {
          String text = texts.value(i);
          if (text == null) {
            throw source.bad(index, "a name for column " + i, "none");
          }
          labels.add(text);
        }
      }
      case Numbers numbers -> {
        for (int i = 0; i < numbers.size(); i++) {
          double number = numbers.value(i);
          labels.add(
              number == (long) number ? Long.toString((long) number) : Double.toString(number));
        }
      }
      default -> throw source.bad(index, "texts or numbers as column names", "something else");
    }
    return labels;
  }

  /// Checks that `value` is an index: a call with its class and a dict of its parts.
  private PickledObject index(PickleValue value) {
    if (value instanceof PickledObject object
        && (object.type().equals("pandas.core.indexes.base._new_Index")
            || object.type().equals("pandas.core.indexes.datetimes._new_DatetimeIndex"))
        && object.arguments().size() == 2
        && object.arguments().getFirst() instanceof PickleValue.Global) {
      kind(object);
      return object;
    }
    throw source.unexpected(value, "a pandas index");
  }

  private String kind(PickledObject index) {
    var type = (PickleValue.Global) index.arguments().getFirst();
    return switch (type.path()) {
      case "pandas.core.indexes.base.Index",
          "pandas.core.indexes.datetimes.DatetimeIndex",
          "pandas.core.indexes.range.RangeIndex",
          "pandas.core.indexes.multi.MultiIndex",
          "pandas.core.indexes.category.CategoricalIndex",
          "pandas.core.indexes.numeric.Int64Index",
          "pandas.core.indexes.numeric.UInt64Index",
          "pandas.core.indexes.numeric.Float64Index",
          "pandas.Index",
          "pandas.DatetimeIndex",
          "pandas.RangeIndex",
          "pandas.MultiIndex",
          "pandas.CategoricalIndex" ->
          type.name();
      default -> throw source.bad(index, "a known pandas index", type.path());
    };
  }

  private String name(PickledObject owner, PickleValue name, String otherwise) {
    return name instanceof None ? otherwise : label(owner, name);
  }

  private String label(PickledObject owner, PickleValue value) {
    return switch (value) {
      case Text(String text) -> text;
      case Int(long number) -> Long.toString(number);
      default -> throw source.bad(owner, "a text or integer as name", value);
    };
  }
}
