package io.tranche.policy.encoder;

import io.tranche.market.feature.DayObservation;
import io.tranche.policy.experience.Slice;
import io.tranche.tensor.Rows;
import java.util.Collection;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Encodes today's ticks and reads the encoding at the current one.
public record TickReading(CausalEncoder encoder) implements DayEncoder {

  /// A day of 240 ticks and a width of 64 takes 62 kB, so the cache takes up to 32 MB.
  private static final int REMEMBERED = 512;

  @Override
  public int width() {
    return encoder.outputs();
  }

  @Override
  public void initialise(RandomGenerator random) {
    encoder.initialise(random);
  }

  @Override
  public Pass newPass(int maxRows, int maxLanes, Rows target, Rows targetGradients) {
    return new TickPass(encoder, maxRows, maxLanes, target, targetGradients);
  }

  @Override
  public Reader newReader(int maxRows) {
    return new TickReader(encoder, maxRows);
  }

  @Override
  public LiveDays newLiveDays() {
    CausalEncoder.Streams streams = encoder.newStreams();
    float[] zeros = new float[encoder.inputs()];
    return (_, ticks) -> {
      var day = new TickDay(streams.begin(ticks + 1));
      day.append(zeros, 0);
      return day;
    };
  }

  private record TickDay(CausalEncoder.Stream stream) implements LiveDay {

    @Override
    public void append(float[] data, int at) {
      stream.append(data, at);
    }

    @Override
    public void read(float[] target, int at) {
      stream.copyOutput(target, at);
    }
  }

  private static final class TickPass implements Pass {
    private final CausalEncoder encoder;
    private final CausalEncoder.Pass pass;
    private final Rows target;
    private final Rows targetGradients;

    /// The row of the encoded days that each observation reads.
    private final int[] rows;

    private int count;

    TickPass(CausalEncoder encoder, int maxRows, int maxLanes, Rows target, Rows targetGradients) {
      this.encoder = encoder;
      this.pass = encoder.newPass(maxLanes);
      this.target = target;
      this.targetGradients = targetGradients;
      this.rows = new int[maxRows];
    }

    @Override
    public void training(boolean on) {
      pass.training(on);
    }

    @Override
    public void forward(Slice<? extends DayObservation> slice) {
      count = slice.size();
      DayMatrix.TODAY.encode(slice, pass, encoder.inputs());
      for (int i = 0; i < count; i++) {
        rows[i] = pass.row(slice.observation(i).tick(), slice.lane(i));
        target.copyRow(i, encoder.outputs(), pass.output(), rows[i]);
      }
    }

    @Override
    public void backward(float[] gradients) {
      for (int i = 0; i < count; i++) {
        pass.outputGradient().addRow(rows[i], encoder.outputs(), targetGradients, i);
      }
      pass.backward(gradients);
    }
  }

  /// A cached day: the encoding of its first steps.
  private static final class Ticks {
    float[] rows = {};
    int steps;
  }

  private static final class TickReader implements Reader, EncodedDays.Source<Ticks> {

    /// Number of days that must be read no further than some tick before encoding in advance stops
    /// at that tick. Until then it stops at [#expected].
    private static final int TRIAL = 64;

    private final CausalEncoder encoder;
    private final CausalEncoder.Pass pass;
    private final EncodedDays<Ticks> days;
    private final int width;

    /// The latest tick ever read, and the number of days encoded since.
    private int furthest = -1;

    private int encodedSince;

    /// The step up to which the current lanes are encoded.
    private int end;

    TickReader(CausalEncoder encoder, int maxRows) {
      this.encoder = encoder;
      this.pass = encoder.newForwardPass(EncodedDays.LANES);
      this.days = new EncodedDays<>(this, Math.max(REMEMBERED, maxRows));
      this.width = encoder.outputs();
    }

    @Override
    public void forget() {
      days.forget();
    }

    @Override
    public void expect(List<? extends DayObservation> observations) {
      days.remember(observations);
    }

    @Override
    public void read(List<? extends DayObservation> observations, Rows target) {
      days.remember(observations);
      for (int i = 0; i < observations.size(); i++) {
        DayObservation observation = observations.get(i);
        int tick = observation.tick();
        if (tick > furthest) {
          furthest = tick;
          encodedSince = 0;
        }
        float[] rows = days.day(observation).rows;
        System.arraycopy(rows, tick * width, target.data(), target.offset(i), width);
      }
    }

    @Override
    public void encode(Collection<? extends DayObservation> observations) {
      boolean isTrial = encodedSince < TRIAL;
      end = furthest + 1;
      for (DayObservation observation : observations) {
        int read = DayMatrix.TODAY.stepsRead(observation);
        end = Math.max(end, isTrial ? expected(observation) : read);
      }
      encodedSince += observations.size();
      DayMatrix.TODAY.encode(observations, pass, encoder.inputs(), end);
    }

    /// Returns the number of steps that the day will be read: up to the last decision if decisions
    /// are spread evenly, and all of them if this one is even later.
    private static int expected(DayObservation observation) {
      int steps = Math.max(1, observation.maxSteps()); // an untrusted one may say 0
      int last = observation.ticks() - observation.ticks() / steps;
      return observation.tick() <= last ? last + 1 : DayMatrix.steps(observation);
    }

    @Override
    public Ticks keep(int lane, DayObservation observation, @Nullable Ticks spare) {
      Ticks kept = spare == null ? new Ticks() : spare;
      kept.steps = Math.min(end, DayMatrix.steps(observation));
      if (kept.rows.length < kept.steps * width) {
        kept.rows = new float[kept.steps * width];
      }
      Rows output = pass.output();
      for (int step = 0; step < kept.steps; step++) {
        int from = output.offset(pass.row(step, lane));
        System.arraycopy(output.data(), from, kept.rows, step * width, width);
      }
      return kept;
    }

    @Override
    public boolean covers(Ticks day, DayObservation observation) {
      return DayMatrix.TODAY.stepsRead(observation) <= day.steps;
    }
  }
}
