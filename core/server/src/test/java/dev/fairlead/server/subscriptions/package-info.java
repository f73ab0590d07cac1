@org.jspecify.annotations.NullMarked
package dev.fairlead.server.subscriptions;
