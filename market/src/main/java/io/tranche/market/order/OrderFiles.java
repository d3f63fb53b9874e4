package io.tranche.market.order;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.Table;
import io.tranche.market.TableFormat;
import io.tranche.market.TableStack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Order files of any [TableFormat], one file or a folder: Tranche's strict reader, Qlib's readers,
/// merging and writing.
///
/// A folder is read in the order of its file names.
public final class OrderFiles {

  private static final LocalTime DAY_END = LocalTime.of(23, 59, 59);

  private OrderFiles() {}

  /// Reads orders and refuses the files if one of them is wrong.
  ///
  /// Columns: `instrument`; `side`, `order_type` or `direction` (buy or sell, 1 or 0); `amount`,
  /// positive; `date` or `datetime`, the trading day; and optionally `start` and `end` (a time of
  /// day, or date and time), which default to those of the trading day. Times with an offset from
  /// UTC are converted to the exchange's zone.
  ///
  /// @throws DataException if a column is missing or a value is wrong: file, row, rule and value
  public static List<Order> read(Path path, TradingDays days) {
    return readNamed(path, days).stream().map(NamedOrder::order).toList();
  }

  /// Reads as [#read(Path, TradingDays)] does, for days that begin and end at these times.
  public static List<Order> read(Path path, LocalTime start, LocalTime end) {
    return read(path, TradingDays.between(start, end));
  }

  /// Reads orders as [#read] does, with their names: the column `id`, or else their number from 1.
  /// The date may be omitted if `start` and `end` contain it.
  ///
  /// @throws DataException as [#read], or if two have the same name
  public static List<NamedOrder> readNamed(Path path, LocalTime start, LocalTime end) {
    return readNamed(path, TradingDays.between(start, end));
  }

  /// Reads orders with their names, for days that each instrument has.
  public static List<NamedOrder> readNamed(Path path, TradingDays days) {
    return readRows(path, days).allGood();
  }

  /// Reads as [#readNamed] does, row by row: a wrong row does not affect the others.
  ///
  /// @throws DataException if a column is missing
  public static ReadOrders readRows(Path path, TradingDays days) {
    var rows = new Rows(days);
    for (Path file : files(path)) {
      rows.add(file.toString(), table(file));
    }
    return new ReadOrders(rows.orders, rows.faults);
  }

  /// Reads orders from a table as [#read] does from files.
  public static List<Order> orders(String file, Table table, LocalTime start, LocalTime end) {
    var rows = new Rows(TradingDays.between(start, end));
    rows.add(file, table);
    return new ReadOrders(rows.orders, rows.faults)
        .allGood().stream().map(NamedOrder::order).toList();
  }

  /// The orders of tables while they are read.
  private static final class Rows {

    private final TradingDays days;
    private final List<NamedOrder> orders = new ArrayList<>();
    private final List<DataException> faults = new ArrayList<>();
    private final Set<String> ids = new HashSet<>();

    Rows(TradingDays days) {
      this.days = days;
    }

    void add(String file, Table table) {
      var columns = new TableRows(file, table);
      String instrument = columns.only(List.of("instrument"));
      String side = columns.only(List.of("side", "order_type", "direction"));
      String amount = columns.only(List.of("amount"));
      boolean isTimed = columns.has("start") && columns.has("end");
      String date =
          isTimed && !columns.has("date") && !columns.has("datetime")
              ? "start"
              : columns.only(List.of("date", "datetime"));
      columns.requireNumbers(amount);
      for (int row = 0; row < table.rows(); row++) {
        try {
          Order order = order(columns, row, instrument, side, amount, date);
          int number = orders.size() + faults.size() + 1;
          String id = columns.has("id") ? columns.text("id", row) : Integer.toString(number);
          if (!ids.add(id)) {
            throw columns.bad(row, "an id of its own", id);
          }
          orders.add(new NamedOrder(id, order, columns.place(row)));
        } catch (DataException e) {
          faults.add(e);
        }
      }
    }

    private Order order(
        TableRows columns, int row, String instrument, String side, String amount, String date) {
      double number = columns.numberInTexts(amount, row);
      if (!(number > 0 && number < Double.POSITIVE_INFINITY)) {
        throw columns.bad(row, "a positive amount", number);
      }
      String code = columns.text(instrument, row);
      ZoneId zone = days.zone(code);
      LocalDateTime given = columns.time(date, row, zone);
      LocalDate on = date.equals("start") ? days.dateOf(code, given) : given.toLocalDate();
      TradingDays.Day day = days.day(code, on);
      LocalDateTime start = columns.has("start") ? start(columns, row, day, zone) : day.start();
      LocalDateTime end = columns.has("end") ? end(columns, row, day, start, zone) : day.end();
      return columns.order(row, code, side(columns, side, row), number, start, end, day.date());
    }
  }

  static Side side(TableRows columns, String name, int row) {
    if (columns.table().column(name) instanceof Table.Texts) {
      String text = columns.text(name, row);
      if (text.equals("0") || text.equals("1")) { // a wrong word elsewhere makes all cells texts
        return Side.ofCode(text.equals("1") ? 1 : 0);
      }
      try {
        return Side.parse(text);
      } catch (IllegalArgumentException e) {
        throw columns.bad(row, "buy or sell in " + name, text);
      }
    }
    double code = columns.number(name, row);
    if (code != 0 && code != 1) {
      throw columns.bad(row, "0 (sell) or 1 (buy) in " + name, code);
    }
    return Side.ofCode((int) code);
  }

  private static LocalDateTime start(
      TableRows columns, int row, TradingDays.Day day, @Nullable ZoneId zone) {
    LocalTime time = timeOfDay(columns, "start", row);
    return time == null ? columns.time("start", row, zone) : day.at(time);
  }

  private static LocalDateTime end(
      TableRows columns, int row, TradingDays.Day day, LocalDateTime start, @Nullable ZoneId zone) {
    LocalTime time = timeOfDay(columns, "end", row);
    return time == null ? columns.time("end", row, zone) : day.endAt(time, start);
  }

  /// Returns a time without a date; null if there is one with a date.
  private static @Nullable LocalTime timeOfDay(TableRows columns, String name, int row) {
    if (columns.table().column(name) instanceof Table.Texts texts) {
      String text = texts.value(row);
      if (text != null && text.strip().length() <= 8) {
        try {
          return LocalTime.parse(text.strip().replace("24:00", "00:00"));
        } catch (DateTimeException e) {
          throw columns.bad(row, "a time of day in " + name, text);
        }
      }
    }
    return null;
  }

  /// Qlib: `load_orders`. Rows without a positive amount are dropped, fractions of `order_type` are
  /// cut off, and the times of day replace those of the date.
  public static List<Order> loadOrders(Path path, LocalTime start, LocalTime end) {
    var orders = new ArrayList<Order>();
    for (Path file : files(path)) {
      orders.addAll(loadOrders(file.toString(), table(file), start, end));
    }
    return orders;
  }

  /// As [#loadOrders(Path, LocalTime, LocalTime)] with Qlib's default: the whole day.
  public static List<Order> loadOrders(Path path) {
    return loadOrders(path, LocalTime.MIN, DAY_END);
  }

  /// Reads orders from a table as [#loadOrders(Path, LocalTime, LocalTime)] does from files.
  public static List<Order> loadOrders(String file, Table table, LocalTime start, LocalTime end) {
    var columns = new TableRows(file, table);
    String instrument = columns.only(List.of("instrument"));
    String type = columns.only(List.of("order_type"));
    String amount = columns.only(List.of("amount"));
    String date = columns.only(List.of("datetime", "date"));
    var orders = new ArrayList<Order>();
    for (int row = 0; row < table.rows(); row++) {
      double number = columns.number(amount, row);
      if (number <= 0) {
        continue;
      }
      LocalDateTime day = columns.time(date, row);
      orders.add(
          columns.order(
              row,
              columns.text(instrument, row),
              columns.qlibSide(type, row),
              number,
              day.with(start),
              day.with(end)));
    }
    return orders;
  }

  /// Returns `named` or, if it is not there, the file or folder with the same name in another
  /// format: `test_orders.parquet` or the folder `test_orders` for `test_orders.pkl`.
  ///
  /// @throws DataException if there are several
  public static Path inPlaceOf(Path named) {
    Path folder = named.toAbsolutePath().getParent();
    Path last = named.getFileName();
    if (Files.exists(named) || last == null || folder == null || !Files.isDirectory(folder)) {
      return named;
    }
    String stem = last.toString().replaceFirst("(\\.pkl)?\\.\\w+$", "");
    try (Stream<Path> entries = Files.list(folder)) {
      List<Path> others =
          entries.filter(file -> isForm(stem, file)).map(named::resolveSibling).sorted().toList();
      if (others.size() > 1) {
        throw new DataException(named.toString(), "one order file of that name", others);
      }
      return others.isEmpty() ? named : named.resolveSibling(others.getFirst().getFileName());
    } catch (IOException e) {
      throw new DataException(folder.toString(), "a readable folder", e, e);
    }
  }

  private static boolean isForm(String stem, Path file) {
    String name = file.getFileName().toString();
    return Files.isDirectory(file)
        ? name.equals(stem)
        : name.startsWith(stem + ".")
            && name.substring(stem.length() + 1).matches("(pkl\\.)?\\w+")
            && TableFormat.installed().stream().anyMatch(format -> format.accepts(file));
  }

  /// Qlib: `read_order_file`. Where there is a column `date`, it becomes `datetime` and
  /// `order_type` becomes `direction`; `datetime` becomes text. The file has any format; of a
  /// folder, all files are read.
  public static Table readOrderFile(Path file) {
    return inQlibsColumns(file.toString(), Files.isDirectory(file) ? merge(file) : table(file));
  }

  /// As in Qlib, which takes only `.pkl` and `.csv`, for a table that was read elsewhere.
  public static Table readOrderFile(Path file, Function<Path, Table> tables) {
    String name = file.toString();
    if (!name.endsWith(".pkl") && !name.endsWith(".csv")) {
      throw new DataException(name, "an order file .pkl or .csv", "another one");
    }
    return inQlibsColumns(name, tables.apply(file));
  }

  private static Table inQlibsColumns(String name, Table table) {
    table.names().forEach(new TableRows(name, table)::requireLocal);
    boolean legacy = table.column("date") != null;
    var columns = new LinkedHashMap<String, Table.Column>();
    for (String old : table.names()) {
      String renamed =
          switch (old) {
            case "date" -> "datetime";
            case "order_type" -> legacy ? "direction" : old;
            default -> old;
          };
      Table.Column column = Objects.requireNonNull(table.column(old));
      if (columns.putIfAbsent(renamed, column) != null) {
        throw new DataException(name, "one column " + renamed, table.names());
      }
    }
    Table.Column times = columns.get("datetime");
    if (times == null) {
      throw new DataException(name, "a column datetime or date", table.names());
    }
    columns.put("datetime", asText(times));
    return Table.of(columns);
  }

  /// Turns a column into text as pandas does: times become dates if all of them are midnight.
  private static Table.Column asText(Table.Column column) {
    if (!(column instanceof Table.Times times)) {
      return column;
    }
    boolean midnight = true;
    for (int row = 0; row < times.size(); row++) {
      long time = times.value(row);
      midnight &= time == Table.Times.MISSING || BarTime.secondOfDay(time) == 0;
    }
    var texts = new String[times.size()];
    for (int row = 0; row < texts.length; row++) {
      long time = times.value(row);
      if (time == Table.Times.MISSING) {
        texts[row] = "NaT";
      } else {
        texts[row] = midnight ? BarTime.date(time).toString() : BarTime.format(time);
      }
    }
    return Table.Texts.of(texts);
  }

  /// Qlib: `merge_orders.py`. Returns the rows of all files of a folder, without `$close0`.
  ///
  /// @throws DataException if there are none or they do not have the same columns
  public static Table merge(Path folder) {
    List<Path> files = files(folder);
    if (files.isEmpty()) {
      throw new DataException(folder.toString(), "order files", "a folder without any");
    }
    var merged = new TableStack();
    for (Path file : files) {
      Table table = table(file);
      table.names().forEach(new TableRows(file.toString(), table)::requireLocal);
      merged.add(file.toString(), table, Set.of("$close0"));
    }
    return merged.table();
  }

  /// Returns orders as a table that [#read] reads: date, instrument, side, amount, start, end.
  public static Table table(List<Order> orders) {
    var columns = new LinkedHashMap<String, Table.Column>();
    columns.put("date", Table.Times.of(orders, order -> BarTime.of(order.date())));
    columns.put("instrument", Table.Texts.of(orders, Order::instrument));
    columns.put("side", Table.Texts.of(orders, each -> each.side() == Side.BUY ? "buy" : "sell"));
    columns.put("amount", Table.Numbers.of(orders, Order::amount));
    columns.put("start", Table.Times.of(orders, order -> BarTime.of(order.start())));
    columns.put("end", Table.Times.of(orders, order -> BarTime.of(order.end())));
    return Table.of(columns);
  }

  /// Writes a table of orders in the format given by the name of `target`.
  ///
  /// @throws DataException if that format cannot be written
  public static void write(Table table, Path target) throws IOException {
    try (TableFormat.Writer writer = TableFormat.of(target).create(target)) {
      writer.append(table);
      writer.commit();
    }
  }

  static Table table(Path file) {
    return TableFormat.of(file).read(file, List.of());
  }

  /// Returns a file itself, or the files of a folder except hidden ones, sorted by name.
  static List<Path> files(Path path) {
    if (Files.isRegularFile(path)) {
      return List.of(path);
    }
    if (!Files.exists(path)) {
      throw new DataException(path.toString(), "an order file or a folder of them", "none");
    }
    try (Stream<Path> files = Files.list(path)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> !file.getFileName().toString().startsWith("."))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new DataException(path.toString(), "an order file or a folder of them", e.getMessage());
    }
  }
}
