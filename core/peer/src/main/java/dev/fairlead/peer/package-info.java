/**
 * Parts that servers and clients share: either side sends and receives requests, and runs tasks.
 */
@NullMarked
package dev.fairlead.peer;

import org.jspecify.annotations.NullMarked;
