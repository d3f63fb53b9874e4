package io.tranche.work.backtest;

import io.tranche.backtest.run.FailedOrder;
import io.tranche.backtest.run.InstrumentResult;
import io.tranche.backtest.run.InstrumentRun;
import io.tranche.market.Order;
import io.tranche.work.PieceCodec;
import io.tranche.work.backtest.BacktestOrders.Entry;
import io.tranche.work.backtest.PartFile.Failure;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The results of a group of orders.
///
/// @param logs by name; empty ones are left out
record GroupResult(PartFile part, Map<String, String> logs) {

  GroupResult {
    logs = Map.copyOf(logs);
  }

  /// Runs a group.
  ///
  /// @param entries all orders of the instrument
  static GroupResult of(InstrumentRun run, int group, List<Entry> entries, boolean logs) {
    var rows = new IdentityHashMap<Order, Integer>();
    entries.forEach(entry -> rows.put(entry.order(), entry.row()));
    InstrumentResult result = run.run(group);
    var failures = new ArrayList<Failure>();
    for (FailedOrder failed : result.failures()) {
      failures.add(new Failure(rows.getOrDefault(failed.order(), 0), failed.reason()));
    }
    return new GroupResult(
        new PartFile(result.rows(), failures), logs ? LogFiles.texts(result, rows) : Map.of());
  }

  void write(DataOutputStream out) throws IOException {
    PieceCodec.writeText(part.text(""), out);
    PieceCodec.writeNumber(logs.size(), out);
    for (var log : new TreeMap<>(logs).entrySet()) {
      PieceCodec.writeText(log.getKey(), out);
      PieceCodec.writeText(log.getValue(), out);
    }
  }

  static GroupResult read(DataInputStream in) throws IOException {
    PartFile part = PartFile.parse(PieceCodec.readText(in).lines().toList(), "");
    if (part == null) {
      throw new StreamCorruptedException("something else than rows and failures");
    }
    var logs = new TreeMap<String, String>();
    for (int left = PieceCodec.readCount(in, 2); left > 0; left--) {
      logs.put(PieceCodec.readText(in), PieceCodec.readText(in));
    }
    if (!LogFiles.NAMES.containsAll(logs.keySet())) {
      throw new StreamCorruptedException(
          "logs %s, not among %s".formatted(logs.keySet(), LogFiles.NAMES));
    }
    return new GroupResult(part, logs);
  }
}
