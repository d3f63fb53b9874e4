/// Logs of whole episodes: what tracks them, and where they can go.
@NullMarked
package io.tranche.env.log;

import org.jspecify.annotations.NullMarked;
