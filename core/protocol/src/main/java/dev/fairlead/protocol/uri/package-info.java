/** Templates of URIs, which servers match and clients route by. */
@NullMarked
package dev.fairlead.protocol.uri;

import org.jspecify.annotations.NullMarked;
