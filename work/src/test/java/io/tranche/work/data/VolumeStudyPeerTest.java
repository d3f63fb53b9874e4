package io.tranche.work.data;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.market.BarSeries;
import io.tranche.market.DayFrame;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.market.volume.VolumeForecast;
import io.tranche.testkit.Python;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The study's figures against NumPy's, from the volumes and prices of the bars. Of our own it gets
/// nothing but what the learnt curve expects of each slice and of the rest of its day.
class VolumeStudyPeerTest {

  private static final String PROGRAM =
      """
      import sys
      import numpy as np

      days = {}
      for line in open(sys.argv[1]):
          instrument, *columns = line.split(";")
          days.setdefault(instrument, []).append([np.array(x.split(), dtype=float) for x in columns])

      def distance(shares, price, vwap):
          shares = np.where(np.isnan(price), 0, np.r_[np.minimum(1, shares)[:-1], 1])
          fills = shares * np.r_[1, np.cumprod(1 - shares)[:-1]]
          paid = np.nansum(fills * price) + (1 - fills.sum()) * price[~np.isnan(price)][-1]
          return 1e4 * (paid - vwap) / vwap

      traded, expected, apart = [], ([], []), ([], [])
      for own in days.values():
          for i in range(3, len(own)):
              volume, price, following, rest = own[i]
              mean = np.mean([day[0] for day in own[max(0, i - 10):i]], axis=0)
              part = np.minimum(15, np.arange(len(volume)) * 16 // len(volume))
              of_slice = lambda x: np.bincount(part, weights=x, minlength=16)
              with np.errstate(invalid="ignore"):
                  prices = of_slice(volume * price) / of_slice(volume)
              static = of_slice(mean)
              curves = (static, static / np.cumsum(static[::-1])[::-1]), (following, following / rest)
              traded.append(of_slice(volume) / mean.sum())
              for which, (forecast, shares) in enumerate(curves):
                  expected[which].append(forecast / mean.sum())
                  apart[which].append(distance(shares, prices, np.average(price, weights=volume)))
      traded = np.concatenate(traded)
      for which in (0, 1):
          missed = traded - np.concatenate(expected[which])
          print(1 - (missed @ missed) / (traded.var() * len(traded)))
          print(np.linalg.norm(apart[which]) / np.sqrt(len(apart[which])))
      print(np.mean(np.abs(apart[0]) - np.abs(apart[1])))
      """;

  private static final int SLICES = 16;

  @TempDir private Path folder;

  @Test
  void agreesWithNumpy() throws IOException, InterruptedException {
    Path python = Python.withOrSkip("scipy", "statsmodels");
    var market = new SyntheticMarket(SyntheticConfig.DEFAULT.withSize(3, 25));
    var lines = new ArrayList<String>();
    for (String instrument : market.instruments()) {
      lines.addAll(lines(market.series(instrument)));
    }
    Path file = Files.write(folder.resolve("days.txt"), lines, UTF_8);

    String answer = Python.run(python, PROGRAM, file.toString());

    double[] peer = answer.strip().lines().mapToDouble(Double::parseDouble).toArray();
    VolumeStudy.Result ours = VolumeStudy.of(market, 1);
    assertThat(ours.average().rSquared()).isCloseTo(peer[0], within(1e-9));
    assertThat(ours.average().trackingBps()).isCloseTo(peer[1], within(1e-6));
    assertThat(ours.learned().rSquared()).isCloseTo(peer[2], within(1e-9));
    assertThat(ours.learned().trackingBps()).isCloseTo(peer[3], within(1e-6));
    assertThat(ours.saved().meanBps()).isCloseTo(peer[4], within(1e-6));
  }

  /// Returns one line per day that has bars: volumes, prices and what is expected.
  private static List<String> lines(BarSeries series) {
    var lines = new ArrayList<String>();
    var earlier = new ArrayList<DayFrame>();
    for (int day = series.firstDay(); day < series.endDay(); day++) {
      DayFrame frame = series.day(day);
      if (frame == null || !frame.hasBars()) {
        continue;
      }
      double[] volumes = column(frame, "volume");
      double[] following = new double[SLICES];
      double[] rest = new double[SLICES];
      VolumeForecast forecast = VolumeForecast.fit(earlier);
      for (int slice = 0; forecast.isKnown() && slice < SLICES; slice++) {
        int start = Math.ceilDiv(slice * volumes.length, SLICES);
        int end = Math.ceilDiv((slice + 1) * volumes.length, SLICES);
        following[slice] = forecast.between(volumes, start, start, end);
        rest[slice] = forecast.between(volumes, start, start, volumes.length);
      }
      lines.add(
          String.join(
              ";",
              frame.instrument(),
              text(volumes),
              text(column(frame, series.fields().contains("vwap") ? "vwap" : "close")),
              text(following),
              text(rest)));
      earlier.add(frame);
    }
    return lines;
  }

  /// Returns a column with 0 for what is missing.
  private static double[] column(DayFrame frame, String field) {
    double[] column = new double[frame.ticks()];
    int index = frame.fieldIndex(field);
    Arrays.setAll(column, tick -> Math.max(0, frame.value(index, tick)));
    Arrays.setAll(column, tick -> Double.isNaN(column[tick]) ? 0 : column[tick]);
    return column;
  }

  private static String text(double[] numbers) {
    return Arrays.stream(numbers).mapToObj(String::valueOf).collect(Collectors.joining(" "));
  }
}
