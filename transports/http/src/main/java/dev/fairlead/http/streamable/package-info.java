/** The endpoint of Streamable HTTP: POST, GET and DELETE on one path. */
@NullMarked
package dev.fairlead.http.streamable;

import org.jspecify.annotations.NullMarked;
