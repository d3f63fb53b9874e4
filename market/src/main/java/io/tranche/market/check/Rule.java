package io.tranche.market.check;

/// The rules of sound data.
public enum Rule {
  UNREADABLE(Severity.ERROR, "a readable file"),
  NO_BARS(Severity.ERROR, "at least one bar"),
  WRONG_COLUMN(Severity.ERROR, "the columns and types of bars or orders"),
  UNPARSABLE_CELL(Severity.ERROR, "a number, a time or text in UTF-8"),
  WRONG_RECORD(Severity.ERROR, "as many cells as the header has"),
  NO_INSTRUMENT_OR_TIME(Severity.ERROR, "an instrument and a time in each row"),
  NON_MONOTONE_TIME(Severity.ERROR, "times that increase"),
  DUPLICATE_BAR(Severity.ERROR, "one bar per time"),
  MIXED_BAR_WIDTHS(Severity.ERROR, "one bar width"),
  NEGATIVE_PRICE(Severity.ERROR, "no price below zero"),
  ZERO_PRICE(Severity.ERROR, "no price of zero"),
  NEGATIVE_VOLUME(Severity.ERROR, "no volume below zero"),
  HIGH_BELOW_LOW(Severity.ERROR, "high not below low"),
  OPEN_OUTSIDE_RANGE(Severity.ERROR, "open within low and high"),
  CLOSE_OUTSIDE_RANGE(Severity.ERROR, "close within low and high"),
  INFINITE_VALUE(Severity.ERROR, "finite values"),
  NAN_RUN(Severity.ERROR, "no long run of bars without a price or volume"),
  BIN_HEADER(Severity.ERROR, "a first index within the calendar"),
  TRUNCATED_FILE(Severity.ERROR, "whole numbers of four bytes"),
  BIN_TOO_LONG(Severity.ERROR, "no more values than the calendar has bars"),
  CALENDAR(Severity.ERROR, "a calendar of increasing times"),
  INSTRUMENT_LINE(Severity.ERROR, "code, start and end, separated by tabs"),
  BAD_ORDER(Severity.ERROR, "an instrument, a time, a side and a finite amount"),
  WRONG_CLOCK(Severity.ERROR, "times on the clock of the session"),
  ZONED_TIMES(Severity.WARNING, "times of the exchange, or --session to convert those of UTC"),
  OUTSIDE_SESSION(Severity.WARNING, "bars within the session"),
  END_LABELS(Severity.WARNING, "bars labelled by their start, or --label end"),
  FOREIGN_CLOCK(Severity.WARNING, "the trading hours of an exchange on its own clock"),
  VOLUME_PEAK(Severity.WARNING, "most volume near an open or a close"),
  PRICE_JUMP(Severity.WARNING, "no price jump between days, or a field factor that explains it"),
  PARTLY_MISSING_BAR(Severity.WARNING, "a value in each field of a bar"),
  MISSING_BARS(Severity.WARNING, "no long run of missing bars within a day"),
  EMPTY_DAY(Severity.WARNING, "bars on each day on which most instruments trade"),
  TRADE_WITHOUT_VOLUME(Severity.WARNING, "volume where the price moves"),
  INSTRUMENT_WITHOUT_BARS(Severity.WARNING, "bars for each instrument"),
  ORDER_WITHOUT_AMOUNT(Severity.WARNING, "an amount above zero");

  /// Whether data that break a rule may still be used.
  public enum Severity {
    ERROR,
    WARNING
  }

  private final Severity severity;
  private final String text;

  Rule(Severity severity, String text) {
    this.severity = severity;
    this.text = text;
  }

  public Severity severity() {
    return severity;
  }

  /// Returns the rule in words: what is expected.
  public String text() {
    return text;
  }
}
