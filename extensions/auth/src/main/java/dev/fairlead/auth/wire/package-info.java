/** What clients, resource servers and the proxy write in the same way. */
@NullMarked
package dev.fairlead.auth.wire;

import org.jspecify.annotations.NullMarked;
