package io.tranche.policy.encoder;

import io.tranche.tensor.Attention;
import io.tranche.tensor.Rows;
import java.util.random.RandomGenerator;

/// Encodes today and yesterday, and attends to both with today's encoding at the current tick.
///
/// @param today encodes today's ticks
/// @param yesterday encodes yesterday's ticks
/// @param overToday attends to the outputs of `today`
/// @param overYesterday attends to the outputs of `yesterday`
public record DualAttentionEncoder(
    CausalEncoder today, CausalEncoder yesterday, Attention overToday, Attention overYesterday)
    implements DayEncoder {

  /// Returns the width of each of the three parts of a row: the query and its two results.
  int hidden() {
    return today.outputs();
  }

  @Override
  public int width() {
    return 3 * hidden();
  }

  @Override
  public void initialise(RandomGenerator random) {
    today.initialise(random);
    yesterday.initialise(random);
    overToday.initialise(random);
    overYesterday.initialise(random);
  }

  @Override
  public Pass newPass(int maxRows, int maxLanes, Rows target, Rows targetGradients) {
    return new DualAttentionPass(this, maxRows, maxLanes, target, targetGradients);
  }

  @Override
  public Reader newReader(int maxRows) {
    return new DualAttentionReader(this, maxRows);
  }

  @Override
  public LiveDays newLiveDays() {
    return new DualAttentionDays(this);
  }
}
