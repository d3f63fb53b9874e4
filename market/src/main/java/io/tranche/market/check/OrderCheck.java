package io.tranche.market.check;

import io.tranche.market.Side;
import io.tranche.market.Table;
import io.tranche.market.TableFormat;
import io.tranche.market.table.ColumnMapping;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Checks a file of orders: columns instrument, amount, a side and a time, as Qlib names them.
final class OrderCheck {

  private static final List<String> SIDES = List.of("order_type", "direction", "side");

  private final Path file;
  private final TableFormat format;
  private final Findings findings;

  OrderCheck(Path file, TableFormat format, Findings findings) {
    this.file = file;
    this.format = format;
    this.findings = findings;
  }

  /// Whether these are the columns of orders rather than of bars.
  static boolean isOrders(List<String> names) {
    return names.contains("amount") && SIDES.stream().anyMatch(names::contains);
  }

  void check(List<String> names) {
    String time = ColumnMapping.DEFAULT.timeIn(names);
    String instrument = ColumnMapping.DEFAULT.instrumentIn(names);
    if (time == null || instrument == null) {
      findings.add(Rule.WRONG_COLUMN, file, "no instrument or no time column in " + names);
      return;
    }
    String side = SIDES.stream().filter(names::contains).findFirst().orElseThrow();
    var texts = new HashSet<>(names);
    texts.remove(time);
    texts.remove("amount");
    Table table = TableCheck.read(file, format, Set.of(time), texts, findings);
    if (!(table.column(time) instanceof Table.Times times)
        || !(table.column("amount") instanceof Table.Numbers
            || table.column("amount") instanceof Table.Singles)) {
      findings.add(Rule.WRONG_COLUMN, file, "no times or no amounts in numbers");
      return;
    }
    IntFunction<String> place = TableCheck.places(file, format);
    for (int row = 0; row < table.rows(); row++) {
      String code = TableCheck.text(table.column(instrument), row);
      double amount = table.number("amount", row);
      String fault =
          fault(code, times.value(row), amount, TableCheck.text(table.column(side), row));
      long at = times.value(row) == Table.Times.MISSING ? Findings.NO_TIME : times.value(row);
      int here = row;
      if (fault != null) {
        findings.add(Rule.BAD_ORDER, file, () -> place.apply(here), code, at, fault);
      } else if (amount == 0) {
        findings.add(Rule.ORDER_WITHOUT_AMOUNT, file, () -> place.apply(here), code, at, amount);
      }
    }
  }

  private static @Nullable String fault(
      @Nullable String instrument, long time, double amount, @Nullable String side) {
    if (instrument == null) {
      return "no instrument";
    }
    if (time == Table.Times.MISSING) {
      return "no time";
    }
    if (!(amount >= 0 && amount < Double.POSITIVE_INFINITY)) {
      return "amount " + amount;
    }
    return isSide(side) ? null : "side " + side;
  }

  private static boolean isSide(@Nullable String text) {
    if (text == null) {
      return false;
    }
    return switch (text.strip()) {
      case "0", "1", "0.0", "1.0" -> true;
      default -> {
        try {
          Side.parse(text);
          yield true;
        } catch (IllegalArgumentException e) {
          yield false;
        }
      }
    };
  }
}
