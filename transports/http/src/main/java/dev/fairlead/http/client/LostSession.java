package dev.fairlead.http.client;

import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.MalformedMessageException;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A server's report, in words, that it no longer has a session. The specification has the status
 * 404 for that; many servers answer with 400 or with an error. A text counts where it consists of
 * nothing but words for that, so that the error of a tool about sessions of its own does not.
 *
 * <p>A server that lies gains nothing: a new session is opened once for a call, a few times in a
 * row, and a request that the server may have processed is not sent again unless it only reads.
 *
 * @param words of the server
 * @param mayHaveRun whether the server may have processed the request all the same
 */
record LostSession(String words, boolean mayHaveRun) {
    /** An error of this code counts with any status. */
    private static final int CODE = -32001;

    private static final int LONGEST = 200;

    /** The members in which frameworks have the text of an error, from outside to inside. */
    private static final List<String> PLACES = List.of("detail", "error", "message");

    private static final Set<String> GONE =
            words(
                    "not no invalid unknown missing expired terminated closed ended gone lost stale"
                            + " unrecognized nonexistent doesn required");

    private static final Set<String> OTHERS =
            words(
                    "a an the or and is was were has had been be does t have for of to with this"
                            + " that it in by from on at as found exist exists valid active known"
                            + " recognized longer available initialized provided given timed out"
                            + " bad request error mcp http streamable transport header session"
                            + " sessions id ids sessionid identifier server client please must"
                            + " should may re reinitialize initialize start create open new again"
                            + " reconnect first your");

    private static Set<String> words(String text) {
        return Set.of(text.split(" "));
    }

    /** Reads the error of an answer with a status of success. */
    static Optional<LostSession> of(JsonRpcError error, String session) {
        return Optional.of(error)
                .filter(lost -> lost.code() == CODE)
                .map(JsonRpcError::message)
                .filter(message -> isMeant(message, session))
                .map(message -> new LostSession(message, true));
    }

    /**
     * Reads the body of an answer with the status 400: an error of JSON-RPC, or a text. An error
     * that names no request was sent before the server looked for a session.
     */
    static Optional<LostSession> of(byte[] body, String session) {
        String text = new String(body, StandardCharsets.UTF_8);
        String words = text;
        boolean mayHaveRun = false;
        try {
            if (JsonRpcMessage.parse(body) instanceof JsonRpcErrorResponse response) {
                words = response.error().message();
                mayHaveRun = response.id() != null;
            }
        } catch (MalformedMessageException e) {
            words = error(text);
        }
        return isMeant(words, session)
                ? Optional.of(new LostSession(words.strip(), mayHaveRun))
                : Optional.empty();
    }

    /** The text of a body that is no message, such as {@code {"error": "…"}}. */
    private static String error(String text) {
        if (!text.startsWith("{") || text.length() > 10 * LONGEST) {
            return text;
        }
        try {
            JsonValue json = JsonValue.parse(text);
            for (String member : PLACES) {
                while (json instanceof JsonObject object
                        && object.get(member) instanceof JsonValue inner) {
                    json = inner;
                }
            }
            return json instanceof JsonString message ? message.value() : text;
        } catch (JsonException e) {
            return text;
        }
    }

    private static boolean isMeant(String message, String session) {
        if (message.length() > LONGEST + session.length()) {
            return false;
        }
        String text = message.replace(session, " ").toLowerCase(Locale.ROOT);
        String[] found =
                Arrays.stream(text.split("[^\\p{L}\\p{N}]+"))
                        .filter(word -> !word.isEmpty())
                        .toArray(String[]::new);
        boolean isAboutSessions =
                Arrays.stream(found).anyMatch(word -> word.startsWith("session"))
                        || text.contains("server not initialized");
        return isAboutSessions
                && Arrays.stream(found).anyMatch(GONE::contains)
                && Arrays.stream(found)
                        .allMatch(word -> GONE.contains(word) || OTHERS.contains(word));
    }
}
