/** Options of builders that the library and its test kit set, and users cannot. */
@NullMarked
package dev.fairlead.peer.builder;

import org.jspecify.annotations.NullMarked;
