/// Orders played with policies in a simulator, and their results.
@NullMarked
package io.tranche.run.play;

import org.jspecify.annotations.NullMarked;
