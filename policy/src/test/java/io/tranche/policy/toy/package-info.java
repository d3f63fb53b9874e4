@NullMarked
package io.tranche.policy.toy;

import org.jspecify.annotations.NullMarked;
