/// How networks read a day of features: encoders that look only back, and what is kept of them.
@NullMarked
package io.tranche.policy.encoder;

import org.jspecify.annotations.NullMarked;
