package io.tranche.market.feature.provider;

import io.tranche.market.DayFrame;
import java.util.List;

/// The root mean square of the log returns of the last ticks, in basis points per return.
///
/// Returns go from one close to the next that there is, so a missing bar adds none and the return
/// over the gap counts at its end. NaN until the day's first return and when the window holds none.
///
/// @param window ticks to look back, this one included
public record RealisedVolatility(int window) implements StreamedProvider {

  public RealisedVolatility {
    if (window < 1) {
      throw new IllegalArgumentException("window must be positive, was " + window);
    }
  }

  /// Thirty ticks.
  public RealisedVolatility() {
    this(30);
  }

  @Override
  public String name() {
    return "realised_volatility";
  }

  @Override
  public List<String> columns() {
    return List.of("$volatility" + window);
  }

  @Override
  public List<String> fields() {
    return List.of("close");
  }

  @Override
  public FeatureStream stream(DayFrame day, List<DayFrame> earlier) {
    return new Returns(day, window);
  }

  private static final class Returns implements FeatureStream {

    private final DayFrame day;
    private final int window;
    private final int closes;
    private final double[] squares; // NaN where no return ends
    private double last = Double.NaN;

    Returns(DayFrame day, int window) {
      this.day = day;
      this.window = window;
      this.closes = day.fieldIndex("close");
      this.squares = new double[day.ticks()];
    }

    @Override
    public void next(int tick, float[] target, int at) {
      double close = day.value(closes, tick);
      squares[tick] = Double.NaN;
      if (close > 0) {
        double change = Math.log(close / last);
        squares[tick] = change * change;
        last = close;
      }
      // Summed again at each tick: a running sum would keep the rounding of old bars.
      double sum = 0;
      int count = 0;
      for (int i = Math.max(0, tick - window + 1); i <= tick; i++) {
        if (!Double.isNaN(squares[i])) {
          sum += squares[i];
          count++;
        }
      }
      target[at] = (float) (1e4 * Math.sqrt(sum / count));
    }
  }
}
