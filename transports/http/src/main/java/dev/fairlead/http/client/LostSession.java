package dev.fairlead.http.client;

import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.MalformedMessageException;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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

    /** The members in which frameworks have the text of an error, or an object with these. */
    private static final List<String> PLACES = List.of("detail", "error", "message", "title");

    private static final Set<String> GONE =
            words(
                    "not no invalid unknown missing expired terminated closed ended gone lost stale"
                            + " unrecognized unrecognised nonexistent doesn isn hasn couldn cannot"
                            + " unable timed timeout deleted removed destroyed discarded inactive"
                            + " required");

    private static final Set<String> OTHERS =
            words(
                    "a an the or and is was were has had been be does t have for of to with this"
                            + " that it in by from on at as after due such any find locate found"
                            + " exist exists valid active known recognized recognised longer"
                            + " available initialized initialised provided given out inactivity"
                            + " idle bad request error mcp http streamable transport header"
                            + " session sessions id ids sessionid identifier server client please"
                            + " must should may could need needs you re reinitialize initialize"
                            + " initialization send call start create open new again reconnect"
                            + " first your");

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
        List<String> texts;
        boolean mayHaveRun = false;
        try {
            if (JsonRpcMessage.parse(body) instanceof JsonRpcErrorResponse response) {
                texts = List.of(response.error().message());
                mayHaveRun = response.id() != null;
            } else {
                texts = List.of();
            }
        } catch (MalformedMessageException e) {
            texts = texts(text);
        }
        for (String words : texts) {
            if (isMeant(words, session)) {
                return Optional.of(new LostSession(words.strip(), mayHaveRun));
            }
        }
        return Optional.empty();
    }

    /** The texts of a body that is no message, such as {@code {"error": "…"}}. */
    private static List<String> texts(String body) {
        if (!body.startsWith("{") || body.length() > 10 * LONGEST) {
            return List.of(body);
        }
        List<String> texts = new ArrayList<>();
        try {
            addTexts(texts, JsonValue.parse(body));
        } catch (JsonException e) {
            texts.add(body);
        }
        return texts;
    }

    private static void addTexts(List<String> texts, @Nullable JsonValue json) {
        if (json instanceof JsonString text) {
            texts.add(text.value());
        } else if (json instanceof JsonObject object) {
            PLACES.forEach(member -> addTexts(texts, object.get(member)));
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
