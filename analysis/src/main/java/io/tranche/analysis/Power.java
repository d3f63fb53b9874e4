package io.tranche.analysis;

import io.tranche.env.RandomTree;
import io.tranche.execution.baseline.Baseline;
import io.tranche.execution.baseline.DecisionView;
import io.tranche.execution.baseline.TwapBaseline;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.order.OrderSplit.Tag;
import io.tranche.run.TrainingRun;
import io.tranche.run.play.Candidate;
import io.tranche.run.play.Difference;
import io.tranche.run.play.OrderPlayer;
import io.tranche.run.play.PolicyResults;
import io.tranche.run.play.StudentT;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// How much data it takes to see an advantage over TWAP on these bars, before anything is trained.
///
/// Measured with a policy that cannot know anything: in each step it trades twice as much as TWAP,
/// or nothing, by a coin. An agent that deviates as much has about the same scatter.
///
/// @param together the coin is the same for all orders of a moment: an agent that bets on the
///   market
/// @param apart each order has its own coin: an agent that bets on instruments against each other
public record Power(Difference together, Difference apart) {

  /// The advantages that people ask about.
  public static final List<Double> EFFECTS_BPS = List.of(1.0, 2.0, 5.0);

  /// An advantage counts as seen if four of five samples would show it.
  private static final double SEEN = 0.6; // 80 % on one side

  private static final int MOST_DAYS = 1_000_000;

  /// So many orders know their scatter well enough.
  private static final int MOST_ORDERS = 4000;

  /// Says what can be seen on real bars before time is spent on them. Says nothing of other runs,
  /// or if there are too few days.
  public static void tell(TrainingRun<?> training, Consumer<String> message) {
    if (training.run().guards() && training.fastDevRun() == null) {
      Power power = of(training.player(Tag.TRAIN));
      if (power != null) {
        power.lines().forEach(message);
      }
    }
  }

  /// Measures on orders.
  ///
  /// @return null if they are of too few days to know their scatter
  private static @Nullable Power of(OrderPlayer all) {
    if (all.orders().stream().map(order -> order.date()).distinct().count() < Verdict.FEWEST_DAYS) {
      return null;
    }
    OrderPlayer player = all.some(days(all.orders()));
    PolicyResults twap = player.run(Candidate.rule("TWAP", new TwapBaseline()));
    return new Power(
        Comparison.of(player.run(Candidate.rule("coins", new Coin(true))), twap).together(),
        Comparison.of(player.run(Candidate.rule("coins", new Coin(false))), twap).together());
  }

  /// Returns the orders of as many days, evenly over all of them, as a quick look allows. The days
  /// stay whole, because the orders of a day are not independent.
  private static List<Order> days(List<Order> orders) {
    List<LocalDate> days = orders.stream().map(Order::date).distinct().sorted().toList();
    int most =
        Math.max(Verdict.FEWEST_DAYS, (int) ((long) MOST_ORDERS * days.size() / orders.size()));
    int every = Math.max(1, Math.ceilDiv(days.size(), most));
    if (every == 1 || days.size() / every < Verdict.FEWEST_DAYS) {
      return orders;
    }
    var taken =
        IntStream.range(0, days.size())
            .filter(day -> day % every == 0)
            .mapToObj(days::get)
            .collect(Collectors.toSet());
    return orders.stream().filter(order -> taken.contains(order.date())).toList();
  }

  /// Returns the smallest true advantage that a verdict would see with data such as these.
  public static double detectableBps(Difference difference) {
    return detectableBps(difference, 0.975);
  }

  /// Returns the smallest true advantage that would be seen with data such as these.
  ///
  /// @param confidence of the bound that must be above zero ([Difference#exceeds])
  public static double detectableBps(Difference difference, double confidence) {
    double freedom = difference.freedom();
    double error = difference.margin() / StudentT.within95(freedom);
    return difference.meanBps()
        - difference.exceeds(confidence)
        + error * StudentT.within(SEEN, freedom);
  }

  /// Returns how many days it takes to see an advantage, at least [Verdict#FEWEST_DAYS].
  ///
  /// @param pilot differences with the same scatter, on days with such numbers of orders
  static int daysToSee(double bps, Difference pilot) {
    double scatter = pilot.margin() / StudentT.within95(pilot.freedom()) * Math.sqrt(pilot.days());
    int days = Verdict.FEWEST_DAYS;
    while (days < MOST_DAYS && needed(freedom(days, pilot)) * scatter / Math.sqrt(days) > bps) {
      // In steps of a percent, which is more precise than the scatter is known.
      days += Math.max(1, days / 100);
    }
    return days;
  }

  /// Returns the degrees of freedom of more days, or fewer, whose numbers of orders are as unequal
  /// as the pilot's.
  private static double freedom(int days, Difference pilot) {
    return Math.max(1, (pilot.freedom() + 1) * days / pilot.days() - 1);
  }

  private static double needed(double freedom) {
    return StudentT.within95(freedom) + StudentT.within(SEEN, freedom);
  }

  /// Returns one line per size of an advantage.
  public List<String> lines() {
    var lines = new ArrayList<String>();
    for (double bps : EFFECTS_BPS) {
      lines.add(
          String.format(
              Locale.ROOT,
              "to see %.0f bps over TWAP takes %s if the agent bets on the market, %s if it bets on"
                  + " instruments against each other",
              bps,
              days(bps, together),
              days(bps, apart)));
    }
    return lines;
  }

  private static String days(double bps, Difference pilot) {
    int days = daysToSee(bps, pilot);
    long orders = Math.round((double) days * pilot.orders() / pilot.days());
    return String.format(Locale.ROOT, "%,d days (%,d orders)", days, orders);
  }

  /// Trades twice as much as TWAP, or nothing. What hurries sells delays buys, as a forecast would.
  private record Coin(boolean isShared) implements Baseline {

    private static final long DRAWS = RandomTree.root(0, "power");

    @Override
    public double volume(DecisionView view) {
      double even = new TwapBaseline().volume(view);
      if (view.isLastStep()) {
        return even;
      }
      long key =
          RandomTree.child(RandomTree.child(DRAWS, view.order().date().toEpochDay()), view.tick());
      long own = isShared ? key : RandomTree.child(key, view.order().instrument().hashCode());
      boolean rises = RandomTree.uniform(own) < 0.5;
      boolean hurries = rises == (view.order().side() == Side.BUY);
      return hurries ? Math.min(view.remaining(), 2 * even) : 0;
    }
  }
}
