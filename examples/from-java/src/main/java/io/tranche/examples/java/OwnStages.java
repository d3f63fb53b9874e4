package io.tranche.examples.java;

import io.tranche.env.Numbers;
import io.tranche.trainer.StageRun;
import io.tranche.trainer.Stages;

/// What is done in training and validation, your own way: two helpings of episodes and two updates
/// in each iteration, and a metric of your own. The test stays the usual.
public final class OwnStages implements Stages<Numbers> {

  @Override
  public void train(StageRun<Numbers> stage) {
    stage.collect(10);
    stage.collect(20);
    stage.update();
    stage.update();
    stage.log("updates", 2);
  }

  @Override
  public void validate(StageRun<Numbers> stage) {
    stage.log("validated", stage.collect().episodes());
  }
}
