/// From checkpoints and the configuration they were trained with to a model in one file.
@NullMarked
package io.tranche.work.export;

import org.jspecify.annotations.NullMarked;
