package io.tranche.run;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.trainer.callback.CheckpointConfig;
import io.tranche.trainer.callback.CheckpointConfig.Latest;
import io.tranche.trainer.callback.CheckpointWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// When a run is saved, where and under which names: the section `checkpoint` of both dialects.
///
/// @param folder null for `checkpoints` in the run folder, which otherwise is a link to it
/// @param filename with fields such as `{iter:03d}`
/// @param every how many iterations lie between two checkpoints; null for none
/// @param interval how much time lies between two checkpoints; null for none
/// @param atTheEnd whether the end of the run is saved
/// @param keep how many are kept, besides the best; null for all
public record CheckpointSettings(
    @Nullable Path folder,
    String filename,
    Latest latest,
    @Nullable Integer every,
    @Nullable Duration interval,
    boolean atTheEnd,
    @Nullable Integer keep) {

  public static final CheckpointSettings DEFAULT =
      new CheckpointSettings(null, "{iter:03d}", Latest.LINK, 1, null, true, null);

  static final CheckpointSettings QLIB = DEFAULT.with(Latest.COPY);

  static final String SECTION = "checkpoint";
  static final String EVERY = "every_n_iters";

  private static final String FILENAME = "filename";
  private static final String INTERVAL = "time_interval";
  private static final String KEEP = "keep";

  private static final List<String> KEYS =
      List.of("dirpath", FILENAME, "save_latest", EVERY, INTERVAL, "save_on_fit_end", KEEP);

  private CheckpointSettings with(Latest other) {
    return new CheckpointSettings(folder, filename, other, every, interval, atTheEnd, keep);
  }

  CheckpointSettings withEvery(@Nullable Integer iterations) {
    return new CheckpointSettings(folder, filename, latest, iterations, interval, atTheEnd, keep);
  }

  /// Reads the section.
  ///
  /// @param section null for the defaults
  /// @param usual what a missing key means
  /// @throws ConfigException if a key is unknown or wrong, or contradicts another
  static CheckpointSettings from(@Nullable ConfigNode section, CheckpointSettings usual) {
    if (section == null) {
      return usual;
    }
    section.rejectUnknown(KEYS);
    ConfigNode name = section.optional(FILENAME);
    ConfigNode latest = section.optional("save_latest");
    ConfigNode interval = section.optional(INTERVAL);
    ConfigNode keep = section.optional(KEEP);
    var read =
        new CheckpointSettings(
            NativeBinder.pathOrNull(section, "dirpath"),
            name == null ? usual.filename : filename(name),
            latest == null ? usual.latest : NativeBinder.choice(latest, Latest.values()),
            section.has(EVERY) ? NativeBinder.countOrNull(section, EVERY) : usual.every,
            interval == null ? null : seconds(interval),
            section.booleanOr("save_on_fit_end", usual.atTheEnd),
            keep == null ? null : keep.asCount());
    if (keep != null && !read.filename.contains("{")) {
      throw keep.wrong(
          "no %s beside a %s without fields, of which there is one file only"
              .formatted(KEEP, FILENAME));
    }
    if (read.every == null && read.interval == null && !read.atTheEnd) {
      throw section.wrong(
          "%s, %s or save_on_fit_end: without them nothing is saved".formatted(EVERY, INTERVAL));
    }
    return read;
  }

  private static String filename(ConfigNode node) {
    String expected = CheckpointWriter.faultOf(node.asText());
    if (expected != null) {
      throw node.wrong(expected);
    }
    return node.asText();
  }

  private static Duration seconds(ConfigNode node) {
    return Duration.ofMillis(Math.round(1000 * Math.min(node.asNotNegative(), 1e12)));
  }

  /// Returns how checkpoints are written into `place`.
  ///
  /// @param isTrial whether only the last one counts
  CheckpointConfig config(Path place, boolean isTrial, boolean isQlib) {
    return new CheckpointConfig(
        place,
        filename,
        latest,
        isTrial ? null : every,
        isTrial ? null : interval,
        isTrial || atTheEnd,
        keep,
        isQlib,
        isQlib);
  }

  /// Returns what [#from] reads.
  Map<String, @Nullable Object> toConfig() {
    var section = new LinkedHashMap<String, @Nullable Object>();
    section.put("dirpath", folder == null ? null : folder.toString());
    section.put(FILENAME, filename);
    section.put("save_latest", RunWriter.word(latest));
    section.put(EVERY, every);
    section.put(INTERVAL, interval == null ? null : interval.toMillis() / 1000.0);
    section.put("save_on_fit_end", atTheEnd);
    section.put(KEEP, keep);
    return section;
  }
}
