/** Parts of the server that know nothing of it: cursors, coalesced signals. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.server.internal;
