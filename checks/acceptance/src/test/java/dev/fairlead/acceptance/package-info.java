/** Tests of the assembled product: client, server and transports together. */
@NullMarked
package dev.fairlead.acceptance;

import org.jspecify.annotations.NullMarked;
