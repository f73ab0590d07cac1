/**
 * Attacks on running servers and clients, each bounded in time. Where memory is attacked, the
 * process under attack has a heap so small that a missing bound ends it.
 */
@NullMarked
package dev.fairlead.proofs.attack;

import org.jspecify.annotations.NullMarked;
