package io.tranche.work.decide;

import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Order;
import io.tranche.market.order.NamedOrder;
import io.tranche.runtime.DecisionRuntime;
import io.tranche.runtime.LiveDay;
import io.tranche.runtime.LiveOrder;
import io.tranche.runtime.LoadedModel;
import io.tranche.runtime.ModelSpec;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;

/// Takes decisions with a runtime in this process.
public final class RuntimeDecisions implements DecisionMaker {

  private final DecisionRuntime runtime;
  private final ModelSpec spec;
  private final float[] values;

  public RuntimeDecisions(LoadedModel model) {
    this.runtime = new DecisionRuntime(model);
    this.spec = model.spec();
    this.values = new float[spec.features().fields().size()];
  }

  @Override
  public Wants wants() {
    return new Wants(
        spec.session(),
        spec.sessions(),
        spec.frequency(),
        spec.features().fields(),
        spec.features().earlierDays());
  }

  @Override
  public void openDay(String instrument, LocalDate date, long[] times, List<DayFrame> earlier) {
    runtime.openDay(instrument, date, times, earlier);
  }

  @Override
  public Terms openOrder(NamedOrder named, LocalDate date) {
    Order order = named.order();
    try {
      day(order.instrument(), date)
          .openOrder(named.id(), order.side(), order.amount(), order.start(), order.end());
    } catch (IllegalArgumentException e) {
      throw new DataException(named.place(), "an order that the model can work", e.getMessage());
    }
    return new Terms(spec.ticksPerStep(), spec.isQlib(), spec.frictions());
  }

  @Override
  public void bars(List<Bar> bars) {
    for (Bar bar : bars) {
      for (int i = 0; i < values.length; i++) {
        values[i] = bar.values().get(i);
      }
      day(bar.instrument(), bar.date()).bar(bar.time(), values);
    }
  }

  @Override
  public List<Child> decide(List<Due> due) {
    return due.stream().map(each -> decide(order(each.id()))).toList();
  }

  private static Child decide(LiveOrder order) {
    double volume = order.decide();
    return new Child(volume, order.kind(), order.choice(), Source.MODEL, null);
  }

  @Override
  public void fill(List<Fill> fills) {
    fills.forEach(fill -> order(fill.id()).fill(fill.volume(), fill.price()));
  }

  @Override
  public void closeDay(String instrument, LocalDate date) {
    day(instrument, date).close();
  }

  private LiveDay day(String instrument, LocalDate date) {
    return Objects.requireNonNull(runtime.day(instrument, date), "a day that was begun is there");
  }

  private LiveOrder order(String id) {
    return Objects.requireNonNull(runtime.order(id), "an order that was opened is there");
  }
}
