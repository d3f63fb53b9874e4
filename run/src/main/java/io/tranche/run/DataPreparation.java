package io.tranche.run;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.files.PendingFile;
import io.tranche.market.BarSource;
import io.tranche.market.BarWriter;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.feature.MarketIndex;
import io.tranche.market.feature.pipeline.FeatureConfig;
import io.tranche.market.feature.pipeline.FeaturePipeline;
import io.tranche.market.feature.pipeline.FeatureStore;
import io.tranche.market.order.DayOrder;
import io.tranche.market.order.OrderFolder;
import io.tranche.market.order.OrderGenerator;
import io.tranche.market.order.OrderSplit;
import io.tranche.market.session.SessionBars;
import io.tranche.market.store.QlibStoreWriter;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.market.table.BarFiles;
import io.tranche.run.DataSettings.BarData;
import io.tranche.run.DataSettings.Features;
import io.tranche.run.DataSettings.Orders;
import io.tranche.run.PreparedData.DayShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes the data that a run with bars lacks: the embedded market's bars, features, orders.
///
/// @param folder where they are put
/// @param isGuarded whether the later half of the validation days is kept for a guard
record DataPreparation(BarData data, RunFolder folder, RunListener listener, boolean isGuarded) {

  private static final double TRAIN_SHARE = 0.6;
  private static final double VALID_SHARE = 0.2;

  /// With so many instruments, the market's moves are worth removing.
  static final int ENOUGH_INSTRUMENTS = 20;

  PreparedData run() {
    try {
      return data.market() == null && data.bars() == null ? withoutBars() : withBars();
    } catch (IOException e) {
      throw DataException.unwritable(folder.data(), e);
    }
  }

  private PreparedData withoutBars() {
    if (data.features() instanceof Features.Stored(Path store)) {
      DayShape day = shape(store);
      requireKnown(FeatureStore.open(store).instruments());
      return prepared(data, day, notes(store));
    }
    throw new IllegalStateException("there must be bars or a feature store");
  }

  private void requireKnown(List<String> known) {
    if (data.instruments() != null) {
      List<String> unknown =
          data.instruments().stream().filter(each -> !known.contains(each)).toList();
      if (!unknown.isEmpty()) {
        throw new DataException(
            data.places().where() + ".instruments", "instruments that the bars have", unknown);
      }
    }
  }

  private DayShape shape(Path store) {
    return data.places().naming("features", () -> DayShape.of(FeatureStore.open(store).bars()));
  }

  /// Returns what a feature store left out.
  private static List<String> notes(Path store) {
    return FeatureStore.open(store).notes().stream().map(note -> "features: " + note).toList();
  }

  private PreparedData withBars() throws IOException {
    try (BarSource source = open()) {
      requireKnown(source.instruments());
      if (data.market() != null
          || data.orders() instanceof Orders.Generated
          || data.features() instanceof Features.Made) {
        claim();
      }
      BarData made = data.market() == null ? data : data.withBars(writtenBars(source));
      made = made.withNeutral(isNeutral(source));
      if (data.features() instanceof Features.Made(FeatureConfig config)) {
        made =
            made.withFeatures(
                new Features.Stored(
                    data.places().naming("features", () -> madeFeatures(source, config))));
      }
      DayShape day =
          made.features() instanceof Features.Stored(Path store)
              ? shape(store).workedOn(source)
              : DayShape.of(source);
      Calendar calendar = day.calendar();
      if (data.orders() instanceof Orders.Generated(OrderGenerator generator)) {
        made =
            made.withOrders(
                new Orders.Folder(
                    data.places()
                        .naming("orders", () -> generatedOrders(source, calendar, generator))));
      }
      var notes =
          new ArrayList<String>(source instanceof SessionBars bars ? bars.notes() : List.of());
      if (made.features() instanceof Features.Stored(Path store)) {
        notes.addAll(notes(store));
      }
      return prepared(made, day, notes);
    }
  }

  /// By default only real bars are market-neutral: what the embedded market has to teach is known.
  private boolean isNeutral(BarSource source) {
    Boolean stated = data.neutral();
    boolean hasField = source.fields().contains(MarketIndex.FIELD);
    if (stated == null) {
      return data.market() == null
          && data.hasComputedFeatures()
          && (hasField || source.instruments().size() >= ENOUGH_INSTRUMENTS);
    }
    if (stated && !hasField && source.instruments().size() < MarketIndex.FEWEST) {
      throw new DataException(
          data.places().where() + ".neutral",
          "bars of at least %d instruments, or with a column '%s'"
              .formatted(MarketIndex.FEWEST, MarketIndex.FIELD),
          source.instruments().size() + " instruments");
    }
    return stated;
  }

  private PreparedData prepared(BarData made, DayShape day, List<String> notes) {
    if (day.ticks() == 0) {
      throw new DataException(data.places().where(), "bars", "none");
    }
    return new PreparedData(made, day.minutesPerTick(), day, origin(made), notes, isGuarded);
  }

  private @Nullable String origin(BarData made) {
    var text = new StringBuilder();
    if (data.market() != null) {
      text.append("market: ")
          .append(RunWriter.section(data).required("market").toYaml())
          .append('\n');
    }
    if (made.features() instanceof Features.Stored(Path store)) {
      text.append("features: ").append(FeatureStore.open(store).fingerprint()).append('\n');
    }
    return text.isEmpty() ? null : text.toString();
  }

  /// Marks the folder as made of these settings, so that others do not silently use its data.
  private void claim() {
    Path mark = folder.data().resolve("data.yml");
    BarData filesOnly = data.withNeutral(null); // changes no file
    try {
      if (Files.exists(mark)) {
        if (!NativeBinder.data(ConfigFiles.load(mark), Places.DATA).equals(filesOnly)) {
          throw new ConfigException(
              data.places().where(), "what " + mark + " says, or another --out", "something else");
        }
        return; // not written again: runs that share the data may be reading it
      }
      Files.createDirectories(folder.data());
      PendingFile.write(mark, RunWriter.section(filesOnly).toYaml());
    } catch (IOException e) {
      throw DataException.unwritable(mark, e);
    }
  }

  private BarSource open() {
    return data.market() != null ? new SyntheticMarket(data.market()) : PreparedData.openBars(data);
  }

  private Path writtenBars(BarSource source) throws IOException {
    Path target = folder.data().resolve("bars");
    if (!Files.exists(target)) {
      try (BarWriter writer = QlibStoreWriter.create(target, QlibStoreWriter.Existing.REFUSE)) {
        BarFiles.convert(source, writer, (at, all) -> listener.making("market", at, all));
      }
    }
    return target;
  }

  private Path madeFeatures(BarSource source, FeatureConfig config) throws IOException {
    Path target = folder.data().resolve("features");
    if (!Files.exists(target)) {
      int threads = Runtime.getRuntime().availableProcessors();
      FeaturePipeline.run(
          source, config, target, threads, (_, at, all) -> listener.making("features", at, all));
    }
    return target;
  }

  /// @param calendar the days that have everything an order needs
  private Path generatedOrders(BarSource source, Calendar calendar, OrderGenerator generator) {
    Path target = folder.data().resolve("orders");
    if (Files.exists(target)) {
      return target;
    }
    OrderSplit split;
    try {
      split = OrderSplit.byShares(calendar, TRAIN_SHARE, VALID_SHARE);
    } catch (IllegalArgumentException _) {
      throw new DataException(
          data.places().where(), "days to train, validate and test on", calendar.days());
    }
    List<DayOrder> made =
        generator.generate(source).stream()
            .filter(order -> calendar.dayOf(order.date()) >= 0)
            .toList();
    OrderFolder.write(made, split, "csv", target);
    return target;
  }
}
