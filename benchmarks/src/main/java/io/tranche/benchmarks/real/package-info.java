/// What agents win on real bars, walking forward: `tranche bench real`.
@NullMarked
package io.tranche.benchmarks.real;

import org.jspecify.annotations.NullMarked;
