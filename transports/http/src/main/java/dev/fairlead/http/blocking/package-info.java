/**
 * A client of HTTP/1.1 on blocking sockets: an exchange runs on the thread that begins it, and any
 * other thread can end it by closing its connection.
 */
@NullMarked
package dev.fairlead.http.blocking;

import org.jspecify.annotations.NullMarked;
