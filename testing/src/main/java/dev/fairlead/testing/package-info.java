/** A scripted raw peer, an adjustable clock and contract suites for transports. */
@NullMarked
package dev.fairlead.testing;

import org.jspecify.annotations.NullMarked;
