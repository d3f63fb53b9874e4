package io.tranche.market.synthetic;

import java.util.List;
import java.util.stream.Stream;

/// How much of the order book is stored with each bar.
///
/// Volumes are cumulative: `bidv3` is the volume of the three best bids. An empty side, such as the
/// asks at limit-up, has no price and a volume of 0.
public enum Book {
  NONE,
  /// The best bid and ask with their volumes.
  QUOTES,
  /// Also the volume of the 3, 5 and 10 best levels of each side.
  DEPTH;

  private static final List<String> BARS =
      Stream.concat(
              Stream.of("open", "high", "low", "close", "volume", "vwap", "factor", "change"),
              Stream.of("limit_buy", "limit_sell"))
          .toList();

  private static final List<String> BEST = List.of("bid", "ask", "bidv1", "askv1");

  private static final List<String> DEEPER =
      List.of("bidv3", "askv3", "bidv5", "askv5", "bidv10", "askv10");

  /// Returns all fields of a market with this book, those of plain bars first.
  List<String> fields() {
    return switch (this) {
      case NONE -> BARS;
      case QUOTES -> Stream.of(BARS, BEST).flatMap(List::stream).toList();
      case DEPTH -> Stream.of(BARS, BEST, DEEPER).flatMap(List::stream).toList();
    };
  }
}
