package dev.fairlead.protocol.engine;

import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.RequestRefusedException;
import dev.fairlead.protocol.SessionContext;

import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Logs every frame with its direction and session, for debugging: logger {@code dev.fairlead.wire},
 * level TRACE ({@code FINER} of {@code java.util.logging}). A frame is cut at {@value #MAX_LENGTH}
 * bytes unless the system property {@code fairlead.wire.length} has another number, and {@link
 * SecretMask} are masked. Costs one look-up of a level for each frame while it is off.
 */
public final class WireLog {
    /** The number of bytes of a frame that are logged. */
    public static final int MAX_LENGTH = 2_000;

    private static final System.Logger LOGGER = System.getLogger("dev.fairlead.wire");
    private static final int LENGTH =
            Math.max(1, Integer.getInteger("fairlead.wire.length", MAX_LENGTH));

    private final String session;

    WireLog(SessionContext context) {
        this.session = label(context);
    }

    /** Returns the name of a session in logs: its transport, and its own name if it has one. */
    public static String label(SessionContext context) {
        return context.logName()
                .map(name -> context.transport() + " " + name)
                .orElse(context.transport());
    }

    /** Returns whether frames are logged now. */
    public static boolean isOn() {
        return LOGGER.isLoggable(Level.TRACE);
    }

    /**
     * Logs a received frame, if frames are logged.
     *
     * @param session a name that gives no access
     * @param frame only called if frames are logged
     */
    public static void received(String session, Supplier<String> frame) {
        if (isOn()) {
            LOGGER.log(Level.TRACE, line("received", session, frame.get()));
        }
    }

    /** Logs a sent frame, see {@link #received}. */
    public static void sent(String session, Supplier<String> frame) {
        if (isOn()) {
            LOGGER.log(Level.TRACE, line("sent", session, frame.get()));
        }
    }

    /** Logs that something was closed instead of a message, as {@link #received} does. */
    public static void closed(String session, Supplier<String> what) {
        if (isOn()) {
            LOGGER.log(Level.TRACE, line("closed", session, what.get()));
        }
    }

    private static String line(String event, String session, String frame) {
        return event + " [" + session + "] " + LogText.clean(SecretMask.mask(frame), LENGTH * 2);
    }

    /** Returns the beginning of a frame as text. */
    public static String text(byte[] frame) {
        return frame.length <= LENGTH
                ? new String(frame, StandardCharsets.UTF_8)
                : new String(Arrays.copyOf(frame, LENGTH), StandardCharsets.UTF_8)
                        + "… ("
                        + frame.length
                        + " bytes)";
    }

    /** Logs a received message, and returns an exchange that logs the messages sent on it. */
    Exchange received(JsonRpcMessage message, Exchange exchange) {
        if (!isOn()) {
            return exchange;
        }
        received(session, () -> text(message.toBytes()));
        return new LoggedExchange(exchange);
    }

    /** Logs a message that is sent beside the exchanges. */
    void sent(JsonRpcMessage message) {
        sent(session, () -> text(message.toBytes()));
    }

    /** An exchange of the transport that logs sent messages. */
    private final class LoggedExchange extends ForwardingExchange {
        LoggedExchange(Exchange exchange) {
            super(exchange);
        }

        @Override
        public void send(JsonRpcMessage message) {
            sent(message);
            super.send(message);
        }

        @Override
        public void refuse(JsonRpcErrorResponse response, RequestRefusedException.Kind kind) {
            sent(response);
            super.refuse(response, kind);
        }

        @Override
        public void respondEarly(JsonRpcMessage response) {
            sent(response);
            super.respondEarly(response);
        }
    }
}
