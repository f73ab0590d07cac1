/** Parts of the server that know nothing of it: templates of URIs, cursors, coalesced signals. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.server.internal;
