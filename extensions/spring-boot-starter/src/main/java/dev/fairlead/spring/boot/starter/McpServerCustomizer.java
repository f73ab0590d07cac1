package dev.fairlead.spring.boot.starter;

import dev.fairlead.server.McpServer;

/**
 * A bean that changes the server before it is built: interceptors, tasks, limits, and all settings
 * without a property. Has no effect on an {@link McpServer} that is a bean of the application.
 */
@FunctionalInterface
public interface McpServerCustomizer {
    /** Changes the server. Runs after the properties and before the features are declared. */
    void customize(McpServer.Builder server);
}
