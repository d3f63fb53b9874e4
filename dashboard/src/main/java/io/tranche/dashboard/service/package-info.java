/// A decision service, read with a token that may only read.
@NullMarked
package io.tranche.dashboard.service;

import org.jspecify.annotations.NullMarked;
