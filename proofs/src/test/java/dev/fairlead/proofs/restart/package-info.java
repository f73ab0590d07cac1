/** Sessions whose server is killed and started again. */
@NullMarked
package dev.fairlead.proofs.restart;

import org.jspecify.annotations.NullMarked;
