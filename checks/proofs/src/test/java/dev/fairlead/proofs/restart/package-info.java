/** Servers and clients that are killed, and continue in another process with the data on disk. */
@NullMarked
package dev.fairlead.proofs.restart;

import org.jspecify.annotations.NullMarked;
