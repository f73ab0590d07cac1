/** The formats and keys that clients, resource servers and the proxy share. */
@NullMarked
package dev.fairlead.auth.wire;

import org.jspecify.annotations.NullMarked;
