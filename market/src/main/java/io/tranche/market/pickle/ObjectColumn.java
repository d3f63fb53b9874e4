package io.tranche.market.pickle;

import io.tranche.market.BarTime;
import io.tranche.market.Table.Column;
import io.tranche.market.Table.Numbers;
import io.tranche.market.Table.Texts;
import io.tranche.market.Table.Times;
import io.tranche.market.pickle.PickleValue.Bool;
import io.tranche.market.pickle.PickleValue.Global;
import io.tranche.market.pickle.PickleValue.Int;
import io.tranche.market.pickle.PickleValue.None;
import io.tranche.market.pickle.PickleValue.PickledObject;
import io.tranche.market.pickle.PickleValue.Real;
import io.tranche.market.pickle.PickleValue.Text;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/// An array of Python objects: all texts, all numbers or all times, some of which may be missing.
final class ObjectColumn {

  private enum Kind {
    TEXTS,
    NUMBERS,
    TIMES
  }

  private final PickleSource source;
  private final NumpyArray array;
  private final @Nullable String[] texts;
  private final double[] numbers;
  private final long[] times;

  ObjectColumn(PickleSource source, NumpyArray array) {
    this.source = source;
    this.array = array;
    this.texts = new @Nullable String[array.size()];
    this.numbers = new double[array.size()];
    this.times = new long[array.size()];
  }

  Column read(PickledObject owner) {
    Kind kind = null;
    for (int row = 0; row < array.size(); row++) {
      numbers[row] = Double.NaN;
      times[row] = Times.MISSING;
      Kind found = read(owner, row, array.object(row));
      if (kind != null && found != null && found != kind) {
        throw source.bad(
            owner, "only %s in a column".formatted(kind), "%s at row %d".formatted(found, row));
      }
      kind = kind == null ? found : kind;
    }
    return switch (kind) {
      case NUMBERS -> new Numbers(numbers);
      case TIMES -> new Times(times);
      case TEXTS -> Texts.of(texts);
      case null -> Texts.of(texts); // only missing values
    };
  }

  /// Sets the row's value and returns its kind, or null where it is missing.
  private @Nullable Kind read(PickledObject owner, int row, PickleValue value) {
    return switch (value) {
      case None _ -> null;
      case Real(double number) when Double.isNaN(number) -> null; // how pandas spells "missing"
      case Global(String module, String name)
          when name.equals("NA")
              && (module.equals("pandas") || module.equals("pandas._libs.missing")) ->
          null;
      case Text(String text) -> {
        texts[row] = text;
        yield Kind.TEXTS;
      }
      case Real(double number) -> number(row, number);
      case Int(long number) -> number(row, source.exact(owner, number));
      case Bool(boolean flag) -> number(row, flag ? 1 : 0);
      case PickledObject object -> read(row, object);
      default -> throw source.bad(owner, "texts, numbers or times", value + " at row " + row);
    };
  }

  private @Nullable Kind read(int row, PickledObject object) {
    return switch (object.type()) {
      case "pandas._libs.tslibs.nattype._nat_unpickle",
          "pandas._libs.tslibs.nattype.__nat_unpickle" ->
          null;
      case String _ when NumpyScalar.isScalar(object) -> scalar(row, object);
      case "pandas._libs.tslibs.timestamps._unpickle_timestamp" -> time(row, timestamp(object));
      case "datetime.date", "datetime.datetime" -> time(row, dateTime(object));
      default ->
          throw source.unexpected(object, "texts, numbers or times, at row %d too".formatted(row));
    };
  }

  private Kind number(int row, double value) {
    numbers[row] = value;
    return Kind.NUMBERS;
  }

  private Kind time(int row, long seconds) {
    times[row] = seconds;
    return Kind.TIMES;
  }

  private Kind scalar(int row, PickledObject object) {
    NumpyArray.Dtype dtype = NumpyArray.Dtype.of(source, source.argument(object, 0));
    ByteBuffer bytes = source.bytes(object, source.argument(object, 1));
    NumpyArray vector = NumpyArray.ofScalar(source, object, dtype, bytes);
    return switch (dtype.kind()) {
      case 'M' -> time(row, source.seconds(object, vector.integer(0), dtype.unit()));
      case 'f' -> number(row, dtype.bytes() == 4 ? vector.single(0) : vector.real(0));
      default -> number(row, source.exact(object, vector.integer(0)));
    };
  }

  /// A pandas timestamp: value, freq, zone and, since pandas 1.5, a number for the unit.
  private long timestamp(PickledObject object) {
    if (object.arguments().size() > 2 && !(object.arguments().get(2) instanceof None)) {
      throw source.bad(object, "a time without a zone", "one with a zone");
    }
    long unit =
        object.arguments().size() > 3 ? source.integer(object, object.arguments().get(3)) : 10;
    String name =
        switch ((int) unit) {
          case 7 -> "s";
          case 8 -> "ms";
          case 9 -> "us";
          case 10 -> "ns";
          default -> throw source.bad(object, "a unit from 7 (s) to 10 (ns)", unit);
        };
    return source.seconds(object, source.integer(object, source.argument(object, 0)), name);
  }

  /// Python packs a date into 4 bytes and a time into 6 more.
  private long dateTime(PickledObject object) {
    ByteBuffer packed = source.bytes(object, source.argument(object, 0));
    if (object.arguments().size() > 1) {
      throw source.bad(object, "a time without a zone", "one with a zone");
    }
    boolean date = object.type().equals("datetime.date");
    if (packed.remaining() != (date ? 4 : 10)) {
      throw source.bad(object, "a packed date", packed.remaining() + " bytes");
    }
    if (!date && (packed.get(7) != 0 || packed.get(8) != 0 || packed.get(9) != 0)) {
      throw source.bad(object, "times in whole seconds", "a fraction");
    }
    try {
      return BarTime.of(
          LocalDateTime.of(
              packed.getShort(0),
              packed.get(2),
              packed.get(3),
              date ? 0 : packed.get(4),
              date ? 0 : packed.get(5),
              date ? 0 : packed.get(6)));
    } catch (DateTimeException e) {
      throw source.bad(object, "a date that exists", e.getMessage());
    }
  }
}
