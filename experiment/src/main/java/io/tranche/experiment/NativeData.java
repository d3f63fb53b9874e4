package io.tranche.experiment;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.files.PendingFile;
import io.tranche.market.BarSource;
import io.tranche.market.BarWriter;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.feature.FeatureConfig;
import io.tranche.market.feature.FeaturePipeline;
import io.tranche.market.feature.FeatureStore;
import io.tranche.market.order.DayOrder;
import io.tranche.market.order.OrderFiles;
import io.tranche.market.order.OrderFolder;
import io.tranche.market.order.OrderGenerator;
import io.tranche.market.order.OrderSplit;
import io.tranche.market.store.QlibStoreWriter;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import io.tranche.trainer.InitialStates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The data of a native run: bars from a file, a store or the embedded market, features computed
/// from them or out of a feature store, orders from a folder or generated. What has to be made is
/// made once, in the run directory.
final class NativeData implements RunData.Source {

  private static final Path HERE = Path.of("");
  private static final double TRAIN_SHARE = 0.6;
  private static final double VALID_SHARE = 0.2;

  private final ConfigNode config;
  private final ConfigNode data;
  private final @Nullable ConfigNode market;
  private final @Nullable ConfigNode bars;
  private final @Nullable ConfigNode features;
  private final ConfigNode orders;
  private final boolean bothSides;
  private final @Nullable Set<String> instruments;

  /// @throws ConfigException if the section `data` is wrong, as far as that can be seen without
  ///   opening anything
  NativeData(ConfigNode config) {
    this.config = config;
    this.data = config.required("data");
    this.market = data.optional("market");
    this.bars = data.optional("bars");
    this.features = data.optional("features");
    this.orders = data.required("orders");
    this.bothSides = data.required("both_sides").asBoolean();
    ConfigNode only = data.optional("instruments");
    this.instruments = only == null ? null : new LinkedHashSet<>(only.asTexts());
    if (market != null) {
      marketConfig(market);
    }
    if (features != null && features.isMapping()) {
      FeatureConfig.from(features);
    }
    if (orders.isMapping()) {
      orders.rejectUnknown(List.of("seed"));
      RunConfig.seed(orders.required("seed"));
    } else {
      orders.asPath(HERE);
    }
    boolean hasStore = features != null && !features.isMapping();
    boolean hasBars = market != null || bars != null;
    if ((market != null && bars != null) || (!hasBars && !hasStore)) {
      throw data.wrong("either a market or bars, or else features that are a feature store");
    }
    if (!hasBars && orders.isMapping()) {
      throw data.wrong("bars to generate orders from, or a folder of orders");
    }
  }

  private static SyntheticConfig marketConfig(ConfigNode node) {
    node.rejectUnknown(List.of("seed", "signal", "instruments", "days"));
    ConfigNode seed = node.optional("seed");
    SyntheticConfig byDefault = SyntheticConfig.DEFAULT;
    return byDefault
        .withSeed(seed == null ? byDefault.seed() : RunConfig.seed(seed))
        .withSignal(node.notNegativeOr("signal", byDefault.signal()))
        .withSize(
            node.countOr("instruments", byDefault.instruments()),
            node.countOr("days", byDefault.days()));
  }

  @Override
  public RunData prepare(RunDirectory run, RunListener listener) {
    boolean makesFeatures = features != null && features.isMapping();
    if (market != null || orders.isMapping() || makesFeatures) {
      claim(run);
    }
    Path barFiles = null;
    Path store = features == null || features.isMapping() ? null : features.asPath(HERE);
    Path orderFolder = orders.isMapping() ? run.data().resolve("orders") : orders.asPath(HERE);
    Calendar calendar = null;
    if (market != null || bars != null) {
      try (BarSource source = open()) {
        barFiles = bars == null ? writtenBars(source, run, listener) : bars.asPath(HERE);
        if (makesFeatures) {
          store = madeFeatures(source, data.required("features"), run, listener);
        }
        calendar = store == null ? source.calendar() : FeatureStore.open(store).calendar();
        if (orders.isMapping()) {
          generateOrders(source, calendar, orderFolder);
        }
      } catch (IOException e) {
        throw DataException.unwritable(run.data(), e);
      }
    } else if (store != null) {
      calendar = FeatureStore.open(store).calendar();
    }
    if (calendar == null || calendar.size() == 0) {
      throw new DataException(data.where(), "bars", "none");
    }
    var day = new TradingDay(calendar);
    ConfigNode environment = new NativeEnvironment(config, day).over(barFiles, store);
    return new RunData(environment, stage -> states(orderFolder, stage, day));
  }

  /// Marks the folder as made of these settings, so that others do not silently use its data.
  private void claim(RunDirectory run) {
    Path mark = run.data().resolve("data.yml");
    String text = data.toYaml();
    try {
      if (Files.exists(mark)) {
        if (!Files.readString(mark).equals(text)) {
          throw new ConfigException(
              data.where(), "what " + mark + " says, or another --out", "something else");
        }
        return; // not written again: runs that share the data may be reading it
      }
      Files.createDirectories(run.data());
      PendingFile.write(mark, text);
    } catch (IOException e) {
      throw DataException.unwritable(mark, e);
    }
  }

  private BarSource open() {
    if (market != null) {
      return new SyntheticMarket(marketConfig(market));
    }
    return BarFiles.open(data.required("bars").asPath(HERE), ColumnMapping.DEFAULT);
  }

  private static Path writtenBars(BarSource source, RunDirectory run, RunListener listener)
      throws IOException {
    Path target = run.data().resolve("bars");
    if (!Files.exists(target)) {
      try (BarWriter writer = QlibStoreWriter.create(target, QlibStoreWriter.Existing.REFUSE)) {
        BarFiles.convert(source, writer, (at, all) -> listener.making("market", at, all));
      }
    }
    return target;
  }

  private static Path madeFeatures(
      BarSource source, ConfigNode settings, RunDirectory run, RunListener listener)
      throws IOException {
    Path target = run.data().resolve("features");
    if (!Files.exists(target)) {
      FeaturePipeline.run(
          source,
          FeatureConfig.from(settings),
          target,
          Runtime.getRuntime().availableProcessors(),
          (_, done, total) -> listener.making("features", done, total));
    }
    return target;
  }

  /// @param calendar the days that have everything an order needs
  private void generateOrders(BarSource source, Calendar calendar, Path target) {
    if (Files.exists(target)) {
      return;
    }
    OrderSplit split;
    try {
      split = OrderSplit.byShares(calendar, TRAIN_SHARE, VALID_SHARE);
    } catch (IllegalArgumentException _) {
      throw new DataException(data.where(), "days to train, validate and test on", calendar.days());
    }
    var generator = OrderGenerator.DEFAULT.withSeed(RunConfig.seed(orders.required("seed")));
    List<DayOrder> made =
        generator.generate(source).stream()
            .filter(order -> calendar.dayOf(order.date()) >= 0)
            .toList();
    OrderFolder.write(made, split, "csv", target);
  }

  /// Orders without times are for the whole day.
  private InitialStates<Order> states(Path folder, OrderSplit.Tag stage, TradingDay day) {
    Path files = folder.resolve(stage.name().toLowerCase(Locale.ROOT));
    List<Order> read = OrderFiles.read(files, day.start(), day.end());
    if (instruments != null) {
      read = read.stream().filter(order -> instruments.contains(order.instrument())).toList();
    }
    if (read.isEmpty()) {
      throw new DataException(
          files.toString(), instruments == null ? "orders" : "orders of " + instruments, "none");
    }
    return InitialStates.of(bothSides ? BothSides.of(read) : read);
  }
}
