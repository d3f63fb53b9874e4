package io.tranche.market.table;

import io.tranche.market.Table;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;

/// A column of a CSV file while it is read: numbers or times as long as every cell is one, texts
/// otherwise.
final class CsvColumn {

  /// What cells are read as. A column begun with a known kind keeps it, and any other cell in it
  /// counts as missing; one begun as `UNKNOWN` infers its kind.
  enum Kind {
    UNKNOWN,
    NUMBERS,
    TIMES,
    TEXTS
  }

  private final NumberText number = new NumberText();
  private final TimeText time = new TimeText();
  private final TextDictionary texts = new TextDictionary();
  private final boolean fixed;
  private Kind kind;
  private boolean hasTime;
  private boolean zoned;
  private boolean incomplete;
  private int size;
  private double[] numbers = {};
  private long[] times = {};
  private int[] codes = {};

  CsvColumn(Kind kind) {
    this.kind = kind;
    this.fixed = kind != Kind.UNKNOWN;
  }

  /// Whether cells that were read as another type turned out to be texts. They are lost, and the
  /// file must be read again with a column of [Kind#TEXTS].
  boolean isIncomplete() {
    return incomplete;
  }

  /// Adds a cell, and returns whether it has the column's type.
  ///
  /// @throws CharacterCodingException if the cell is not UTF-8
  boolean add(byte[] bytes, int from, int to) throws CharacterCodingException {
    switch (kind) {
      case UNKNOWN -> begin(bytes, from, to);
      case NUMBERS -> {
        boolean readable = number.parse(bytes, from, to);
        if (!readable && !fixed) {
          turnToTexts(bytes, from, to);
        } else {
          addNumber(readable ? number.value() : Double.NaN);
          return readable;
        }
      }
      case TIMES -> {
        boolean readable = time.parse(bytes, from, to) && isLikeOthers();
        if (!readable && !fixed) {
          turnToTexts(bytes, from, to);
        } else {
          addTime(readable ? time.value() : Table.Times.MISSING);
          return readable;
        }
      }
      case TEXTS -> addText(bytes, from, to);
    }
    return true;
  }

  private void begin(byte[] bytes, int from, int to) throws CharacterCodingException {
    if (from == to) {
      size++;
    } else if (number.parse(bytes, from, to)) {
      kind = Kind.NUMBERS;
      numbers = new double[Math.max(64, size + 1)];
      Arrays.fill(numbers, 0, size, Double.NaN);
      addNumber(number.value());
    } else if (time.parse(bytes, from, to) && isLikeOthers()) {
      kind = Kind.TIMES;
      times = new long[Math.max(64, size + 1)];
      Arrays.fill(times, 0, size, Table.Times.MISSING);
      addTime(time.value());
    } else {
      kind = Kind.TEXTS;
      codes = new int[Math.max(64, size + 1)];
      Arrays.fill(codes, 0, size, -1);
      addText(bytes, from, to);
    }
  }

  /// Whether the time has an offset if those before have one, and none otherwise.
  private boolean isLikeOthers() {
    if (time.value() != Table.Times.MISSING && !hasTime) {
      hasTime = true;
      zoned = time.isZoned();
    }
    return time.value() == Table.Times.MISSING || time.isZoned() == zoned;
  }

  private void turnToTexts(byte[] bytes, int from, int to) throws CharacterCodingException {
    kind = Kind.TEXTS;
    incomplete = true;
    numbers = new double[0];
    times = new long[0];
    codes = new int[size + 1];
    addText(bytes, from, to);
  }

  private void addNumber(double value) {
    if (size == numbers.length) {
      numbers = Arrays.copyOf(numbers, grown());
    }
    numbers[size++] = value;
  }

  private void addTime(long value) {
    if (size == times.length) {
      times = Arrays.copyOf(times, grown());
    }
    times[size++] = value;
  }

  private void addText(byte[] bytes, int from, int to) throws CharacterCodingException {
    int code = from == to ? -1 : texts.code(bytes, from, to);
    if (size == codes.length) {
      codes = Arrays.copyOf(codes, grown());
    }
    codes[size++] = code;
  }

  private int grown() {
    return Math.max(64, size + (size >> 1));
  }

  /// Returns what was read; a column without any value is one of missing numbers.
  Table.Column toColumn() {
    return switch (kind) {
      case UNKNOWN -> {
        double[] missing = new double[size];
        Arrays.fill(missing, Double.NaN);
        yield new Table.Numbers(missing);
      }
      case NUMBERS -> new Table.Numbers(Arrays.copyOf(numbers, size));
      case TIMES -> new Table.Times(Arrays.copyOf(times, size), zoned);
      case TEXTS -> new Table.Texts(texts.distinct(), Arrays.copyOf(codes, size));
    };
  }
}
