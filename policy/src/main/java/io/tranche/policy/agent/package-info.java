/// Agents: networks with heads, and the rules that turn their outputs into actions.
@NullMarked
package io.tranche.policy.agent;

import org.jspecify.annotations.NullMarked;
