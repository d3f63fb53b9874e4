/// Agents: networks with heads, and how what they give becomes actions.
@NullMarked
package io.tranche.policy.agent;

import org.jspecify.annotations.NullMarked;
