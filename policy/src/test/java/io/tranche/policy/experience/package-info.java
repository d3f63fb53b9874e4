@NullMarked
package io.tranche.policy.experience;

import org.jspecify.annotations.NullMarked;
