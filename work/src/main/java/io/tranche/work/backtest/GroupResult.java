package io.tranche.work.backtest;

import io.tranche.backtest.run.FailedOrder;
import io.tranche.backtest.run.InstrumentResult;
import io.tranche.backtest.run.InstrumentRun;
import io.tranche.market.Order;
import io.tranche.work.Packer;
import io.tranche.work.Unpacker;
import io.tranche.work.WorkException;
import io.tranche.work.backtest.BacktestOrders.Entry;
import io.tranche.work.backtest.PartFile.Failure;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What a group of orders gave.
///
/// @param logs by name; those without a line are left out
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

  void pack(Packer packer) {
    packer.put(part.text("")).put(logs.size());
    new TreeMap<>(logs).forEach((name, text) -> packer.put(name).put(text));
  }

  static GroupResult unpack(Unpacker packed) {
    PartFile part = PartFile.parse(packed.nextText().lines().toList(), "");
    if (part == null) {
      throw new WorkException("an answer must be the results of a group of orders");
    }
    var logs = new TreeMap<String, String>();
    for (int left = packed.nextCount(2 * Integer.BYTES); left > 0; left--) {
      logs.put(packed.nextText(), packed.nextText());
    }
    if (!LogFiles.NAMES.containsAll(logs.keySet())) {
      throw new WorkException(
          "logs must be among %s, was %s".formatted(LogFiles.NAMES, logs.keySet()));
    }
    return new GroupResult(part, logs);
  }
}
