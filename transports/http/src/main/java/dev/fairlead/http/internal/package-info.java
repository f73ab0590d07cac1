/** Keys and certificates in PEM files, for the server and the client. */
@NullMarked
package dev.fairlead.http.internal;

import org.jspecify.annotations.NullMarked;
