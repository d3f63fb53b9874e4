package io.tranche.experiment.backtest;

import io.tranche.backtest.exchange.Deal;
import io.tranche.backtest.executor.StepIndicators;
import io.tranche.backtest.executor.StepIndicators.Line;
import io.tranche.backtest.run.InstrumentResult;
import io.tranche.backtest.run.ResultRow;
import io.tranche.env.log.CsvTable;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.PendingFile;
import io.tranche.market.Side;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The files that a backtest leaves, each written instrument by instrument.
final class ResultFiles {

  static final String RESULT = "backtest_result.csv";
  static final String FAILED = "failed_orders.csv";
  static final String FILLS = "fills.csv";
  static final String HISTORY = "history.csv";

  private ResultFiles() {}

  /// A file in the making.
  static final class Sheet implements AutoCloseable {

    private final Path target;
    private final PendingFile pending;
    private final BufferedWriter out;
    private boolean hasHeader;

    Sheet(Path target) {
      this.target = target;
      try {
        pending = PendingFile.beside(target);
        out = Files.newBufferedWriter(pending.path());
      } catch (IOException e) {
        throw DataException.unwritable(target, e);
      }
    }

    /// Appends records, all with the same keys.
    void append(List<Map<String, Object>> records) {
      if (!records.isEmpty()) {
        var text = new StringBuilder();
        try {
          CsvTable.write(records, text);
        } catch (IOException e) {
          throw new UncheckedIOException(e); // a StringBuilder has none
        }
        append(text.toString());
      }
    }

    /// Appends what another sheet has.
    void append(Path part) {
      try {
        if (Files.exists(part)) {
          append(Files.readString(part));
        }
      } catch (IOException e) {
        throw new DataException(part.toString(), "a file that can be read", e.getMessage());
      }
    }

    private void append(String table) {
      try {
        out.append(hasHeader ? table.substring(table.indexOf('\n') + 1) : table);
        hasHeader = true;
      } catch (IOException e) {
        throw DataException.unwritable(target, e);
      }
    }

    void commit() {
      try {
        out.close();
        pending.commit();
      } catch (IOException e) {
        throw DataException.unwritable(target, e);
      }
    }

    @Override
    public void close() {
      try {
        out.close();
        pending.close();
      } catch (IOException e) {
        throw DataException.unwritable(target, e);
      }
    }
  }

  /// Returns the columns of [#RESULT] as Qlib orders them: those of the base stand where the first
  /// row with one has them.
  static Set<String> columns(Iterable<ResultRow> rows) {
    var columns = new LinkedHashSet<String>();
    rows.forEach(row -> columns.addAll(row.record().keySet()));
    return columns;
  }

  static List<Map<String, Object>> records(List<ResultRow> rows, Set<String> columns) {
    var records = new ArrayList<Map<String, Object>>();
    for (ResultRow row : rows) {
      Map<String, Object> given = row.record();
      var record = new LinkedHashMap<String, Object>();
      columns.forEach(column -> record.put(column, given.getOrDefault(column, Double.NaN)));
      records.add(record);
    }
    return records;
  }

  /// Writes every fill and every step of every level.
  static void writeLogs(InstrumentResult result, Path folder) {
    try (var sheet = new Sheet(folder.resolve(FILLS))) {
      sheet.append(result.deals().stream().map(ResultFiles::fill).toList());
      sheet.commit();
    }
    try (var sheet = new Sheet(folder.resolve(HISTORY))) {
      var records = new ArrayList<Map<String, Object>>();
      for (Map<String, List<StepIndicators>> run : result.histories()) {
        run.forEach(
            (level, steps) ->
                steps.forEach(
                    step -> step.lines().forEach(line -> records.add(step(level, step, line)))));
      }
      sheet.append(records);
      sheet.commit();
    }
  }

  private static Map<String, Object> fill(Deal deal) {
    var record = new LinkedHashMap<String, Object>();
    record.put("instrument", deal.ticket().instrument());
    record.put("side", side(deal.ticket().side()));
    record.put("datetime", BarTime.format(deal.time()));
    record.put("amount", deal.ticket().amount());
    record.put("deal_amount", deal.amount());
    record.put("trade_price", deal.price());
    record.put("trade_value", deal.value());
    record.put("trade_cost", deal.cost());
    return record;
  }

  private static Map<String, Object> step(String level, StepIndicators step, Line line) {
    var record = new LinkedHashMap<String, Object>();
    record.put("level", level);
    record.put("instrument", line.instrument());
    record.put("datetime", BarTime.format(step.time()));
    record.put("inner_amount", line.innerAmount());
    record.put("deal_amount", line.dealAmount());
    record.put("trade_price", line.tradePrice());
    record.put("trade_value", line.tradeValue());
    record.put("trade_cost", line.tradeCost());
    record.put("amount", line.amount());
    record.put("ffr", line.fillRate());
    record.put("base_volume", line.baseVolume());
    record.put("base_price", line.basePrice());
    record.put("pa", line.advantage() * 10_000);
    return record;
  }

  static String side(Side side) {
    return side == Side.BUY ? "buy" : "sell";
  }
}
