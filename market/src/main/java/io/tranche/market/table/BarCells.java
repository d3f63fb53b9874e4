package io.tranche.market.table;

import io.tranche.market.Table;
import java.nio.charset.StandardCharsets;

/// The rules for a single cell of bars.
final class BarCells {

  // FLT_DIG: any decimal with this many digits survives conversion to float and back.
  private static final double SIX_DIGITS = 1e6;

  private BarCells() {}

  /// Returns the first row whose text is neither missing nor a number (or time); 0 if there is
  /// none.
  static int firstUnreadable(Table.Texts texts, boolean asTime) {
    var number = new NumberText();
    var time = new TimeText();
    for (int row = 0; row < texts.size(); row++) {
      String text = texts.value(row);
      if (text != null) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        boolean readable =
            asTime ? time.parse(bytes, 0, bytes.length) : number.parse(bytes, 0, bytes.length);
        if (!readable) {
          return row;
        }
      }
    }
    return 0;
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
