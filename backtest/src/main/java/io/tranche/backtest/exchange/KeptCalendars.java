package io.tranche.backtest.exchange;

import io.tranche.market.Calendar;
import io.tranche.market.Frequency;
import java.time.LocalDate;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Keeps the calendars of a source, because every run asks for them.
final class KeptCalendars implements QuoteSource {

  private final QuoteSource source;
  private final Map<Frequency, Calendar> calendars = new ConcurrentHashMap<>();

  KeptCalendars(QuoteSource source) {
    this.source = source;
  }

  @Override
  public Calendar calendar() {
    return source.calendar();
  }

  @Override
  public Calendar calendar(Frequency frequency) {
    return calendars.computeIfAbsent(frequency, source::calendar);
  }

  @Override
  public QuoteSource keepingCalendars() {
    return this;
  }

  @Override
  public Quotes quotes(ExchangeConfig config, String instrument, LocalDate first, LocalDate last) {
    return source.quotes(config, instrument, first, last);
  }
}
