/** Attacks on running servers and clients that need neither real time nor a bounded heap. */
@NullMarked
package dev.fairlead.acceptance.attack;

import org.jspecify.annotations.NullMarked;
