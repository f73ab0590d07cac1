package dev.fairlead.protocol.engine;

import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.SessionContext;

import org.jspecify.annotations.Nullable;

import java.util.ServiceLoader;

/**
 * Stands between all connections and their transports while tests of this project check the
 * messages that are sent. Found as a service if the system property {@code fairlead.wire.schemas}
 * is set.
 */
public abstract class WireTap {
    private static final @Nullable WireTap INSTALLED = installed();

    private static @Nullable WireTap installed() {
        return System.getProperty("fairlead.wire.schemas", "").isEmpty()
                ? null
                : ServiceLoader.load(WireTap.class, WireTap.class.getClassLoader())
                        .findFirst()
                        .orElseThrow();
    }

    /** The context of one connection, behind the tap. */
    public interface Tapped extends SessionContext {
        /**
         * Records a message of the peer; returns the exchange that checks the messages sent there.
         */
        Exchange received(JsonRpcMessage message, Exchange exchange);
    }

    /** Returns the tapped context of a connection; null without a tap. */
    static @Nullable Tapped of(SessionContext context) {
        return INSTALLED == null ? null : INSTALLED.tap(context);
    }

    /**
     * Checks the response with which a transport refuses a request of revision 2026-07-28 or later
     * itself. Returns the response to send.
     */
    public static JsonRpcErrorResponse refusal(JsonRpcErrorResponse response) {
        return INSTALLED == null ? response : INSTALLED.checkedRefusal(response);
    }

    protected abstract Tapped tap(SessionContext context);

    protected abstract JsonRpcErrorResponse checkedRefusal(JsonRpcErrorResponse response);
}
