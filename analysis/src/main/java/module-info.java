/// How policies are judged, which checkpoint to use, and the report pages.
module io.tranche.analysis {
  requires transitive io.tranche.run;
  requires static transitive org.jspecify;
  requires tools.jackson.databind;

  exports io.tranche.analysis;
  exports io.tranche.analysis.doctor;
  exports io.tranche.analysis.judge;
  exports io.tranche.analysis.record;
  exports io.tranche.analysis.report;
  exports io.tranche.analysis.selection;

  opens io.tranche.analysis.record to
      tools.jackson.databind;
  opens io.tranche.analysis.report to
      tools.jackson.databind;
}
