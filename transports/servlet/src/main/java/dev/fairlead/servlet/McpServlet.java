package dev.fairlead.servlet;

import dev.fairlead.http.HttpEndpoint;
import dev.fairlead.http.HttpMount;
import dev.fairlead.http.options.HttpMetrics;
import dev.fairlead.http.spi.Route;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.server.McpServer;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The endpoint of a server in a servlet container; of {@code jakarta.servlet} 6.0 or newer.
 *
 * <p>It must be declared with support of asynchronous processing, as must the filters before it.
 * The MCP endpoint is at the path that the servlet is mapped to, such as {@code /mcp} or {@code
 * /mcp/*}; the paths of {@code HttpOptions} are found within the application and within a mapping
 * that ends with {@code /*}.
 *
 * <p>Each request gets a virtual thread of its own, so thread-locals that filters set do not reach
 * handlers, but for those that a {@link HandlerContext} hands over; an answer that waits, and a
 * client that does not read, hold none and no thread of the container. How long a write may make no
 * progress is a matter of the container. The server is served from {@link #init} to {@link
 * #destroy}; a servlet may be initialized again after that.
 */
public final class McpServlet extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final System.Logger LOGGER = System.getLogger(McpServlet.class.getName());

    /** Says of a request that it is dispatched again, which is how its answer is broken off. */
    private static final String SEEN = McpServlet.class.getName() + ".seen";

    private final transient McpServer server;
    private final transient HttpEndpoint endpoint;
    private final transient HandlerContext context;
    private final transient Consumer<Runnable> starter;
    private transient volatile @Nullable Mounted mounted;

    private record Mounted(HttpMount mount, Routing routing) {}

    /**
     * @param server stays open when the servlet is destroyed
     * @param endpoint the options; where the endpoint is says the mapping of the servlet
     */
    public McpServlet(McpServer server, HttpEndpoint endpoint) {
        this(server, endpoint, request -> UnaryOperator.identity());
    }

    /**
     * @param server stays open when the servlet is destroyed
     * @param endpoint the options; where the endpoint is says the mapping of the servlet
     * @param context hands the context of the thread of the container over to handlers
     */
    public McpServlet(McpServer server, HttpEndpoint endpoint, HandlerContext context) {
        this(server, endpoint, context, task -> Thread.ofVirtual().name("mcp-servlet").start(task));
    }

    /**
     * Creates a servlet with another way to start threads.
     *
     * @param starter runs each task on a thread of its own; a test may have none
     */
    McpServlet(
            McpServer server,
            HttpEndpoint endpoint,
            HandlerContext context,
            Consumer<Runnable> starter) {
        this.server = Objects.requireNonNull(server, "server");
        this.endpoint = Objects.requireNonNull(endpoint, "endpoint");
        this.context = Objects.requireNonNull(context, "context");
        this.starter = starter;
    }

    /** Begins to serve. */
    @Override
    public void init() {
        HttpMount mount = server.serve(endpoint);
        mounted = new Mounted(mount, new Routing(mount.routes()));
    }

    /** Returns the current figures of the endpoint; empty before the servlet is initialized. */
    public Optional<HttpMetrics> metrics() {
        return Optional.ofNullable(mounted).map(current -> current.mount.metrics());
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException {
        if (request.getAttribute(SEEN) != null) {
            throw new BrokenOffException();
        }
        Mounted current = mounted;
        Place place = current == null ? null : current.routing.find(request);
        if (place == null) {
            response.setStatus(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        requireAsync(request);
        UnaryOperator<Runnable> captured = context.capture(request);
        request.setAttribute(SEEN, true);
        AsyncContext async = request.startAsync(request, response);
        async.setTimeout(0);
        ServletStream answer = ServletStream.of(async, response, starter);
        ServletExchange exchange = new ServletExchange(request, answer, place, captured);
        try {
            starter.accept(() -> handle(place.route().handler(), exchange, answer));
        } catch (OutOfMemoryError e) { // the system has no more threads
            LimitedLog.failed(
                    LOGGER, System.Logger.Level.WARNING, "", e, "No thread could be started");
            response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
            response.setHeader("Retry-After", "1");
            answer.end();
        }
    }

    /** Answers also if the handler fails, since the container waits for an answer without limit. */
    private static void handle(
            Route.Handler handler, ServletExchange exchange, ServletStream answer) {
        try {
            handler.handle(exchange);
        } catch (RuntimeException | Error e) {
            answer.failUnlessBegun(e);
            throw e;
        }
    }

    private void requireAsync(HttpServletRequest request) throws ServletException {
        if (!request.isAsyncSupported()) {
            throw new ServletException(
                    "the servlet "
                            + getServletName()
                            + " needs asynchronous processing: declare it, and every filter before"
                            + " it, with asyncSupported = true (async-supported in web.xml)");
        }
    }

    /**
     * Refuses new requests, waits for those under way as long as {@code shutdownGrace} of the
     * endpoint says, then ends the sessions.
     */
    @Override
    public void destroy() {
        Mounted current = mounted;
        if (current != null) {
            current.mount.close();
        }
    }
}
