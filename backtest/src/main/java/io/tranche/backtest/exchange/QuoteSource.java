package io.tranche.backtest.exchange;

import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.store.QlibStore;
import java.time.LocalDate;
import java.util.List;

/// Where backtests find quotes and calendars. Safe to use from several threads.
public interface QuoteSource {

  /// Returns the calendar of the quotes.
  Calendar calendar();

  /// Returns a calendar of steps of this `frequency`.
  ///
  /// @throws DataException if there is none
  Calendar calendar(Frequency frequency);

  /// Returns the quotes of `instrument` for an exchange with these rules, from the first day to the
  /// last, both included; without rows if there are none.
  ///
  /// @throws io.tranche.config.ConfigException if an expression is wrong
  /// @throws DataException if the data are damaged or do not allow an expression
  Quotes quotes(ExchangeConfig config, String instrument, LocalDate first, LocalDate last);

  /// Returns this source with its calendars cached.
  default QuoteSource keepingCalendars() {
    return new KeptCalendars(this);
  }

  /// Returns the quotes of bars in any form, whose prices and limits are fields. Step calendars
  /// follow the bars' own session.
  static QuoteSource of(BarSource bars) {
    return new BarQuotes(bars);
  }

  /// Returns the quotes of a store.
  static QuoteSource of(QlibStore store) {
    return new QuoteSource() {
      @Override
      public Calendar calendar() {
        return store.calendar();
      }

      @Override
      public Calendar calendar(Frequency frequency) {
        return store.calendar(frequency, true);
      }

      @Override
      public Quotes quotes(
          ExchangeConfig config, String instrument, LocalDate first, LocalDate last) {
        long start = BarTime.of(first);
        long end = BarTime.of(last.plusDays(1));
        return Quotes.of(
            config, store.query(List.copyOf(config.expressions()), start, end).rows(instrument));
      }
    };
  }
}
