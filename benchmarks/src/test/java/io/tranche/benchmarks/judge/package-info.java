/// Tests of the calibration of the judge.
@NullMarked
package io.tranche.benchmarks.judge;

import org.jspecify.annotations.NullMarked;
