package io.tranche.market.feature.pipeline;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.market.DayFrame;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureRecipe;
import io.tranche.market.feature.LiveFeatures;
import io.tranche.market.feature.LiveFrame;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// The features of instruments of several sessions, whose expressions count other numbers of bars.
///
/// @param groups the first is also for instruments that none names
record SessionFeatures(List<Group> groups) implements FeatureRecipe {

  static final String KIND = "sessions";

  record Group(List<String> instruments, PipelineFeatures features) {
    Group {
      instruments = List.copyOf(instruments);
    }
  }

  SessionFeatures {
    groups = List.copyOf(groups);
    if (groups.isEmpty()) {
      throw new IllegalArgumentException("groups must not be empty");
    }
  }

  /// @throws ConfigException if something is missing, unknown or of different columns
  static SessionFeatures from(ConfigNode node) {
    node.rejectUnknown(List.of(FeatureRecipe.KIND, "groups"));
    var groups = new ArrayList<Group>();
    for (ConfigNode each : node.required("groups").asList()) {
      each.rejectUnknown(List.of("instruments", "features"));
      ConfigNode features = each.required("features");
      var group =
          new Group(each.required("instruments").asTexts(), PipelineFeatures.from(features));
      if (!groups.isEmpty() && !group.features.isLike(groups.getFirst().features)) {
        throw features.wrong("the columns and fields of the first group");
      }
      groups.add(group);
    }
    if (groups.isEmpty()) {
      throw node.required("groups").wrong("at least one group");
    }
    return new SessionFeatures(groups);
  }

  @Override
  public ConfigNode toConfig() {
    var list = new ArrayList<Object>();
    for (Group group : groups) {
      var values = new LinkedHashMap<String, Object>();
      values.put("instruments", group.instruments);
      values.put("features", group.features.toConfig());
      list.add(values);
    }
    var values = new LinkedHashMap<String, Object>();
    values.put(FeatureRecipe.KIND, KIND);
    values.put("groups", list);
    return ConfigFiles.of("features", values);
  }

  @Override
  public FeatureColumns columns() {
    return groups.getFirst().features.columns();
  }

  @Override
  public List<String> fields() {
    return groups.getFirst().features.fields();
  }

  @Override
  public int earlierDays() {
    return groups.stream().mapToInt(group -> group.features.earlierDays()).max().orElse(0);
  }

  @Override
  public LiveFeatures open(
      String instrument, LocalDate date, long[] times, int plannedTicks, List<DayFrame> earlier) {
    int number = 0;
    for (int i = 1; i < groups.size(); i++) {
      number = groups.get(i).instruments.contains(instrument) ? i : number;
    }
    PipelineFeatures features = groups.get(number).features;
    return new Rows(number, features.open(instrument, date, times, plannedTicks, earlier));
  }

  @Override
  public LiveFeatures restore(DataInput in) throws IOException {
    int number = LiveFrame.within("group", in.readInt(), 0, groups.size() - 1);
    return new Rows(number, groups.get(number).features.restore(in));
  }

  private record Rows(int number, LiveFeatures features) implements LiveFeatures {

    @Override
    public int ticks() {
      return features.ticks();
    }

    @Override
    public void append(float[] bar, int barAt, float[] row, int rowAt) {
      features.append(bar, barAt, row, rowAt);
    }

    @Override
    public float[] yesterday() {
      return features.yesterday();
    }

    @Override
    public void save(DataOutput out) throws IOException {
      out.writeInt(number);
      features.save(out);
    }
  }
}
