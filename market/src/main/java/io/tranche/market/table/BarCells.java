package io.tranche.market.table;

import io.tranche.market.Table;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The rules for a single cell of bars.
final class BarCells {

  // FLT_DIG: any decimal with this many digits survives conversion to float and back.
  private static final double SIX_DIGITS = 1e6;

  private BarCells() {}

  /// Returns the first row whose text is neither missing nor a number (or time, with an offset as
  /// the first has one); 0 if there is none.
  static int firstUnreadable(Table.Texts texts, boolean asTime) {
    var number = new NumberText();
    var time = new TimeText();
    int first = -1; // row of the first time
    boolean zoned = false;
    for (int row = 0; row < texts.size(); row++) {
      String text = texts.value(row);
      if (text != null) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        boolean readable =
            asTime ? time.parse(bytes, 0, bytes.length) : number.parse(bytes, 0, bytes.length);
        if (asTime && readable && time.value() != Table.Times.MISSING) {
          zoned = first < 0 ? time.isZoned() : zoned;
          first = first < 0 ? row : first;
          readable = time.isZoned() == zoned;
        }
        if (!readable) {
          return row;
        }
      }
    }
    return 0;
  }

  static boolean isTime(@Nullable String text) {
    byte[] bytes = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
    return new TimeText().parse(bytes, 0, bytes.length);
  }

  /// Whether `single`, printed as short as possible, is the same decimal as `value`.
  ///
  /// 13.35 survives although no float equals it, 12345678.9 does not.
  static boolean survives(double value, float single) {
    if (single == value || Double.isNaN(value)) {
      return true;
    }
    for (double scale = 1;
        Math.abs(value) * scale < SIX_DIGITS && scale <= SIX_DIGITS;
        scale *= 10) {
      if (Math.rint(value * scale) / scale == value) {
        return true;
      }
    }
    return Double.parseDouble(Float.toString(single)) == value;
  }
}
