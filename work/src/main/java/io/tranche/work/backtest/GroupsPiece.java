package io.tranche.work.backtest;

import io.tranche.backtest.run.InstrumentRun;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.work.Packer;
import io.tranche.work.Unpacker;
import io.tranche.work.WorkException;
import io.tranche.work.backtest.BacktestOrders.Entry;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Function;

/// Some groups of one instrument's orders, to be worked in any process.
///
/// @param entries all orders of the instrument: which are grouped together, and how amounts are
///   rounded, depends on all
/// @param orders how many are in the groups
record GroupsPiece(String instrument, List<Entry> entries, List<Integer> groups, int orders) {

  /// How many pieces somebody who works gets; an instrument is cut when its groups are more than
  /// that leaves.
  private static final int PIECES_EACH = 16;

  private static final int LEAST_ENTRY_BYTES = 5 * Integer.BYTES;

  GroupsPiece {
    entries = List.copyOf(entries);
    groups = List.copyOf(groups);
  }

  /// Cuts the work into pieces.
  ///
  /// @param isFinished whether a group of an instrument is finished already
  /// @param width how many pieces are worked on at a time
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
    var packer = new Packer().put(instrument).put(orders).put(groups.size());
    groups.forEach(packer::put);
    packer.put(entries.size());
    for (Entry entry : entries) {
      Order order = entry.order();
      packer
          .put(entry.row())
          .put(order.side().code())
          .put(order.amount())
          .put(order.start().toString())
          .put(order.end().toString());
    }
    return packer.bytes();
  }

  static GroupsPiece read(byte[] bytes) {
    var packed = new Unpacker(bytes);
    String instrument = packed.nextText();
    int orders = packed.nextInt();
    var groups = new ArrayList<Integer>();
    for (int left = packed.nextCount(Integer.BYTES); left > 0; left--) {
      groups.add(packed.nextInt());
    }
    var entries = new ArrayList<Entry>();
    try {
      for (int left = packed.nextCount(LEAST_ENTRY_BYTES); left > 0; left--) {
        entries.add(
            new Entry(
                packed.nextInt(),
                order(instrument, Side.ofCode(packed.nextInt()), packed.nextDouble(), packed)));
      }
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new WorkException("a piece must be of orders: " + e.getMessage(), e);
    }
    packed.end();
    return new GroupsPiece(instrument, entries, groups, orders);
  }

  private static Order order(String instrument, Side side, double amount, Unpacker packed) {
    return new Order(
        instrument,
        side,
        amount,
        LocalDateTime.parse(packed.nextText()),
        LocalDateTime.parse(packed.nextText()));
  }

  /// Returns the answer that the results of the groups are, in their order.
  static byte[] answer(List<GroupResult> results) {
    var packer = new Packer().put(results.size());
    results.forEach(result -> result.pack(packer));
    return packer.bytes();
  }

  /// Reads an answer: results by group.
  SortedMap<Integer, GroupResult> results(byte[] answer) {
    var packed = new Unpacker(answer);
    int count = packed.nextCount(2 * Integer.BYTES);
    if (count != groups.size()) {
      throw new WorkException("%d groups must be answered, was %d".formatted(groups.size(), count));
    }
    var results = new TreeMap<Integer, GroupResult>();
    for (int group : groups) {
      results.put(group, GroupResult.unpack(packed));
    }
    packed.end();
    return results;
  }
}
