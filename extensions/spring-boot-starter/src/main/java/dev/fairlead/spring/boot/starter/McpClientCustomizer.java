package dev.fairlead.spring.boot.starter;

import dev.fairlead.client.McpClient;

/**
 * A bean that changes the clients of {@code fairlead.clients} before they connect: handlers of the
 * servers' questions, listeners, interceptors, limits.
 */
@FunctionalInterface
public interface McpClientCustomizer {
    /**
     * Changes a client. Runs after the properties.
     *
     * @param server its name in {@code fairlead.clients}
     */
    void customize(String server, McpClient.Builder client);
}
