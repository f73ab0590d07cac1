/** What the Java platform and the file system offer, in the form that all modules use. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.protocol.platform;
