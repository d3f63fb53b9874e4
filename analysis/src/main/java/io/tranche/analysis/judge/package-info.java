/// The judgement of a run: its agent and the references on the same orders, the report, and the
/// verdict of each validation.
@NullMarked
package io.tranche.analysis.judge;

import org.jspecify.annotations.NullMarked;
