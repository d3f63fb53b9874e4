package io.tranche.market.pickle;

import io.tranche.market.pickle.PickleValue.PickledObject;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A one- or two-dimensional numpy array inside a pickle: a view of the file's bytes, or a list of
/// Python objects.
///
/// @param rows the first dimension of a matrix; a vector counts as one row
record NumpyArray(
    Dtype dtype,
    @Nullable ByteBuffer data,
    List<PickleValue> objects,
    boolean isVector,
    int start,
    int rows,
    int columns,
    int rowStride,
    int columnStride) {

  /// How to read the bytes of an element.
  ///
  /// @param kind numpy's letter: `f`, `i`, `u`, `b`, `M` (datetime) or `O` (objects)
  /// @param unit of a datetime: `s`, `ms`, `us` or `ns`; otherwise empty
  record Dtype(char kind, int bytes, ByteOrder order, String unit) {

    static Dtype of(PickleSource source, PickleValue value) {
      PickledObject object = source.object(value, "numpy.dtype");
      String code = source.text(object, source.argument(object, 0));
      List<PickleValue> state = source.items(object, object.state());
      // state: version, byte order, subtype, names, fields, size, alignment, flags[, metadata]
      if (state.size() < 8) {
        throw source.bad(object, "the 8 parts of a dtype", state.size());
      }
      ByteOrder order =
          source.text(object, state.get(1)).equals(">")
              ? ByteOrder.BIG_ENDIAN
              : ByteOrder.LITTLE_ENDIAN;
      return switch (code) {
        case "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1", "O8" ->
            new Dtype(code.charAt(0), code.charAt(1) - '0', order, "");
        case "M8" -> new Dtype('M', 8, order, unit(source, object, state));
        default -> throw source.bad(object, "a dtype of numbers, times or objects", code);
      };
    }

    private static String unit(PickleSource source, PickledObject object, List<PickleValue> state) {
      if (state.size() == 9) {
        List<PickleValue> metadata = source.items(object, state.get(8));
        if (metadata.size() == 2) {
          List<PickleValue> unit = source.items(object, metadata.get(1));
          if (unit.size() == 4 && source.integer(object, unit.get(1)) == 1) {
            return source.word(object, unit.get(0));
          }
        }
      }
      throw source.bad(object, "the unit of a datetime", "something else");
    }
  }

  /// Whether `value` is an array as numpy 1 or 2 writes it.
  static boolean isArray(PickleValue value) {
    return value instanceof PickledObject object
        && switch (object.type()) {
          case "numpy.core.multiarray._reconstruct",
              "numpy._core.multiarray._reconstruct",
              "numpy.core.numeric._frombuffer",
              "numpy._core.numeric._frombuffer" ->
              true;
          default -> false;
        };
  }

  static NumpyArray of(PickleSource source, PickleValue value) {
    if (!isArray(value)) {
      throw source.unexpected(value, "a numpy array");
    }
    var object = (PickledObject) value;
    if (object.type().endsWith("_frombuffer")) {
      // buffer, dtype, shape, order
      Dtype dtype = Dtype.of(source, source.argument(object, 1));
      String order = source.text(object, source.argument(object, 3));
      return of(
          source,
          object,
          dtype,
          source.argument(object, 2),
          order.equals("F"),
          source.argument(object, 0));
    }
    List<PickleValue> state = source.items(object, object.state());
    if (state.size() != 5) {
      throw source.bad(object, "the 5 parts of an array", state.size());
    }
    // version, shape, dtype, is column-major, data
    Dtype dtype = Dtype.of(source, state.get(2));
    boolean columnMajor = state.get(3) instanceof PickleValue.Bool(boolean flag) && flag;
    return of(source, object, dtype, state.get(1), columnMajor, state.get(4));
  }

  private static NumpyArray of(
      PickleSource source,
      PickledObject object,
      Dtype dtype,
      PickleValue shapeValue,
      boolean columnMajor,
      PickleValue contents) {
    List<PickleValue> shape = source.items(object, shapeValue);
    if (shape.isEmpty() || shape.size() > 2) {
      throw source.bad(object, "an array of one or two dimensions", shape.size());
    }
    int rows = shape.size() == 1 ? 1 : dimension(source, object, shape.get(0));
    int columns = dimension(source, object, shape.getLast());
    ByteBuffer data = null;
    List<PickleValue> objects = List.of();
    long held;
    if (dtype.kind() == 'O') {
      objects = source.items(object, contents);
      held = objects.size();
    } else {
      data = source.bytes(object, contents).order(dtype.order());
      held = data.remaining() / dtype.bytes();
    }
    if ((long) rows * columns != held || (data != null && data.remaining() % dtype.bytes() != 0)) {
      throw source.bad(
          object, "data for the shape (%d, %d)".formatted(rows, columns), held + " elements");
    }
    return new NumpyArray(
        dtype,
        data,
        objects,
        shape.size() == 1,
        0,
        rows,
        columns,
        columnMajor ? 1 : columns,
        columnMajor ? rows : 1);
  }

  /// Returns a vector of the one element in `bytes`.
  static NumpyArray ofScalar(
      PickleSource source, PickledObject object, Dtype dtype, ByteBuffer bytes) {
    if (dtype.kind() == 'O' || bytes.remaining() != dtype.bytes()) {
      throw source.bad(
          object, "the %d bytes of a number".formatted(dtype.bytes()), bytes.remaining());
    }
    return new NumpyArray(dtype, bytes.order(dtype.order()), List.of(), true, 0, 1, 1, 1, 1);
  }

  private static int dimension(PickleSource source, PickledObject object, PickleValue value) {
    long size = source.integer(object, value);
    if (size < 0 || size > Integer.MAX_VALUE) {
      throw source.bad(object, "a dimension", size);
    }
    return (int) size;
  }

  /// Returns the length of a vector or of each row of a matrix.
  int size() {
    return columns;
  }

  NumpyArray row(int row) {
    int first = start + row * rowStride;
    return new NumpyArray(dtype, data, objects, true, first, 1, columns, columns, columnStride);
  }

  /// Returns element `i` of a vector of integers, booleans or datetimes.
  long integer(int i) {
    ByteBuffer bytes = bytes();
    int at = (start + i * columnStride) * dtype.bytes();
    boolean signed = dtype.kind() == 'i' || dtype.kind() == 'M';
    return switch (dtype.bytes()) {
      case 1 -> signed ? bytes.get(at) : bytes.get(at) & 0xff;
      case 2 -> signed ? bytes.getShort(at) : bytes.getShort(at) & 0xffff;
      case 4 -> signed ? bytes.getInt(at) : bytes.getInt(at) & 0xffff_ffffL;
      default -> bytes.getLong(at);
    };
  }

  /// Returns element `i` of a vector of float64.
  double real(int i) {
    return bytes().getDouble((start + i * columnStride) * 8);
  }

  /// Returns element `i` of a vector of float32.
  float single(int i) {
    return bytes().getFloat((start + i * columnStride) * 4);
  }

  PickleValue object(int i) {
    return objects.get(start + i * columnStride);
  }

  private ByteBuffer bytes() {
    if (data == null) {
      throw new IllegalStateException("array must hold plain numbers, was of objects");
    }
    return data;
  }
}
