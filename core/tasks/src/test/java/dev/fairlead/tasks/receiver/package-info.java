/** Tests of messages to the requestor. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.tasks.receiver;
