package io.tranche.run;

import io.tranche.backtest.Costs;
import io.tranche.backtest.Impact;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.market.feature.pipeline.FeatureConfig;
import io.tranche.market.feature.provider.FeatureProvider;
import io.tranche.market.order.OrderGenerator;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.table.ColumnMapping;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What a run works on.
public sealed interface DataSettings {

  /// Bars in any form, or the embedded market.
  ///
  /// @param market the embedded market; null for bars of the user's own
  /// @param bars a file, a folder or a store; null with a market, or if a feature store has
  ///   everything
  /// @param mapping which columns of the bars are what, their sessions and what their times mean
  /// @param bothSides whether every order also comes as its opposite
  /// @param instruments whose orders are taken; null for all
  /// @param neutral whether the agent learns without the market's moves
  ///   ([io.tranche.market.feature.MarketIndex]); null where the bars have enough instruments
  /// @param places of the settings, for errors
  record BarData(
      @Nullable SyntheticConfig market,
      @Nullable Path bars,
      ColumnMapping mapping,
      Features features,
      Orders orders,
      boolean bothSides,
      @Nullable List<String> instruments,
      @Nullable Boolean neutral,
      Places places)
      implements DataSettings {

    /// The embedded market's defaults, with the recipe's features and an order of either side for
    /// every instrument and day.
    public static final BarData DEFAULT =
        new BarData(
            null,
            null,
            ColumnMapping.DEFAULT,
            Features.Recipe.PLAIN,
            new Orders.Generated(OrderGenerator.DEFAULT),
            true,
            null,
            null,
            Places.DATA);

    public BarData {
      instruments = instruments == null ? null : List.copyOf(instruments);
    }

    /// Returns the costs of a run that states none: nothing, except where the embedded market's law
    /// is that trading moves the price.
    public Costs usualCosts() {
      return market == null || market.impact() == 0
          ? Costs.NONE
          : Costs.NONE.withImpacts(new Impact.Transient(market.impact(), market.impactDecay()));
    }

    public BarData withMarket(@Nullable SyntheticConfig other) {
      return new BarData(
          other, null, mapping, features, orders, bothSides, instruments, neutral, places);
    }

    /// Returns this with bars that need no mapping.
    public BarData withBars(Path files) {
      return new BarData(
          null,
          files,
          ColumnMapping.DEFAULT,
          features,
          orders,
          bothSides,
          instruments,
          neutral,
          places);
    }

    /// Returns this with other files that are read in the same way, with all their instruments.
    public BarData withFiles(Path otherBars, Path otherOrders) {
      return new BarData(
          null,
          otherBars,
          mapping,
          features,
          new Orders.Folder(otherOrders),
          bothSides,
          null,
          neutral,
          places);
    }

    public BarData withFeatures(Features other) {
      return new BarData(
          market, bars, mapping, other, orders, bothSides, instruments, neutral, places);
    }

    public BarData withOrders(Orders other) {
      return new BarData(
          market, bars, mapping, features, other, bothSides, instruments, neutral, places);
    }

    public BarData withNeutral(@Nullable Boolean other) {
      return new BarData(
          market, bars, mapping, features, orders, bothSides, instruments, other, places);
    }

    /// Whether features are computed from the bars while the run goes on.
    boolean hasComputedFeatures() {
      return features instanceof Features.Recipe || features instanceof Features.Provided;
    }

    /// Whether the agent learns without the market's moves, as far as that is decided.
    public boolean isNeutral() {
      return neutral != null && neutral;
    }
  }

  /// Where the features of bars come from.
  sealed interface Features {

    /// Computed from the bars while the run goes on, as the native recipe has them.
    ///
    /// @param expressions more features, as the user wrote them
    /// @param tables slower tables that are joined
    record Recipe(List<Formula> expressions, List<Joined> tables) implements Features {

      static final Recipe PLAIN = new Recipe(List.of(), List.of());

      public Recipe {
        expressions = List.copyOf(expressions);
        tables = List.copyOf(tables);
      }
    }

    /// Columns of a slower table.
    ///
    /// @param known from when on a date counts: `next_day` or `same_day`
    /// @param turns columns that a buyer sees with the other sign
    record Joined(Path table, List<String> columns, String known, List<String> turns) {

      public Joined {
        columns = List.copyOf(columns);
        turns = List.copyOf(turns);
      }

      Map<String, Object> toConfig() {
        var map = new LinkedHashMap<String, Object>();
        map.put("table", table.toString());
        map.put("columns", columns);
        map.put("known", known);
        map.put(TURNS, turns);
        return map;
      }

      static Joined from(ConfigNode entry) {
        entry.rejectUnknown(List.of("table", "columns", "known", TURNS));
        ConfigNode turns = entry.optional(TURNS);
        ConfigNode known = entry.optional("known");
        return new Joined(
            entry.required("table").asPath(NativeBinder.HERE),
            entry.required("columns").asTexts(),
            known == null ? "next_day" : known.asChoice(List.of("next_day", "same_day")),
            turns == null ? List.of() : turns.asTexts());
      }
    }

    /// A feature as an expression.
    ///
    /// @param turns whether a buyer sees it with the other sign; null to find out
    record Formula(String name, String expression, @Nullable Boolean turns) {

      Object toConfig() {
        return turns == null
            ? expression
            : new TreeMap<>(Map.of(EXPRESSION, expression, TURNS, turns.booleanValue()));
      }

      static Formula from(String name, ConfigNode entry) {
        if (!entry.isMapping()) {
          return new Formula(name, entry.asText(), null);
        }
        entry.rejectUnknown(List.of(EXPRESSION, TURNS));
        ConfigNode turns = entry.optional(TURNS);
        return new Formula(
            name,
            entry.required(EXPRESSION).asText(),
            turns == null ? null : Boolean.valueOf(turns.asBoolean()));
      }
    }

    String EXPRESSION = "expression";
    String TURNS = "turns";

    /// Returns expressions as a configuration has them.
    static Map<String, Object> toConfig(List<Formula> expressions) {
      var map = new LinkedHashMap<String, Object>();
      expressions.forEach(each -> map.put(each.name(), each.toConfig()));
      return map;
    }

    /// Computed from the bars while the run goes on, by providers that the user chose. They are
    /// known by their names: two settings are equal if the names are.
    ///
    /// @param names in the order of their columns
    /// @param given the providers that are objects from Java and not installed
    record Provided(List<String> names, List<FeatureProvider> given) implements Features {

      public Provided {
        names = List.copyOf(names);
        given = List.copyOf(given);
        if (names.isEmpty() || names.stream().distinct().count() < names.size()) {
          throw new ConfigException(WHERE, "at least one provider, each once", names);
        }
      }

      private static final String WHERE = "data.features.providers";

      static Provided of(List<FeatureProvider> providers) {
        List<FeatureProvider> installed = FeatureProvider.installed();
        return new Provided(
            providers.stream().map(FeatureProvider::name).toList(),
            providers.stream()
                .filter(each -> installed.stream().noneMatch(other -> isSame(each, other)))
                .toList());
      }

      /// An installed provider has its usual settings; an object may have others.
      private static boolean isSame(FeatureProvider one, FeatureProvider other) {
        return one.getClass() == other.getClass()
            && one.columns().equals(other.columns())
            && one.earlierDays() == other.earlierDays();
      }

      /// @throws ConfigException if a name is not installed
      List<FeatureProvider> providers() {
        return names.stream().map(this::provider).toList();
      }

      private FeatureProvider provider(String name) {
        return given.stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseGet(() -> FeatureProvider.named(ConfigFiles.of(WHERE, name)));
      }

      @Override
      public boolean equals(@Nullable Object other) {
        return other instanceof Provided that && names.equals(that.names);
      }

      @Override
      public int hashCode() {
        return names.hashCode();
      }
    }

    /// Made once before the run begins.
    record Made(FeatureConfig config) implements Features {}

    /// Made earlier, in a feature store.
    record Stored(Path store) implements Features {}
  }

  /// Where orders come from.
  sealed interface Orders {

    /// Drawn for every instrument and day.
    record Generated(OrderGenerator generator) implements Orders {}

    /// Files in the folders `train`, `valid` and `test`.
    record Folder(Path folder) implements Orders {}
  }

  /// The files of Qlib's example.
  ///
  /// @param featureRoot the folder with Qlib's pickles
  /// @param startMinute when orders begin, in minutes of trading after the open
  /// @param endMinute when orders end, likewise
  /// @param unusedInSource what the section `data.source` says besides and nothing here depends on
  /// @param unusedInData likewise, of the section `data`
  /// @param places of the settings of `data.source`, for errors
  record QlibData(
      Path orders,
      Path featureRoot,
      List<String> columnsToday,
      List<String> columnsYesterday,
      int startMinute,
      int endMinute,
      Map<String, ConfigNode> unusedInSource,
      Map<String, ConfigNode> unusedInData,
      Places places)
      implements DataSettings {

    public QlibData {
      columnsToday = List.copyOf(columnsToday);
      columnsYesterday = List.copyOf(columnsYesterday);
      unusedInSource = Collections.unmodifiableMap(new LinkedHashMap<>(unusedInSource));
      unusedInData = Collections.unmodifiableMap(new LinkedHashMap<>(unusedInData));
    }
  }
}
