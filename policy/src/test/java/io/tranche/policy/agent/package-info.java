@NullMarked
package io.tranche.policy.agent;

import org.jspecify.annotations.NullMarked;
