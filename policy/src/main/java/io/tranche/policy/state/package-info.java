/// Saved state: plain values as JSON, and reading them back with checks.
@NullMarked
package io.tranche.policy.state;

import org.jspecify.annotations.NullMarked;
