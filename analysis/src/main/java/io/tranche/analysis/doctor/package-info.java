/// What is wrong with a run, a service or the machine although nothing fails: symptom, cause and
/// cure.
@NullMarked
package io.tranche.analysis.doctor;

import org.jspecify.annotations.NullMarked;
