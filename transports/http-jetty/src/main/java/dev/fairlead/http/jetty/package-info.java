/** The embedded HTTP engine on Jetty core. */
@NullMarked
package dev.fairlead.http.jetty;

import org.jspecify.annotations.NullMarked;
