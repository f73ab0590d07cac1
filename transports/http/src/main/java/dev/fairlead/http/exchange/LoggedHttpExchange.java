package dev.fairlead.http.exchange;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.ResponseStream;
import dev.fairlead.protocol.engine.SecretMask;
import dev.fairlead.protocol.engine.WireLog;

import java.net.InetAddress;
import java.util.List;

/**
 * Logs the head of a request and of its response, with secrets masked, and the body of a refusal.
 * Messages are logged where they are read and written.
 */
public final class LoggedHttpExchange extends DelegatingHttpExchange {
    private static final List<String> HEADERS =
            List.of(
                    "Host",
                    "Origin",
                    "User-Agent",
                    "Content-Type",
                    "Content-Length",
                    "Accept",
                    "Authorization",
                    "DPoP",
                    "Cookie",
                    "MCP-Session-Id",
                    "MCP-Protocol-Version",
                    "Last-Event-ID");

    private static final int FIRST_REFUSAL = 400;

    private final String session;

    private LoggedHttpExchange(HttpExchange exchange) {
        super(exchange);
        this.session =
                "http "
                        + exchange.remoteAddress()
                                .map(InetAddress::getHostAddress)
                                .orElse("unknown address");
    }

    /** The exchange itself unless frames are logged now. */
    public static HttpExchange of(HttpExchange exchange) {
        if (!WireLog.isOn()) {
            return exchange;
        }
        LoggedHttpExchange logged = new LoggedHttpExchange(exchange);
        WireLog.received(logged.session, logged::request);
        return logged;
    }

    private String request() {
        StringBuilder text = new StringBuilder(method());
        text.append(' ').append(path());
        query().ifPresent(query -> text.append('?').append(query));
        for (String name : HEADERS) {
            headers(name).forEach(value -> append(name, value, text));
        }
        return text.toString();
    }

    private static void append(String name, String value, StringBuilder text) {
        text.append(", ").append(name).append(": ").append(SecretMask.header(name, value));
    }

    private static String response(ResponseHead head, byte[] body) {
        StringBuilder text = new StringBuilder(Integer.toString(head.status()));
        head.forEach((name, value) -> append(name, value, text));
        if (head.status() >= FIRST_REFUSAL && body.length > 0) {
            text.append(", ").append(WireLog.text(body));
        }
        return text.toString();
    }

    @Override
    public void respond(ResponseHead head, byte[] body, Runnable done) {
        WireLog.sent(session, () -> response(head, body));
        super.respond(head, body, done);
    }

    @Override
    public ResponseStream stream(ResponseHead head) {
        WireLog.sent(session, () -> response(head, new byte[0]));
        return super.stream(head);
    }
}
