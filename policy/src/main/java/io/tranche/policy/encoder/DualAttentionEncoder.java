package io.tranche.policy.encoder;

import io.tranche.tensor.Attention;
import io.tranche.tensor.Rows;
import java.util.random.RandomGenerator;

/// Encodes today and yesterday, and attends to both with what today gives at the current tick.
///
/// @param today over the ticks of today
/// @param yesterday over the ticks of yesterday
/// @param overToday over what `today` gave
/// @param overYesterday over what `yesterday` gave
public record DualAttentionEncoder(
    CausalEncoder today, CausalEncoder yesterday, Attention overToday, Attention overYesterday)
    implements DayEncoder {

  /// Returns how wide each of the three parts of a row is: the query and what it found in both.
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
