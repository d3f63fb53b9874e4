/// The contracts of reinforcement learning (simulator, interpreters, reward, policy), and single
/// environments.
@NullMarked
package io.tranche.env;

import org.jspecify.annotations.NullMarked;
