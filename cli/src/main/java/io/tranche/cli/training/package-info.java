/// The verbs that train: `demo`, `train` and `tune`.
@NullMarked
package io.tranche.cli.training;

import org.jspecify.annotations.NullMarked;
