package dev.fairlead.console.workbench;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Printable;

import java.util.Objects;

/** Failures of calls as a page shows them. */
final class Failures {
    private static final int MAX = 4_000;

    private Failures() {}

    /** Returns the event of a call that has no result. */
    static JsonObject event(String call, Exception e) {
        JsonObject event = JsonObject.of("type", "failed", "call", call, "message", message(e));
        if (e instanceof JsonRpcException refused) {
            event = event.with("code", refused.code());
            if (refused.data() != null) {
                event = Cut.into(event, "data", refused.data(), Cut.MAX >> 3);
            }
        }
        return event;
    }

    /** Returns the message of a failure, and the cause of it where that is another. */
    static String message(Exception e) {
        String message = Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName());
        return shortened(message);
    }

    /** Returns the beginning of a text of a server. */
    static String shortened(String text) {
        return Printable.text(text.substring(0, Math.min(MAX, text.length())));
    }
}
