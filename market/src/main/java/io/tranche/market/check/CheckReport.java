package io.tranche.market.check;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The outcome of a check.
///
/// @param findings in the order of files and rows, a limited number per rule
/// @param counts how often each rule was broken, including findings that are not listed
public record CheckReport(List<Finding> findings, Map<Rule, Long> counts) {

  public CheckReport {
    findings = List.copyOf(findings);
    counts = Collections.unmodifiableMap(new TreeMap<>(counts));
  }

  /// Whether a rule was broken that makes the data unusable.
  public boolean hasErrors() {
    return counts.keySet().stream().anyMatch(rule -> rule.severity() == Rule.Severity.ERROR);
  }

  public long count(Rule rule) {
    return counts.getOrDefault(rule, 0L);
  }

  /// Returns how many findings of `rule` are counted but not listed.
  public long omitted(Rule rule) {
    return count(rule) - findings.stream().filter(finding -> finding.rule() == rule).count();
  }
}
