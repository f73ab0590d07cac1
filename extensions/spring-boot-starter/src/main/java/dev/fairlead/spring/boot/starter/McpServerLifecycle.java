package dev.fairlead.spring.boot.starter;

import dev.fairlead.server.McpServer;
import dev.fairlead.servlet.McpServlet;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;
import org.springframework.util.ClassUtils;

/**
 * Ends the servers before the web server waits for its requests: streams stay open for as long as a
 * session lives, and the wait would be in vain. Warns if no client can reach them.
 */
final class McpServerLifecycle implements SmartLifecycle {
    private static final System.Logger LOGGER =
            System.getLogger(McpServerLifecycle.class.getName());

    private final ObjectProvider<McpServer> servers;
    private final ListableBeanFactory beans;
    private final boolean enabled;
    private volatile boolean running;
    private volatile boolean stopped;

    McpServerLifecycle(
            ObjectProvider<McpServer> servers, ListableBeanFactory beans, boolean enabled) {
        this.servers = servers;
        this.beans = beans;
        this.enabled = enabled;
    }

    /** Warns once the application has started and its runners, which may serve, have run. */
    @EventListener
    void changed(AvailabilityChangeEvent<ReadinessState> event) {
        if (enabled
                && event.getState() == ReadinessState.ACCEPTING_TRAFFIC
                && !isInServlet()
                && servers.stream().noneMatch(McpServer::wasReachable)) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "Nothing serves the MCP server of this application so far. For HTTP add"
                            + " spring-boot-starter-webmvc, and let"
                            + " spring.main.web-application-type be servlet; for stdio call"
                            + " server.serve(Stdio.streams())");
        }
    }

    private boolean isInServlet() {
        return ClassUtils.isPresent("jakarta.servlet.Servlet", null)
                && beans.getBeanNamesForType(McpServlet.class, true, false).length > 0;
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
