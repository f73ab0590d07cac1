/** Rounds of revision 2026-07-28 that come to another process each time. */
@NullMarked
package dev.fairlead.proofs.rounds;

import org.jspecify.annotations.NullMarked;
