package dev.fairlead.http.spi;

import dev.fairlead.protocol.relay.HandlerThread;

import org.jspecify.annotations.Nullable;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * One HTTP request and the answer to it. An engine calls {@link Route.Handler#handle} on a thread
 * that may block, as it does to read the body; the answer may come then or at any later time from
 * any thread. Exactly one of {@link #respond} and {@link #stream} is called, once; if that throws,
 * the engine has ended the exchange by itself, and nothing more is called. The values of the
 * request stay valid after the answer.
 */
public interface HttpExchange {
    /** The method as sent, such as {@code POST}. */
    String method();

    /** The path of the request without its query, and without its {@link #prefix}. */
    String path();

    /**
     * The prefix of {@link #path} in the URL of the request, such as the path of an application in
     * its container. Empty unless an engine sets it.
     */
    default String prefix() {
        return "";
    }

    /**
     * Returns how the client has connected, {@code http} or {@code https}; to the first reverse
     * proxy that is trusted, where one reports it.
     */
    String scheme();

    /**
     * The host that the client has named, with the port if it has, as in {@code Host}; empty where
     * it has named none or several, or proxies contradict each other. Clients choose it freely,
     * unless the endpoint {@linkplain dev.fairlead.http.HttpOptions#allowHosts names} the permitted
     * ones.
     */
    default Optional<String> host() {
        List<String> named = headers("Host");
        return named.size() == 1 && !named.get(0).isEmpty()
                ? Optional.of(named.get(0))
                : Optional.empty();
    }

    /** The text after the question mark, undecoded; empty if there is none. */
    Optional<String> query();

    /** The values of a header, in their order; the case of its name is ignored. */
    List<String> headers(String name);

    /**
     * Returns the names of all headers. By default those that the protocol uses: a request that is
     * forwarded to another node loses the others.
     */
    default Collection<String> headerNames() {
        return List.of(
                "Accept",
                "Content-Type",
                "Last-Event-ID",
                "MCP-Protocol-Version",
                "MCP-Session-Id",
                "Origin");
    }

    /** The first value of a header. */
    default Optional<String> header(String name) {
        List<String> values = headers(name);
        return values.isEmpty() ? Optional.empty() : Optional.of(values.get(0));
    }

    /** The address of this machine at which the request came in; empty if unknown. */
    Optional<InetAddress> localAddress();

    /**
     * The address that the request comes from, if known; with a proxy in between, that of the
     * proxy.
     */
    default Optional<InetAddress> remoteAddress() {
        return Optional.empty();
    }

    /**
     * Returns the URL of the {@link #prefix} at the port at which the request came in, such as
     * {@code http://10.0.0.7:8080/app}, as programs on this machine reach it: it depends on neither
     * proxies nor headers. Empty by default, and where an engine cannot tell. To be called before
     * the answer.
     */
    default Optional<URI> localBase() {
        return Optional.empty();
    }

    /**
     * The length of the body in bytes as the client announces it; negative where it announces none,
     * as for a body in chunks.
     */
    default long contentLength() {
        try {
            return header("Content-Length").map(text -> Long.parseLong(text.strip())).orElse(-1L);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** The body, read by blocking. */
    InputStream body();

    /**
     * Returns the {@link #body} for a handler that takes no more bytes than a limit. An engine that
     * reads the sizes of chunks lets one read fail with a {@link BodyTooLongException} as soon as
     * the client has announced more, so that a body is not waited for that will be refused.
     */
    default InputStream body(long limit) {
        return body();
    }

    /**
     * The whole body if it has arrived already; null where it has not, or the engine does not keep
     * it like that. It must not be changed, and {@link #body} contains the same.
     */
    default byte @Nullable [] arrivedBody() {
        return null;
    }

    /**
     * Returns a task that runs in the context of the thread of the engine that has brought this
     * exchange; the task itself by default.
     */
    default Runnable inContext(Runnable task) {
        return task;
    }

    /**
     * Runs a task that is expected to end quickly: before this method returns where the current
     * thread handles this exchange and may be blocked by that, as the engine decides; otherwise,
     * and by default, on a virtual thread of its own. Exceptions of the task do not reach the
     * caller.
     *
     * @param name the name of the thread while the task runs
     * @throws OutOfMemoryError if no thread can be started; the task does not run then
     */
    default void run(String name, Runnable task) {
        HandlerThread.start(name, task);
    }

    /**
     * Has an action run once if the engine notices, without a write, that the client has left
     * before the answer ended: over HTTP/2 when the client resets the stream or the connection
     * ends, in a servlet container when it ends the response. Does nothing by default, and where an
     * engine notices that by writing alone, as over HTTP/1.1. To be called once, before the answer.
     *
     * @param action runs on any thread; must return at once
     */
    default void onLeft(Runnable action) {}

    /**
     * Answers with a whole body. Never blocks: the engine writes on its own time, and an interrupt
     * of the calling thread neither stops nor breaks that. A peer that is gone is not reported.
     *
     * @param body not changed afterwards
     */
    default void respond(ResponseHead head, byte[] body) {
        respond(head, body, () -> {});
    }

    /**
     * The same, and reports when the body keeps no memory any more.
     *
     * @param done called once, on this thread or another, when all was handed to the network or
     *     could not be; must return at once
     */
    void respond(ResponseHead head, byte[] body, Runnable done);

    /**
     * Starts an answer that comes piece by piece; its head goes out with the first write. The body
     * of the request is to be read before: it is not kept for as long as the answer takes.
     */
    ResponseStream stream(ResponseHead head);
}
