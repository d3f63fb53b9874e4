/// Encoders that read a day of features and look only backward, and caches of encoded days.
@NullMarked
package io.tranche.policy.encoder;

import org.jspecify.annotations.NullMarked;
