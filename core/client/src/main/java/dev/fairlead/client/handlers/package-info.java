/** The answers of a client to requests and notifications of its server. */
@NullMarked
package dev.fairlead.client.handlers;

import org.jspecify.annotations.NullMarked;
