package io.tranche.market.pickle;

import io.tranche.market.Table.Column;
import io.tranche.market.Table.Numbers;
import io.tranche.market.Table.Singles;
import io.tranche.market.Table.Texts;
import io.tranche.market.Table.Times;
import io.tranche.market.pickle.PickleValue.Dict;
import io.tranche.market.pickle.PickleValue.PickledObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Turns the arrays of numpy and pandas into table columns.
///
/// The number of cells is bounded by the size of the file, regardless of its headers and of how
/// often they refer to the same array.
final class PandasColumns {

  private static final int MAX_NESTING = 4; // frame, level, categories, their values

  private final PickleSource source;
  private long cellsLeft;

  /// @param fileBytes the size of the file, which bounds the number of cells: one per byte, and
  ///   twice that for ranges and shared arrays
  PandasColumns(PickleSource source, long fileBytes) {
    this.source = source;
    this.cellsLeft = 2 * fileBytes;
  }

  /// Returns the columns of a frame that a block of `count` columns holds.
  List<Column> block(PickleValue values, int count) {
    NumpyArray array = matrix(values);
    if (array == null && count == 1) {
      return List.of(column(values)); // extension arrays have one dimension
    }
    if (array == null
        || array.isVector()
        || array.rows() != count
        || !(values instanceof PickledObject object)) {
      throw source.unexpected(values, "values of %d columns".formatted(count));
    }
    var columns = new ArrayList<Column>();
    for (int row = 0; row < count; row++) {
      columns.add(column(object, array.row(row)));
    }
    return columns;
  }

  /// Returns the array of values that may have two dimensions, or null for others.
  private @Nullable NumpyArray matrix(PickleValue values) {
    if (NumpyArray.isArray(values)) {
      return NumpyArray.of(source, values);
    }
    return isBacked(values, "DatetimeArray") ? backing((PickledObject) values) : null;
  }

  /// Returns one-dimensional values as a column.
  Column column(PickleValue values) {
    return column(values, 0);
  }

  private Column column(PickleValue values, int nesting) {
    if (!(values instanceof PickledObject object) || nesting > MAX_NESTING) {
      throw source.unexpected(values, "an array");
    }
    NumpyArray matrix = matrix(object);
    if (matrix != null) {
      if (!matrix.isVector()) {
        throw source.bad(object, "an array of one dimension", "a matrix");
      }
      return column(object, matrix);
    }
    if (isBacked(object, "StringArray")) {
      return column(object, backing(object));
    }
    if (isBacked(object, "Categorical")) {
      return categorical(object, nesting);
    }
    return switch (object.type()) {
      case "pandas.arrays.ArrowStringArray",
          "pandas.core.arrays.string_arrow.ArrowStringArray",
          "pandas.core.arrays.string_arrow.ArrowStringArrayNumpySemantics" ->
          new ArrowTexts(source, this::spend).column(object);
      case "pandas.arrays.IntegerArray",
          "pandas.arrays.FloatingArray",
          "pandas.arrays.BooleanArray",
          "pandas.core.arrays.integer.IntegerArray",
          "pandas.core.arrays.floating.FloatingArray",
          "pandas.core.arrays.boolean.BooleanArray" ->
          masked(object);
      default -> throw source.unexpected(object, "an array of numbers, times or texts");
    };
  }

  private Column column(PickledObject object, NumpyArray array) {
    int size = spend(object, array.size());
    return switch (array.dtype().kind()) {
      case 'O' -> new ObjectColumn(source, array).read(object);
      case 'M' -> times(object, array);
      case 'f' -> {
        if (array.dtype().bytes() == 4) {
          float[] values = new float[size];
          for (int i = 0; i < size; i++) {
            values[i] = array.single(i);
          }
          yield new Singles(values);
        }
        double[] values = new double[size];
        for (int i = 0; i < size; i++) {
          values[i] = array.real(i);
        }
        yield new Numbers(values);
      }
      default -> {
        double[] values = new double[size];
        for (int i = 0; i < size; i++) {
          values[i] = source.exact(object, array.integer(i));
        }
        yield new Numbers(values);
      }
    };
  }

  private Times times(PickledObject owner, NumpyArray array) {
    long[] seconds = new long[array.size()];
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = source.seconds(owner, array.integer(i), array.dtype().unit());
    }
    return new Times(seconds);
  }

  private Column categorical(PickledObject object, int nesting) {
    PickleValue dtype = backingState(object).getFirst();
    if (!(dtype instanceof PickledObject categories) || !(categories.state() instanceof Dict)) {
      throw source.unexpected(dtype, "the categories of a column");
    }
    PickleValue index = source.field(categories, "categories");
    return gather(object, indexValues(index, nesting + 1), backing(object));
  }

  /// Returns the values of a plain index, not of a range or several levels.
  Column indexValues(PickleValue index) {
    return indexValues(index, 0);
  }

  private Column indexValues(PickleValue index, int nesting) {
    if (index instanceof PickledObject object && object.arguments().size() == 2) {
      return column(source.field(object, object.arguments().get(1), "data"), nesting + 1);
    }
    throw source.unexpected(index, "a plain index");
  }

  /// Returns `values[codes[i]]` for every row; -1 is missing.
  Column gather(PickledObject owner, Column values, NumpyArray codes) {
    int size = spend(owner, codes.size());
    if (!codes.isVector() || codes.dtype().kind() != 'i') {
      throw source.bad(owner, "a vector of integers as codes", codes.dtype());
    }
    int[] rows = new int[size];
    for (int i = 0; i < size; i++) {
      long code = codes.integer(i);
      if (code < -1 || code >= values.size()) {
        throw source.bad(owner, "codes in [-1, %d)".formatted(values.size()), code);
      }
      rows[i] = (int) code;
    }
    return switch (values) {
      case Texts texts -> {
        for (int i = 0; i < size; i++) {
          rows[i] = rows[i] < 0 ? -1 : texts.code(rows[i]);
        }
        yield new Texts(texts.distinct(), rows);
      }
      case Times times -> {
        long[] seconds = new long[size];
        for (int i = 0; i < size; i++) {
          seconds[i] = rows[i] < 0 ? Times.MISSING : times.value(rows[i]);
        }
        yield new Times(seconds);
      }
      case Numbers numbers -> {
        double[] gathered = new double[size];
        for (int i = 0; i < size; i++) {
          gathered[i] = rows[i] < 0 ? Double.NaN : numbers.value(rows[i]);
        }
        yield new Numbers(gathered);
      }
      case Singles singles -> {
        float[] gathered = new float[size];
        for (int i = 0; i < size; i++) {
          gathered[i] = rows[i] < 0 ? Float.NaN : singles.value(rows[i]);
        }
        yield new Singles(gathered);
      }
    };
  }

  /// Numbers with a mask of the missing ones.
  private Column masked(PickledObject object) {
    NumpyArray data = NumpyArray.of(source, source.field(object, "_data"));
    NumpyArray mask = NumpyArray.of(source, source.field(object, "_mask"));
    if (!data.isVector() || !mask.isVector() || mask.dtype().kind() != 'b') {
      throw source.bad(object, "vectors as data and mask", "something else");
    }
    if (mask.size() != data.size() || data.dtype().kind() == 'O') {
      throw source.bad(object, "a mask of numbers, equally long", mask.size());
    }
    Column plain = column(object, data);
    double[] values = new double[data.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] =
          mask.integer(i) != 0
              ? Double.NaN
              : switch (plain) {
                case Numbers numbers -> numbers.value(i);
                case Singles singles -> singles.value(i);
                default -> throw source.bad(object, "numbers beside a mask", plain);
              };
    }
    return new Numbers(values);
  }

  /// Whether `value` is one of pandas' arrays that wrap a numpy array, of this class.
  private static boolean isBacked(PickleValue value, String name) {
    return value instanceof PickledObject object
        && object.type().equals("pandas._libs.arrays.__pyx_unpickle_NDArrayBacked")
        && !object.arguments().isEmpty()
        && object.arguments().getFirst() instanceof PickleValue.Global global
        && global.name().equals(name)
        && (global.module().equals("pandas") || global.module().startsWith("pandas."));
  }

  private List<PickleValue> backingState(PickledObject object) {
    List<PickleValue> state = source.items(object, object.state());
    if (state.size() < 2) {
      throw source.bad(object, "a dtype and an array", state.size());
    }
    return state;
  }

  private NumpyArray backing(PickledObject object) {
    List<PickleValue> state = backingState(object);
    if (state.getFirst() instanceof PickledObject dtype
        && dtype.type().endsWith(".DatetimeTZDtype")) {
      throw source.bad(dtype, "times without a zone", "times with one");
    }
    return NumpyArray.of(source, state.get(1));
  }

  /// Returns `cells` after subtracting them from the number that the file's size allows.
  int spend(PickledObject owner, long cells) {
    if (cells > cellsLeft) {
      throw source.bad(owner, "no more cells than bytes in the file", cells);
    }
    cellsLeft -= cells;
    return (int) cells;
  }
}
