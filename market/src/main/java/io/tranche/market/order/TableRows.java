package io.tranche.market.order;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.Table;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A table of orders or bars, row by row, with errors that name file, row, rule and value.
///
/// @param file the name of the table in errors
record TableRows(String file, Table table) {

  private static final Pattern COMPACT =
      Pattern.compile("(19|20)\\d{6}|(19|20)\\d\\d/\\d\\d/\\d\\d");

  /// Returns the one of `names` that the table has.
  String only(List<String> names) {
    List<String> found = names.stream().filter(table.names()::contains).toList();
    if (found.size() != 1) {
      String expected = names.size() == 1 ? "a column " + names.getFirst() : "one of " + names;
      throw new DataException(file, expected, "the columns " + table.names());
    }
    return found.getFirst();
  }

  boolean has(String name) {
    return table.column(name) != null;
  }

  String text(String name, int row) {
    if (table.column(name) instanceof Table.Texts texts) {
      String text = texts.value(row);
      if (text != null && !text.isBlank()) {
        return text;
      }
    } else if (number(name, row) == (int) number(name, row)) {
      return Integer.toString((int) number(name, row)); // codes such as 600000 look like numbers
    }
    throw bad(row, "a text in " + name, null);
  }

  double number(String name, int row) {
    return switch (table.column(name)) {
      case Table.Numbers numbers -> numbers.value(row);
      case Table.Singles singles -> singles.value(row);
      case Table.Texts texts -> {
        for (int i = 0; i < texts.size(); i++) {
          numberInTexts(name, i); // names the cell that turned them all into texts
        }
        throw new DataException(file, "numbers in " + name, "texts");
      }
      case null, default -> throw new DataException(file, "numbers in " + name, "something else");
    };
  }

  /// Returns a number of a column that one bad cell may have turned into texts; only that cell is
  /// an error.
  double numberInTexts(String name, int row) {
    if (!(table.column(name) instanceof Table.Texts texts)) {
      return number(name, row);
    }
    String text = texts.value(row);
    try {
      if (text != null) {
        return Double.parseDouble(text);
      }
    } catch (NumberFormatException _) {
      // named below
    }
    throw bad(row, "a number in " + name, text);
  }

  /// @throws DataException if the column holds texts although each of them is a number
  void requireNumbers(String name) {
    if (table.column(name) instanceof Table.Texts texts) {
      for (int row = 0; row < texts.size(); row++) {
        try {
          numberInTexts(name, row);
        } catch (DataException _) {
          return; // this cell is the fault, and not the column
        }
      }
      throw new DataException(file, "numbers in " + name, "texts");
    }
  }

  /// Returns a time of a column without offsets.
  LocalDateTime time(String name, int row) {
    requireLocal(name);
    return time(name, row, null);
  }

  /// @param zone of the exchange's clock, to which times with an offset are converted; null if it
  ///   is not known
  LocalDateTime time(String name, int row, @Nullable ZoneId zone) {
    LocalDate compact = compactDate(name, row);
    if (compact != null) {
      return compact.atStartOfDay();
    }
    if (table.column(name) instanceof Table.Texts || table.column(name) instanceof Table.Times) {
      try {
        if (hasOffset(name, row)) {
          return BarTime.dateTime(BarTime.ofInstant(instant(name, row), exchange(name, zone)));
        }
        long time = table.time(name, row);
        if (time != Table.Times.MISSING) {
          return BarTime.dateTime(time);
        }
      } catch (DateTimeException e) {
        throw bad(row, "a date or time in " + name, e.getMessage());
      }
      throw bad(row, "a date or time in " + name, null);
    }
    throw new DataException(file, "dates or times in " + name, "something else");
  }

  /// Returns a date as pandas takes it too, `20230303` (a number to most readers) or `2023/03/03`;
  /// null for other cells.
  private @Nullable LocalDate compactDate(String name, int row) {
    String text =
        switch (table.column(name)) {
          case Table.Numbers numbers -> Long.toString((long) numbers.value(row));
          case Table.Texts texts -> texts.value(row);
          case null, default -> null;
        };
    if (text == null || !COMPACT.matcher(text.strip()).matches()) {
      return null;
    }
    try {
      return LocalDate.parse(text.strip().replace("/", ""), DateTimeFormatter.BASIC_ISO_DATE);
    } catch (DateTimeException e) {
      throw bad(row, "a date in " + name, text);
    }
  }

  private boolean hasOffset(String name, int row) {
    return switch (table.column(name)) {
      case Table.Times times -> times.areInstants() && times.value(row) != Table.Times.MISSING;
      case Table.Texts texts -> {
        String text = texts.value(row);
        yield text != null && BarTime.hasOffset(text.strip());
      }
      case null, default -> false;
    };
  }

  private long instant(String name, int row) {
    return table.column(name) instanceof Table.Texts texts
        ? BarTime.parseInstant(String.valueOf(texts.value(row)).strip())
        : table.time(name, row);
  }

  private ZoneId exchange(String name, @Nullable ZoneId zone) {
    if (zone == null) {
      throw new DataException(
          file,
          "times of the exchange in %s, or a session with a zone (data.session, --session) to"
                  .formatted(name)
              + " convert them",
          "times with an offset");
    }
    return zone;
  }

  /// @throws DataException if the column holds times with an offset
  void requireLocal(String name) {
    if (table.column(name) instanceof Table.Times times && times.areInstants()) {
      throw new DataException(
          file, "times of the exchange, without an offset, in " + name, "times with one");
    }
  }

  /// Qlib: `OrderDir(int(order_type))`, which cuts off fractions. Words are taken too.
  Side qlibSide(String name, int row) {
    if (table.column(name) instanceof Table.Texts) {
      return OrderFiles.side(this, name, row);
    }
    double number = number(name, row);
    if (number > -1 && number < 2) {
      return Side.ofCode((int) number);
    }
    throw bad(row, "0 (sell) or 1 (buy) in " + name, number);
  }

  /// Qlib: `Order.parse_dir`, where any number above 0 is a purchase and any other a sale.
  Side parsedSide(String name, int row) {
    return table.column(name) instanceof Table.Texts
        ? OrderFiles.side(this, name, row)
        : number(name, row) > 0 ? Side.BUY : Side.SELL;
  }

  /// Makes an order; if [Order] refuses it, the error names this row.
  Order order(
      int row,
      String instrument,
      Side side,
      double amount,
      LocalDateTime start,
      LocalDateTime end) {
    return order(row, instrument, side, amount, start, end, start.toLocalDate());
  }

  Order order(
      int row,
      String instrument,
      Side side,
      double amount,
      LocalDateTime start,
      LocalDateTime end,
      LocalDate date) {
    try {
      return new Order(instrument, side, amount, start, end, date);
    } catch (IllegalArgumentException e) {
      throw bad(row, "an order", e.getMessage());
    }
  }

  DataException bad(int row, String expected, @Nullable Object found) {
    return new DataException(place(row), expected, found);
  }

  String place(int row) {
    return "%s: row %d".formatted(file, row + 1);
  }
}
