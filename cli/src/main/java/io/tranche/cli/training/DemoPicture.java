package io.tranche.cli.training;

import io.tranche.cli.console.Text;
import io.tranche.market.BarSeries;
import io.tranche.market.BarTime;
import io.tranche.market.DayFrame;
import io.tranche.market.Side;
import io.tranche.market.synthetic.Benchmarks;
import io.tranche.market.synthetic.Opportunity;
import io.tranche.market.synthetic.Schedule;
import io.tranche.market.synthetic.Split;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.market.synthetic.VisibleOptimum;

/// One test day of the embedded market as SVG: price, volume, and what is left of a sale under TWAP
/// and under the visible-information optimum.
final class DemoPicture {

  private static final int WIDTH = 880;
  private static final int LEFT = 60;
  private static final int RIGHT = 860;
  private static final int PRICE_TOP = 60;
  private static final int PRICE_BOTTOM = 230;
  private static final int VOLUME_TOP = 250;
  private static final int VOLUME_BOTTOM = 310;
  private static final int LEFT_TOP = 340;
  private static final int LEFT_BOTTOM = 440;
  private static final int HEIGHT = 480;

  private final StringBuilder svg = new StringBuilder();
  private final DayFrame day;

  private DemoPicture(DayFrame day) {
    this.day = day;
  }

  /// Draws the first instrument's first tradable test day on which the optimum wins what it usually
  /// does or more.
  static String of(SyntheticMarket market, Benchmarks benchmarks) {
    Schedule schedule = benchmarks.schedule();
    BarSeries series = market.series(market.instruments().getFirst());
    VisibleOptimum.Policy policy = benchmarks.optimum().policy(series);
    Opportunity chosen = null;
    for (Opportunity opportunity : benchmarks.opportunities(series)) {
      if (opportunity.split() == Split.TEST && opportunity.side() == Side.SELL) {
        chosen = opportunity;
        if (opportunity.optimumBps() >= opportunity.expectedBps()) {
          break;
        }
      }
    }
    DayFrame day = chosen == null ? null : series.day(chosen.date());
    if (chosen == null || day == null) {
      return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"/>\n";
    }
    return new DemoPicture(day).draw(chosen, schedule, policy);
  }

  private String draw(Opportunity order, Schedule schedule, VisibleOptimum.Policy policy) {
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">
        <style>
          text { fill: #444 } .title { font-size: 14px; font-weight: bold }
          .price { stroke: #1f6feb; fill: none; stroke-width: 1.5 } .bar { fill: #9db7d5 }
          .twap { stroke: #999; fill: none; stroke-dasharray: 5 4; stroke-width: 1.5 }
          .optimum { stroke: #d1481f; fill: none; stroke-width: 2 } .grid { stroke: #ddd }
        </style>
        <rect width="%d" height="%d" fill="#fff"/>
        """
            .formatted(WIDTH, HEIGHT, WIDTH, HEIGHT));
    text(
        LEFT,
        26,
        "title",
        "Selling %s on %s: the best policy on past bars beats TWAP by %.1f bps"
            .formatted(order.instrument(), order.date(), order.optimumBps()));
    prices();
    volumes();
    remaining(schedule, policy);
    times(schedule);
    return svg.append("</svg>\n").toString();
  }

  private void prices() {
    int close = day.fieldIndex("close");
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (int tick = 0; tick < day.ticks(); tick++) {
      if (!day.isMissing(tick)) {
        low = Math.min(low, day.value(close, tick));
        high = Math.max(high, day.value(close, tick));
      }
    }
    double span = Math.max(high - low, 1e-9);
    var points = new StringBuilder();
    for (int tick = 0; tick < day.ticks(); tick++) {
      if (!day.isMissing(tick)) {
        double share = (day.value(close, tick) - low) / span;
        point(points, x(tick + 0.5), PRICE_BOTTOM - share * (PRICE_BOTTOM - PRICE_TOP));
      }
    }
    line("price", points);
    text(8, PRICE_TOP + 4, "", "%.2f".formatted(high));
    text(8, PRICE_BOTTOM, "", "%.2f".formatted(low));
    text(LEFT, PRICE_TOP - 8, "", "price");
  }

  private void volumes() {
    int volume = day.fieldIndex("volume");
    double most = 1;
    for (int tick = 0; tick < day.ticks(); tick++) {
      most = Math.max(most, day.isMissing(tick) ? 0 : day.value(volume, tick));
    }
    for (int tick = 0; tick < day.ticks(); tick++) {
      if (!day.isMissing(tick)) {
        double height = day.value(volume, tick) / most * (VOLUME_BOTTOM - VOLUME_TOP);
        svg.append(
            Text.of(
                "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>%n",
                x(tick + 0.1), VOLUME_BOTTOM - height, x(tick + 0.9) - x(tick + 0.1), height));
      }
    }
    text(LEFT, VOLUME_TOP - 4, "", "volume");
  }

  private void remaining(Schedule schedule, VisibleOptimum.Policy policy) {
    var optimum = new StringBuilder();
    double left = 1;
    point(optimum, x(schedule.from()), level(left));
    for (int step = 0; step < schedule.steps(); step++) {
      double share = left > 0 ? Math.min(left, policy.share(day, Side.SELL, step)) : 0;
      left = step == schedule.steps() - 1 ? 0 : left - share;
      point(optimum, x(schedule.end(step)), level(left));
    }
    var twap = new StringBuilder();
    point(twap, x(schedule.from()), level(1));
    point(twap, x(schedule.to()), level(0));
    line("twap", twap);
    line("optimum", optimum);
    text(LEFT, LEFT_TOP - 12, "", "left to sell: TWAP dashed, the optimum solid");
    text(20, LEFT_TOP + 4, "", "100 %");
    text(30, LEFT_BOTTOM, "", "0 %");
  }

  private void times(Schedule schedule) {
    for (int step = 0; step < schedule.steps(); step++) {
      double at = x(schedule.start(step));
      svg.append(
          Text.of(
              "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>%n",
              at, PRICE_TOP, at, LEFT_BOTTOM));
      String time = BarTime.format(day.time(schedule.start(step))).substring(11, 16);
      text((int) at, LEFT_BOTTOM + 20, "", time);
    }
  }

  private double x(double tick) {
    return LEFT + tick / day.ticks() * (RIGHT - LEFT);
  }

  private static double level(double left) {
    return LEFT_BOTTOM - left * (LEFT_BOTTOM - LEFT_TOP);
  }

  private static void point(StringBuilder points, double x, double y) {
    points.append(Text.of("%.1f,%.1f ", x, y));
  }

  private void line(String kind, StringBuilder points) {
    svg.append(
        Text.of("<polyline class=\"%s\" points=\"%s\"/>%n", kind, points.toString().strip()));
  }

  private void text(int x, int y, String kind, String text) {
    svg.append(Text.of("<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>%n", kind, x, y, text));
  }
}
