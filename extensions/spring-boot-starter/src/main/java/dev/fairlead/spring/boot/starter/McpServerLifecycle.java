package dev.fairlead.spring.boot.starter;

import dev.fairlead.server.McpServer;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;

/**
 * Ends the servers before the web server waits for its requests: streams stay open for as long as a
 * session lives, and the wait would be in vain.
 */
final class McpServerLifecycle implements SmartLifecycle {
    private final ObjectProvider<McpServer> servers;
    private volatile boolean running;
    private volatile boolean stopped;

    McpServerLifecycle(ObjectProvider<McpServer> servers) {
        this.servers = servers;
    }

    @Override
    public void start() {
        if (stopped) {
            throw new IllegalStateException(
                    "an MCP server cannot be started again; make a new application context");
        }
        running = true;
    }

    /** Waits for the calls under way as long as the endpoint grants them. */
    @Override
    public void stop() {
        running = false;
        stopped = true;
        servers.forEach(McpServer::close);
    }

    /** A context that a cache of tests puts aside continues to serve. */
    @Override
    public boolean isPauseable() {
        return false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** The highest phase is the first to stop. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE;
    }
}
