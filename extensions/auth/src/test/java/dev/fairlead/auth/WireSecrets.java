package dev.fairlead.auth;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * Logs the frames of every test of this module, and fails a class of tests if one of their secrets
 * was logged. Fixtures name the secrets that they issue by {@link #add}.
 */
public final class WireSecrets implements BeforeAllCallback, AfterAllCallback {
    private static final Logger WIRE = Logger.getLogger("dev.fairlead.wire");
    private static final Set<String> SECRETS = ConcurrentHashMap.newKeySet();
    private static final List<String> LINES = new CopyOnWriteArrayList<>();
    private static final int SHORTEST = 8;

    private final Handler handler =
            new Handler() {
                @Override
                public void publish(LogRecord entry) {
                    LINES.add(new SimpleFormatter().formatMessage(entry));
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    /** Has a text looked for in the log of frames; gives it back. */
    public static String add(String secret) {
        if (secret.length() >= SHORTEST) {
            SECRETS.add(secret);
        }
        return secret;
    }

    /** The credentials of a request, and the session that its response opened. */
    public static void add(HttpRequest request, HttpResponse<?> response) {
        for (String header : List.of("Authorization", "DPoP", "Cookie", "MCP-Session-Id")) {
            request.headers().allValues(header).forEach(WireSecrets::addCredentials);
        }
        response.headers().firstValue("MCP-Session-Id").ifPresent(WireSecrets::add);
    }

    private static void addCredentials(String value) {
        add(value.substring(value.indexOf(' ') + 1));
    }

    /** The lines of the current class of tests. */
    public static List<String> lines() {
        return List.copyOf(LINES);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        LINES.clear();
        handler.setLevel(Level.ALL);
        WIRE.setUseParentHandlers(false);
        WIRE.setLevel(Level.FINER);
        WIRE.addHandler(handler);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        WIRE.removeHandler(handler);
        WIRE.setLevel(null);
        for (String line : LINES) {
            assertThat(SECRETS).as(line).noneMatch(line::contains);
        }
    }
}
