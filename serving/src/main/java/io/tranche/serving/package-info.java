/// The decision service as its clients see it: requests, answers and configuration.
@NullMarked
package io.tranche.serving;

import org.jspecify.annotations.NullMarked;
