package io.tranche.experiment;

import io.tranche.env.ParallelFor;
import io.tranche.env.RandomTree;
import io.tranche.env.Reward;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.interpreter.CategoricalInterpreter;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.execution.reward.HoldingReward;
import io.tranche.market.BarSource;
import io.tranche.market.feature.ComputedFeatures;
import io.tranche.market.feature.FeatureProvider;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.PriceMoves;
import io.tranche.market.feature.RelativeVolume;
import io.tranche.market.feature.SidedFeatures;
import io.tranche.market.feature.TimeOfDay;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.experience.Batching;
import io.tranche.policy.learn.Distillation;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.policy.network.Recurrent;
import io.tranche.policy.network.RecurrentConfig;
import io.tranche.policy.ppo.Ppo;
import io.tranche.policy.ppo.PpoConfig;
import io.tranche.tensor.RnnType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The recipe that native runs start from: what makes an agent learn. docs/learning.md has what was
/// measured of each switch, and what was not.
///
/// @param mirrors whether a buy is shown as a sell upside down: half as much is to be learnt, and
///   what holds for one side holds for the other
/// @param bothSides whether every order is also learnt from as its opposite, so that the drift of
///   the training days, which will not last, pays nobody
/// @param startsNearTwap whether the first policy is TWAP on average, so that exploration reaches
///   the afternoon; a uniform one has finished most orders before noon
/// @param shares how many parts an order is cut into: actions are 0, 1/n, ... 1 of it
/// @param rewardScale what basis points are multiplied by: the same scale for all orders, and about
///   1 for a good or bad one
/// @param network small: 64 wide gets through half as many iterations in the same time
/// @param ppo what the algorithm is set to
/// @param update how it goes through each iteration's experience
/// @param environments how many orders are worked at once
/// @param episodesPerIteration how many orders are worked between two updates
/// @param iterations how often both are done; 80 take about 40 seconds of one core on the embedded
///   market, after which validation gains no more
/// @param iterationsPerValidation how often the agent is judged; the one that was best on the
///   validation days is kept
public record NativeDefaults(
    boolean mirrors,
    boolean bothSides,
    boolean startsNearTwap,
    int shares,
    double rewardScale,
    RecurrentConfig network,
    PpoConfig ppo,
    UpdateSettings update,
    int environments,
    int episodesPerIteration,
    int iterations,
    int iterationsPerValidation) {

  public static final NativeDefaults DEFAULT =
      new NativeDefaults(
          true,
          true,
          true,
          4,
          0.01,
          new RecurrentConfig(32, 16, RnnType.GRU, 1),
          PpoConfig.DEFAULT,
          new UpdateSettings(1024, 5, Batching.EPISODES),
          100,
          1000,
          80,
          4);

  /// Returns what an agent is shown of the market: where the price has gone, how busy the day is,
  /// and what time it is, each in units of what is usual, so that instruments are alike and nothing
  /// has to be normalised. Raw prices, as Qlib's features have them, hide a move of ten basis
  /// points behind yesterday's of hundreds.
  public static List<FeatureProvider> features() {
    return List.of(new PriceMoves(), new RelativeVolume(), new TimeOfDay());
  }

  /// Returns the features of `bars`; what they do not say is 0, the middle of each one's range.
  ///
  /// @param bars stays open: it is the caller's
  public static FeatureSource features(BarSource bars, int cachedDays) {
    return ComputedFeatures.of(bars, features(), 0, cachedDays);
  }

  /// @param maxSteps how many decisions an order takes at most
  /// @param ticks how many ticks a day has
  /// @param cachedDays how many mirrored days are kept in memory
  public FullHistoryInterpreter states(
      int maxSteps, int ticks, FeatureSource features, int cachedDays) {
    return new FullHistoryInterpreter(
        maxSteps,
        ticks,
        features.columns().today().size(),
        mirrors ? SidedFeatures.mirrored(features, cachedDays) : SidedFeatures.alike(features));
  }

  public CategoricalInterpreter actions() {
    return CategoricalInterpreter.of(CategoricalInterpreter.evenShares(shares));
  }

  /// Returns what steps are worth: paid when the price moves, in basis points of the order.
  public Reward<ExecutionState> reward() {
    return new HoldingReward(rewardScale);
  }

  /// Returns an agent that has learnt nothing yet.
  ///
  /// @param width how many features a tick has
  /// @param maxSteps how many decisions an order takes at most
  /// @param distillation its teacher; null for none
  /// @param seed what its weights are drawn from
  /// @param parallel does the work; stays the caller's
  public Ppo<FullHistoryObservation> newAgent(
      int width,
      int maxSteps,
      @Nullable Distillation<FullHistoryObservation> distillation,
      long seed,
      ParallelFor parallel) {
    CategoricalInterpreter actions = actions();
    ActorCritic<FullHistoryObservation> agent =
        ActorCritic.create(
            Recurrent.factory(network, width),
            actions.shares().size(),
            RandomTree.generator(RandomTree.root(seed, "weights")));
    if (startsNearTwap) {
      TwapStart.ofShares(actions.shares(), maxSteps)
          .apply(agent.model().weights(), ActorCritic.ACTOR);
    }
    return new Ppo<>(agent, ppo, distillation, parallel);
  }
}
