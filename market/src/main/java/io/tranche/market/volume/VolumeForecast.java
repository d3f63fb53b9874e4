package io.tranche.market.volume;

import io.tranche.market.BarTime;
import io.tranche.market.DayFrame;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The market's volume at each tick of one day of one instrument, forecast from the days before it
/// and what has traded so far. Fitted to that instrument's own days, by a ridge regression.
///
/// The usual share of each tick is the mean share of the earlier days, the newer ones weighing more
/// (half after ten days). The day is cut into 16 slices. How far the logarithm of a slice's volume
/// lies from the usual one is a linear function of
///
/// - how busy the day before was,
/// - how busy the day is so far,
/// - how the last sixteenth of a day differed from that, fading within one and within three slices,
/// - how the same slice differed on the day before.
///
/// It looks at nothing but earlier days and what is over, so a live day gets the same numbers. Days
/// are matched by time of day: the ticks of the forecast are those of the longest of the earlier
/// days, since nobody knows beforehand that a day will close early. A missing bar traded nothing.
/// Immutable.
public final class VolumeForecast {

  /// How many earlier days are looked at.
  public static final int DAYS = 30;

  private static final int SLICES = 16;
  private static final double DAY_KEPT = Math.pow(0.5, 0.1); // half after ten days
  private static final double[] FADES = {Math.pow(0.5, 1.0), Math.pow(0.5, 1 / 3.0)};
  private static final int TERMS = 4 + FADES.length;

  /// Of the ridge over [#DAYS] days; observations are counted in slices. With fewer days it is
  /// larger in proportion, because their regression says less than the usual shares do.
  private static final double PENALTY = 20;

  /// Logarithms beyond this are cut: a slice without trades says no more than one with few.
  private static final double MOST = 2;

  /// Days with fewer of the day's ticks say nothing of its shape.
  private static final double LEAST_TICKS = 0.8;

  private static final int FEWEST_DAYS = 3; // to fit the regression

  private final long[] offsets;
  private final double[] shares;
  private final double[] sharesBefore; // cumulated
  private final double usual; // volume of a day
  private final double yesterday;
  private final double[] yesterdaySlices;
  private final double[] weights;
  private final double smearing;

  private VolumeForecast(
      long[] offsets,
      double[] shares,
      double usual,
      double yesterday,
      double[] yesterdaySlices,
      double[] weights,
      double smearing) {
    this.offsets = offsets;
    this.shares = shares;
    this.sharesBefore = cumulated(shares);
    this.usual = usual;
    this.yesterday = yesterday;
    this.yesterdaySlices = yesterdaySlices;
    this.weights = weights;
    this.smearing = smearing;
  }

  /// Fits the forecast of a day.
  ///
  /// @param earlier the days before, oldest first; only the last [#DAYS] with volumes count
  /// @return a forecast that [#isKnown] only if one of these days has volumes
  public static VolumeForecast fit(List<DayFrame> earlier) {
    List<DayFrame> newest = earlier.subList(Math.max(0, earlier.size() - 2 * DAYS), earlier.size());
    long[] offsets = longest(newest);
    var days = new ArrayList<double[]>();
    for (int i = newest.size() - 1; i >= 0 && days.size() < DAYS; i--) {
      double[] volumes = volumes(newest.get(i), offsets);
      if (volumes.length > 0) {
        days.addFirst(volumes);
      }
    }
    double[] shares = shares(days, offsets.length);
    var history = new History(days, shares);
    int last = days.size() - 1;
    double[] weights = days.size() < FEWEST_DAYS ? new double[TERMS] : history.regression();
    return new VolumeForecast(
        offsets,
        shares,
        history.usualAfter(last),
        last < 0 ? 0 : history.level(last),
        last < 0 ? new double[SLICES] : history.slices(last),
        weights,
        history.smearing(weights));
  }

  /// Whether anything traded on the days before.
  public boolean isKnown() {
    return usual > 0;
  }

  public int ticks() {
    return shares.length;
  }

  /// Returns the tick of the forecast that a tick of a day belongs to.
  ///
  /// @param time of the tick, as [DayFrame#time] has it
  /// @param open time of the first tick of its day
  public int tick(long time, LocalDate date, long open) {
    int found = Arrays.binarySearch(offsets, offset(time, date, open));
    return found >= 0 ? found : Math.max(0, -found - 2); // the last that began before
  }

  /// Returns the volume that is expected between two ticks.
  ///
  /// @param seen how much traded at each tick that is over; 0 for a missing bar
  /// @param now how many ticks are over
  /// @param from not before `now`
  /// @param to exclusive
  public double between(double[] seen, int now, int from, int to) {
    double traded = 0;
    for (int tick = 0; tick < now; tick++) {
      traded += seen[tick];
    }
    double recent = 0;
    int start = Math.max(0, now - width());
    for (int tick = start; tick < now; tick++) {
      recent += seen[tick];
    }
    return between(traded, recent, now, from, to);
  }

  /// Returns the same, given sums.
  ///
  /// @param traded so far
  /// @param recent in the last [#width] ticks, or as many as there are
  public double between(double traded, double recent, int now, int from, int to) {
    if (from >= to || !isKnown()) {
      return 0;
    }
    double level = 0;
    double last = 0;
    if (now > 0) {
      level = difference(traded, sharesBefore[now]);
      int start = Math.max(0, now - width());
      last = difference(recent, sharesBefore[now] - sharesBefore[start]) - level;
    }
    double sum = 0;
    int tick = from;
    while (tick < to) { // the logarithm is the same in a slice of the day and of the way ahead
      int slice = slice(tick, shares.length);
      int end = Math.min(to, firstTick(slice + 1, shares.length));
      for (int part = tick; part < end; ) {
        double ahead = (double) (part - now) / width();
        int next = Math.min(end, now + (int) Math.ceil((Math.floor(ahead) + 1) * width()));
        double logarithm =
            predicted(
                weights,
                yesterday,
                level,
                last,
                Math.floor(ahead),
                yesterdaySlices[slice],
                now > 0);
        sum += (sharesBefore[next] - sharesBefore[part]) * Math.exp(logarithm);
        part = next;
      }
      tick = end;
    }
    return smearing * usual * sum;
  }

  /// Returns the volume between two ticks of a usual day.
  public double usual(int from, int to) {
    return smearing * usual * (sharesBefore[to] - sharesBefore[from]);
  }

  /// Returns how many ticks a slice has: what counts as recent.
  public int width() {
    return Math.max(1, shares.length / SLICES);
  }

  /// Returns how far a volume lies from the usual one, as a logarithm.
  private double difference(double volume, double share) {
    return share > 0 ? bounded(volume, usual * share) : 0;
  }

  private static double bounded(double volume, double expected) {
    return Math.clamp(Math.log(Math.max(volume, 1e-9 * expected) / expected), -MOST, MOST);
  }

  private static double predicted(
      double[] weights,
      double yesterday,
      double level,
      double last,
      double slicesAhead,
      double sameSlice,
      boolean hasBegun) {
    // The same as the terms of the regression, without an array: this is called for every bar.
    double sum =
        weights[hasBegun ? 1 : 0] * yesterday + weights[2] * level + weights[3] * sameSlice;
    for (int i = 0; i < FADES.length; i++) {
      sum += weights[4 + i] * last * Math.pow(FADES[i], slicesAhead);
    }
    return Math.clamp(sum, -MOST, MOST);
  }

  private static void terms(
      double[] terms,
      double yesterday,
      double level,
      double last,
      double slicesAhead,
      double sameSlice,
      boolean hasBegun) {
    terms[0] = hasBegun ? 0 : yesterday;
    terms[1] = hasBegun ? yesterday : 0;
    terms[2] = level;
    terms[3] = sameSlice;
    for (int i = 0; i < FADES.length; i++) {
      terms[4 + i] = last * Math.pow(FADES[i], slicesAhead);
    }
  }

  private static int slice(int tick, int ticks) {
    return (int) ((long) tick * SLICES / ticks);
  }

  private static int firstTick(int slice, int ticks) {
    return Math.toIntExact(Math.ceilDiv((long) slice * ticks, SLICES));
  }

  private static double[] cumulated(double[] values) {
    double[] sums = new double[values.length + 1];
    for (int i = 0; i < values.length; i++) {
      sums[i + 1] = sums[i] + values[i];
    }
    return sums;
  }

  /// Returns the ticks of the longest day, the newest of several, in seconds of the day.
  private static long[] longest(List<DayFrame> days) {
    long[] offsets = new long[0];
    for (int i = days.size() - 1; i >= 0; i--) {
      DayFrame day = days.get(i);
      if (day.ticks() > offsets.length && day.hasBars()) {
        offsets = new long[day.ticks()];
        for (int tick = 0; tick < offsets.length; tick++) {
          offsets[tick] = offset(day.time(tick), day.date(), day.time(0));
        }
      }
    }
    return offsets;
  }

  /// Returns the volume of a past day at each tick of the forecast; empty if it had too few bars or
  /// no volume.
  private static double[] volumes(DayFrame day, long[] offsets) {
    if (day.ticks() < LEAST_TICKS * offsets.length) {
      return new double[0];
    }
    int field = day.fieldIndex("volume");
    double[] volumes = new double[offsets.length];
    int bars = 0;
    int slot = 0;
    for (int tick = 0; tick < day.ticks(); tick++) {
      long at = offset(day.time(tick), day.date(), day.time(0));
      while (slot + 1 < offsets.length && offsets[slot + 1] <= at) {
        slot++;
      }
      float volume = day.value(field, tick);
      if (volume > 0) {
        volumes[slot] += volume;
        bars++;
      }
    }
    return bars > 0 && bars >= LEAST_TICKS / 2 * offsets.length ? volumes : new double[0];
  }

  /// Returns the seconds from midnight at the start of a trading day. A night session counts from
  /// the midnight after its evening, which is days before if there is a weekend between.
  private static long offset(long time, LocalDate date, long open) {
    long midnight = BarTime.of(date);
    return time < midnight ? time - BarTime.of(BarTime.date(open).plusDays(1)) : time - midnight;
  }

  private static double[] shares(List<double[]> days, int ticks) {
    double[] shares = new double[ticks];
    double weight = 1;
    double all = 0;
    for (int day = days.size() - 1; day >= 0; day--) {
      double total = Arrays.stream(days.get(day)).sum();
      for (int tick = 0; tick < ticks; tick++) {
        shares[tick] += weight * days.get(day)[tick] / total;
      }
      all += weight;
      weight *= DAY_KEPT;
    }
    for (int tick = 0; tick < ticks; tick++) {
      shares[tick] = all > 0 ? shares[tick] / all : 1.0 / ticks;
    }
    return shares;
  }

  /// The earlier days in units of what was usual before each of them.
  private static final class History {

    private final double[] logTotals;
    private final double[] usualLog; // before each day, and after the last
    private final double[][] volumes; // of each day's slices
    private final double[] shares; // of the slices

    History(List<double[]> days, double[] tickShares) {
      int count = days.size();
      this.logTotals = new double[count];
      this.usualLog = new double[count + 1];
      this.volumes = new double[count][SLICES];
      this.shares = new double[SLICES];
      int ticks = tickShares.length;
      for (int tick = 0; tick < ticks; tick++) {
        shares[slice(tick, ticks)] += tickShares[tick];
      }
      double mean = 0;
      for (int day = 0; day < count; day++) {
        double total = 0;
        for (int tick = 0; tick < ticks; tick++) {
          volumes[day][slice(tick, ticks)] += days.get(day)[tick];
          total += days.get(day)[tick];
        }
        logTotals[day] = Math.log(total);
        usualLog[day] = day == 0 ? logTotals[0] : mean;
        mean = day == 0 ? logTotals[0] : DAY_KEPT * mean + (1 - DAY_KEPT) * logTotals[day];
      }
      usualLog[count] = mean;
    }

    double usualAfter(int last) {
      return last < 0 ? 0 : Math.exp(usualLog[last + 1]);
    }

    /// How busy a day was, seen from the next.
    double level(int day) {
      return Math.clamp(logTotals[day] - usualLog[day + 1], -MOST, MOST);
    }

    /// How each slice of a day differed from the usual one, beyond the level of the day.
    double[] slices(int day) {
      double[] result = new double[SLICES];
      for (int slice = 0; slice < SLICES; slice++) {
        double expected = Math.exp(logTotals[day]) * shares[slice];
        result[slice] = shares[slice] > 0 ? bounded(volumes[day][slice], expected) : 0;
      }
      return result;
    }

    /// Receives each slice of each day from the second on, seen from the beginning of each slice of
    /// the same day before it.
    private interface Observer {

      /// @param weight all moments of a day count alike
      void see(double[] terms, double target, double weight);
    }

    private void observe(Observer observer) {
      double[] terms = new double[TERMS];
      for (int day = 1; day < logTotals.length; day++) {
        double usual = Math.exp(usualLog[day]);
        double yesterday = level(day - 1);
        double[] before = slices(day - 1);
        double traded = 0;
        double share = 0;
        for (int now = 0; now < SLICES; now++) {
          double level = now == 0 || share <= 0 ? 0 : bounded(traded, usual * share);
          double last =
              now == 0 || shares[now - 1] <= 0
                  ? 0
                  : bounded(volumes[day][now - 1], usual * shares[now - 1]) - level;
          for (int slice = now; slice < SLICES; slice++) {
            if (shares[slice] > 0) {
              terms(terms, yesterday, level, last, slice - now, before[slice], now > 0);
              double target = bounded(volumes[day][slice], usual * shares[slice]);
              observer.see(terms, target, shares[slice] * SLICES / (SLICES - now));
            }
          }
          traded += volumes[day][now];
          share += shares[now];
        }
      }
    }

    double[] regression() {
      double[][] matrix = new double[TERMS][TERMS];
      double[] right = new double[TERMS];
      observe(
          (terms, target, weight) -> {
            for (int i = 0; i < TERMS; i++) {
              right[i] += weight * terms[i] * target;
              for (int j = 0; j < TERMS; j++) {
                matrix[i][j] += weight * terms[i] * terms[j];
              }
            }
          });
      return Cholesky.solve(matrix, right, PENALTY * DAYS / logTotals.length);
    }

    /// Returns by how much volumes exceed what their mean logarithm says (Duan's smearing).
    double smearing(double[] weights) {
      double[] sums = new double[2];
      observe(
          (terms, target, weight) -> {
            double predicted = 0;
            for (int i = 0; i < TERMS; i++) {
              predicted += weights[i] * terms[i];
            }
            sums[0] += weight * Math.exp(target - predicted);
            sums[1] += weight;
          });
      return sums[1] > 0 ? Math.clamp(sums[0] / sums[1], 0.5, 2) : 1;
    }
  }
}
