/// Test helpers that use nothing of ours.
@NullMarked
package io.tranche.testkit;

import org.jspecify.annotations.NullMarked;
