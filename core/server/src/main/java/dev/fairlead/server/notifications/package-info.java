/** Notifications to clients: progress, log messages, changed lists and resources. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.server.notifications;
