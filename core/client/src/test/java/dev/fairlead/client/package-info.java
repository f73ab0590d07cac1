/** Tests of clients, mostly against a server that is scripted message by message. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.client;
