package io.tranche.cluster;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.not;

import io.tranche.config.ConfigException;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.table.BarWidths;
import io.tranche.market.table.ColumnMapping;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;

/// Bars of a table that Spark reads, however it is partitioned. The cluster sorts it once by
/// instrument and time and keeps the result on its disks, so instruments are best read in the order
/// of [#instruments]; going back begins again with the first.
final class SparkBars implements BarSource {

  /// How the name of a table of Spark's catalog begins, and the address of an Iceberg table;
  /// everything else is a folder of Parquet.
  private static final String NAMED = "table:";

  private static final String ICEBERG = "iceberg:";

  private static final String INSTRUMENT = "tranche_instrument";
  private static final String TIME = "tranche_time";

  private final String table;
  private final Calendar calendar;
  private final List<String> instruments;
  private final List<String> fields;
  private final boolean instants;
  private final Dataset<Row> sorted;
  private Iterator<Row> rows;
  private @Nullable Row next;

  private SparkBars(String table, Dataset<Row> all, ColumnMapping mapping) {
    this.table = table;
    List<String> names = List.of(all.columns());
    String instrument = mapping.instrumentIn(names);
    String time = mapping.timeIn(names);
    if (instrument == null || time == null) {
      throw new DataException(table, "columns of instruments and of times", names);
    }
    Map<String, String> named = fields(table, all, mapping, List.of(instrument, time));
    var columns = new ArrayList<Column>();
    columns.add(col(instrument).cast(DataTypes.StringType).as(INSTRUMENT));
    columns.add(col(time).cast(DataTypes.TimestampType).cast(DataTypes.LongType).as(TIME));
    instants = hasInstants(table, all, time);
    named.forEach((_, name) -> columns.add(col(name).cast(DataTypes.FloatType)));
    Dataset<Row> bars = all.select(columns.toArray(Column[]::new));
    long[] times =
        bars.select(TIME).distinct().orderBy(TIME).collectAsList().stream()
            .mapToLong(row -> number(table, row, 0))
            .toArray();
    instruments =
        bars.select(INSTRUMENT).distinct().orderBy(INSTRUMENT).collectAsList().stream()
            .map(row -> text(table, row))
            .toList();
    calendar =
        Calendar.of(
            frequency(table, mapping, times), times, instants ? null : mapping.rawSession());
    fields = List.copyOf(named.keySet());
    sorted = bars.orderBy(INSTRUMENT, TIME).persist(StorageLevel.DISK_ONLY());
    rows = sorted.toLocalIterator();
    next = rows.hasNext() ? rows.next() : null;
  }

  /// Whether times have a zone or an offset, as the readers of files have it.
  private static boolean hasInstants(String table, Dataset<Row> all, String time) {
    DataType type = all.schema().apply(time).dataType();
    if (!type.equals(DataTypes.StringType)) {
      return type.equals(DataTypes.TimestampType);
    }
    Dataset<Row> texts = all.filter(col(time).isNotNull());
    Column offset = col(time).rlike("^.{16,}(Z|[+-]\\d\\d(:?\\d\\d)?)\\s*$");
    boolean has = !texts.filter(offset).isEmpty();
    if (has && !texts.filter(not(offset)).isEmpty()) {
      throw new DataException(
          table,
          "times that all have an offset such as +08:00 or Z, or none of them",
          "some of each in " + time);
    }
    return has;
  }

  /// @throws ConfigException if the table's connector is of another version of Spark
  /// @throws DataException if there is no such table, or it has no bars
  static SparkBars open(SparkContext spark, String table, ColumnMapping mapping) {
    SparkSession session =
        SparkSession.builder()
            .sparkContext(spark)
            // Times without a zone are exchange-local and stay as they are.
            .config("spark.sql.session.timeZone", "UTC")
            .config(IcebergTable.BY_ID, table.startsWith(ICEBERG))
            .getOrCreate();
    try {
      return new SparkBars(table, rows(session, table), mapping);
    } catch (DataException e) {
      throw e;
    } catch (LinkageError e) {
      throw new ConfigException(
          table,
          "a connector made for Spark %s".formatted(SparkSettings.version()),
          "one of another version (%s)".formatted(SparkFailures.inOneLine(e)));
    } catch (Exception e) { // Spark's are checked and not declared
      throw new DataException(table, "a table that Spark can read", SparkFailures.withReason(e), e);
    }
  }

  private static Dataset<Row> rows(SparkSession session, String table) {
    if (table.startsWith(NAMED)) {
      return session.table(table.substring(NAMED.length()));
    }
    return table.startsWith(ICEBERG)
        ? IcebergTable.read(session, table.substring(ICEBERG.length()))
        : session.read().parquet(table);
  }

  /// Returns the columns by the fields that they are: those asked for, or else all numbers.
  private static Map<String, String> fields(
      String table, Dataset<Row> all, ColumnMapping mapping, List<String> roles) {
    var fields = new LinkedHashMap<String, String>();
    for (StructField column : all.schema().fields()) {
      String name = column.name();
      boolean isWanted =
          mapping.columns().isEmpty()
              ? column.dataType() instanceof NumericType
              : mapping.columns().contains(name);
      if (isWanted && !roles.contains(name) && fields.put(mapping.field(name), name) != null) {
        throw new DataException(table, "columns that become different fields", name + " twice");
      }
    }
    if (fields.isEmpty()) {
      throw new DataException(table, "a column of numbers", List.of(all.columns()));
    }
    return fields;
  }

  private static Frequency frequency(String table, ColumnMapping mapping, long[] times) {
    var widths = new BarWidths();
    widths.add(times, times.length, 1);
    Frequency frequency = mapping.frequency() == null ? widths.mostCommon() : mapping.frequency();
    if (frequency == null) {
      throw new DataException(table, "two bars or more, or --frequency", times.length);
    }
    return frequency;
  }

  private static String text(String table, Row row) {
    if (row.isNullAt(0)) {
      throw new DataException(table, "an instrument in each row", "none");
    }
    return row.getString(0);
  }

  private static long number(String table, Row row, int column) {
    if (row.isNullAt(column)) {
      throw new DataException(table, "a time in each row", "none");
    }
    return row.getLong(column);
  }

  @Override
  public Calendar calendar() {
    return calendar;
  }

  @Override
  public boolean hasInstants() {
    return instants;
  }

  @Override
  public boolean isSequential() {
    return true;
  }

  @Override
  public List<String> instruments() {
    return instruments;
  }

  @Override
  public List<String> fields() {
    return fields;
  }

  @Override
  public synchronized BarSeries series(String instrument) {
    Row head = first(instrument);
    int firstDay = calendar.dayOfBar(calendar.indexOf(number(table, head, 1)));
    int first = calendar.dayStart(firstDay);
    float[][] columns = new float[fields.size()][calendar.size() - first];
    for (float[] column : columns) {
      Arrays.fill(column, Float.NaN);
    }
    int bar = -1;
    for (@Nullable Row row = head;
        row != null && text(table, row).equals(instrument);
        row = advance()) {
      int at = calendar.indexOf(number(table, row, 1));
      if (at == bar) {
        throw new DataException(
            "%s, %s".formatted(table, instrument),
            "one bar at " + BarTime.format(calendar.time(at)),
            "two");
      }
      bar = at;
      for (int field = 0; field < columns.length; field++) {
        if (!row.isNullAt(field + 2)) {
          columns[field][bar - first] = row.getFloat(field + 2);
        }
      }
    }
    int end = calendar.dayEnd(calendar.dayOfBar(bar)) - first;
    for (int field = 0; field < columns.length; field++) {
      columns[field] = Arrays.copyOf(columns[field], end);
    }
    return BarSeries.wrap(instrument, calendar, firstDay, fields, columns);
  }

  /// Returns the first row of `instrument`.
  private Row first(String instrument) {
    int wanted = instruments.indexOf(instrument);
    if (wanted < 0) {
      throw new DataException(
          "instrument", "one of the %d instruments".formatted(instruments.size()), instrument);
    }
    Row row = next;
    if (row == null || instruments.indexOf(text(table, row)) > wanted) {
      rows = sorted.toLocalIterator();
      row = advance();
    }
    while (row != null && !text(table, row).equals(instrument)) {
      row = advance();
    }
    return Objects.requireNonNull(row, "the rows of a known instrument");
  }

  @Override
  public void close() {
    sorted.unpersist();
  }

  private @Nullable Row advance() {
    next = rows.hasNext() ? rows.next() : null;
    return next;
  }
}
