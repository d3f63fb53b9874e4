package io.tranche.work.backtest;

import io.tranche.backtest.executor.StepIndicators.Line;
import io.tranche.backtest.run.InstrumentResult;
import io.tranche.backtest.run.InstrumentRun;
import io.tranche.backtest.run.ResultRow;
import io.tranche.market.BarTime;
import io.tranche.market.Order;
import io.tranche.work.PieceCodec;
import io.tranche.work.backtest.BacktestOrders.Entry;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The results of a group of orders.
///
/// @param failures rows of the order file, and why they failed
/// @param logs by name; empty ones are left out
record GroupResult(List<ResultRow> rows, List<Failure> failures, Map<String, String> logs) {

  /// @param row of the order file
  record Failure(int row, String reason) {
    Failure {
      reason = reason.replaceAll("\\s+", " ");
    }
  }

  private static final int ROW_BYTES = 12 * Double.BYTES;

  GroupResult {
    rows = List.copyOf(rows);
    failures = List.copyOf(failures);
    logs = Map.copyOf(logs);
  }

  /// Runs a group.
  ///
  /// @param entries all orders of the instrument
  static GroupResult of(InstrumentRun run, int group, List<Entry> entries, boolean logs) {
    var rows = new IdentityHashMap<Order, Integer>();
    entries.forEach(entry -> rows.put(entry.order(), entry.row()));
    InstrumentResult result = run.run(group);
    return new GroupResult(
        result.rows(),
        result.failures().stream()
            .map(failed -> new Failure(rows.getOrDefault(failed.order(), 0), failed.reason()))
            .toList(),
        logs ? LogFiles.texts(result, rows) : Map.of());
  }

  void write(DataOutputStream out) throws IOException {
    PieceCodec.writeNumber(rows.size(), out);
    for (ResultRow row : rows) {
      out.writeLong(BarTime.of(row.time()));
      Line line = row.line();
      PieceCodec.writeText(line.instrument(), out);
      out.writeDouble(line.innerAmount());
      out.writeDouble(line.filledAmount());
      out.writeDouble(line.tradePrice());
      out.writeDouble(line.tradeValue());
      out.writeDouble(line.tradeCost());
      out.writeDouble(line.tradeDirection());
      out.writeDouble(line.amount());
      out.writeDouble(line.fillRate());
      out.writeDouble(line.baseVolume());
      out.writeDouble(line.basePrice());
      out.writeDouble(line.advantage());
    }
    PieceCodec.writeNumber(failures.size(), out);
    for (Failure failure : failures) {
      PieceCodec.writeNumber(failure.row, out);
      PieceCodec.writeText(failure.reason, out);
    }
    PieceCodec.writeNumber(logs.size(), out);
    for (var log : new TreeMap<>(logs).entrySet()) {
      PieceCodec.writeText(log.getKey(), out);
      PieceCodec.writeText(log.getValue(), out);
    }
  }

  static GroupResult read(DataInputStream in) throws IOException {
    var rows = new ArrayList<ResultRow>();
    for (int left = PieceCodec.readCount(in, ROW_BYTES); left > 0; left--) {
      rows.add(row(in));
    }
    var failures = new ArrayList<Failure>();
    for (int left = PieceCodec.readCount(in, 2); left > 0; left--) {
      failures.add(new Failure((int) PieceCodec.readNumber(in), PieceCodec.readText(in)));
    }
    var logs = new TreeMap<String, String>();
    for (int left = PieceCodec.readCount(in, 2); left > 0; left--) {
      logs.put(PieceCodec.readText(in), PieceCodec.readText(in));
    }
    if (!LogFiles.NAMES.containsAll(logs.keySet())) {
      throw new StreamCorruptedException(
          "logs %s, not among %s".formatted(logs.keySet(), LogFiles.NAMES));
    }
    return new GroupResult(rows, failures, logs);
  }

  private static ResultRow row(DataInputStream in) throws IOException {
    try {
      return new ResultRow(
          BarTime.dateTime(in.readLong()),
          new Line(
              PieceCodec.readText(in),
              in.readDouble(),
              in.readDouble(),
              in.readDouble(),
              in.readDouble(),
              in.readDouble(),
              in.readDouble(),
              in.readDouble(),
              in.readDouble(),
              in.readDouble(),
              in.readDouble(),
              in.readDouble()));
    } catch (DateTimeException e) {
      throw new StreamCorruptedException(e.getMessage());
    }
  }
}
