/** Tests of everything together: a client and a server, over HTTP. */
@org.jspecify.annotations.NullMarked
package dev.fairlead;
