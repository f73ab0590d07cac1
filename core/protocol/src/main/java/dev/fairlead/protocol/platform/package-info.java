/** Access to the Java platform and the file system, in the form that all modules use. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.protocol.platform;
