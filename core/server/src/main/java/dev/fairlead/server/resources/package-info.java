/** {@code resources/…}: resources, resource templates and subscriptions. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.server.resources;
