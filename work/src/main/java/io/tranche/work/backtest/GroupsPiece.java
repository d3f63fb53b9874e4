package io.tranche.work.backtest;

import io.tranche.backtest.run.InstrumentRun;
import io.tranche.execution.OrderCodec;
import io.tranche.work.PieceCodec;
import io.tranche.work.backtest.BacktestOrders.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Function;

/// Some groups of one instrument's orders, which any process can run.
///
/// @param entries all orders of the instrument: both the grouping and the rounding of amounts
///   depend on all of them
/// @param orders how many are in the groups
record GroupsPiece(String instrument, List<Entry> entries, List<Integer> groups, int orders) {

  /// Number of pieces per worker. An instrument with more groups than fit into one piece is split.
  private static final int PIECES_EACH = 16;

  private static final int LEAST_ENTRY_BYTES = Integer.BYTES + Double.BYTES;

  GroupsPiece {
    entries = List.copyOf(entries);
    groups = List.copyOf(groups);
  }

  /// Cuts the work into pieces.
  ///
  /// @param isFinished whether a group of an instrument is finished already
  /// @param width how many pieces run at a time
  static List<GroupsPiece> of(
      List<InstrumentRun> runs,
      Function<String, List<Entry>> entries,
      BiPredicate<String, Integer> isFinished,
      int width) {
    int all = runs.stream().mapToInt(run -> run.groups().size()).sum();
    int most = Math.max(1, all / (PIECES_EACH * width));
    var pieces = new ArrayList<GroupsPiece>();
    for (InstrumentRun run : runs) {
      String instrument = run.instrument();
      var groups = new ArrayList<Integer>();
      int orders = 0;
      for (int group = 0; group < run.groups().size(); group++) {
        if (!isFinished.test(instrument, group)) {
          groups.add(group);
          orders += run.groups().get(group).size();
        }
        boolean isLast = group == run.groups().size() - 1;
        if (!groups.isEmpty() && (isLast || groups.size() == most)) {
          pieces.add(new GroupsPiece(instrument, entries.apply(instrument), groups, orders));
          groups.clear();
          orders = 0;
        }
      }
    }
    return pieces;
  }

  byte[] bytes() {
    return PieceCodec.write(
        out -> {
          PieceCodec.writeText(instrument, out);
          PieceCodec.writeNumber(orders, out);
          PieceCodec.writeNumber(groups.size(), out);
          for (int group : groups) {
            PieceCodec.writeNumber(group, out);
          }
          PieceCodec.writeNumber(entries.size(), out);
          for (Entry entry : entries) {
            PieceCodec.writeNumber(entry.row(), out);
            OrderCodec.write(entry.order(), out);
          }
        });
  }

  static GroupsPiece read(byte[] bytes) {
    return PieceCodec.read(
        "a piece of a backtest",
        bytes,
        in -> {
          String instrument = PieceCodec.readText(in);
          int orders = (int) PieceCodec.readNumber(in);
          var groups = new ArrayList<Integer>();
          for (int left = PieceCodec.readCount(in, 1); left > 0; left--) {
            groups.add((int) PieceCodec.readNumber(in));
          }
          var entries = new ArrayList<Entry>();
          for (int left = PieceCodec.readCount(in, LEAST_ENTRY_BYTES); left > 0; left--) {
            entries.add(new Entry((int) PieceCodec.readNumber(in), OrderCodec.read(in)));
          }
          return new GroupsPiece(instrument, entries, groups, orders);
        });
  }

  /// Encodes the results of the groups, in the order of the groups.
  static byte[] bytes(List<GroupResult> results) {
    return PieceCodec.write(
        out -> {
          for (GroupResult result : results) {
            result.write(out);
          }
        });
  }

  /// Reads the results of this piece by group.
  SortedMap<Integer, GroupResult> results(byte[] bytes) {
    return PieceCodec.read(
        "the results of groups of orders",
        bytes,
        in -> {
          var results = new TreeMap<Integer, GroupResult>();
          for (int group : groups) {
            results.put(group, GroupResult.read(in));
          }
          return results;
        });
  }
}
