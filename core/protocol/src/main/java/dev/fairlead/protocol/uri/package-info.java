/** Templates of URIs, by which servers match and clients route. */
@NullMarked
package dev.fairlead.protocol.uri;

import org.jspecify.annotations.NullMarked;
