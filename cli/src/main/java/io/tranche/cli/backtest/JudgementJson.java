package io.tranche.cli.backtest;

import io.tranche.analysis.Comparison;
import io.tranche.analysis.Difference;
import io.tranche.analysis.Verdict;
import io.tranche.analysis.judge.Judgement;
import io.tranche.analysis.selection.Selection;
import io.tranche.analysis.selection.TestedCheckpoint;
import io.tranche.run.play.PolicyResults;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Judgements and selections for programs: what [JudgementTable] prints for people.
public final class JudgementJson {

  private JudgementJson() {}

  public static Map<String, Object> of(Judgement judgement) {
    Map<String, Object> json = verdict(judgement.assessment().verdict());
    PolicyResults twap = judgement.yardsticks().twap();
    json.put("orders", twap.orders().size());
    json.put("remarks", judgement.assessment().remarks());
    var policies = new ArrayList<Map<String, Object>>();
    for (PolicyResults each : judgement.policies()) {
      policies.add(comparison(each.policy(), Comparison.of(each, twap)));
    }
    json.put("policies", policies);
    return json;
  }

  /// Results that were made elsewhere: all there is to say is how they compare.
  static Map<String, Object> of(Comparison results) {
    Map<String, Object> json = verdict(Verdict.of(results));
    json.put("orders", results.together().orders());
    json.put("remarks", List.of());
    json.put("policies", List.of(comparison(results.policy(), results)));
    return json;
  }

  static Map<String, Object> of(Selection selection) {
    Map<String, Object> json = verdict(selection.verdict());
    json.put("selected", selection.checkpoints().get(selection.winner()).name());
    json.put("reason", selection.reason());
    var checkpoints = new ArrayList<Map<String, Object>>();
    for (TestedCheckpoint each : selection.checkpoints()) {
      Map<String, Object> one = comparison(each.name(), each.overTwap());
      one.put("verdict", Verdict.of(each.overTwap()).kind().words());
      one.put("p_value", each.pValue());
      one.put("adjusted_p_value", each.adjustedPValue());
      checkpoints.add(one);
    }
    json.put("checkpoints", checkpoints);
    return json;
  }

  private static Map<String, Object> verdict(Verdict verdict) {
    var json = new LinkedHashMap<String, Object>();
    json.put("verdict", verdict.kind().words());
    json.put("sentence", verdict.sentence());
    return json;
  }

  private static Map<String, Object> comparison(String name, Comparison comparison) {
    var json = new LinkedHashMap<String, Object>();
    json.put("name", name);
    json.put("over_twap_bps", difference(comparison.together()));
    comparison
        .sides()
        .forEach(
            (side, each) ->
                json.put(side.name().toLowerCase(Locale.ROOT) + "_bps", difference(each)));
    json.put("completion", comparison.completion());
    return json;
  }

  private static Map<String, Object> difference(Difference difference) {
    var json = new LinkedHashMap<String, Object>();
    json.put("mean", difference.meanBps());
    json.put("low", finite(difference.low()));
    json.put("high", finite(difference.high()));
    json.put("days", difference.days());
    json.put("orders", difference.orders());
    return json;
  }

  /// JSON has no NaN; there is no interval from one day.
  private static @Nullable Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
