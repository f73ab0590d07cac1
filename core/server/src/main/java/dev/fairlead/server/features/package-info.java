/** All features of a server, changes of them, and the methods that they answer. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.server.features;
