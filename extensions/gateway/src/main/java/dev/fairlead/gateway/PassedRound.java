package dev.fairlead.gateway;

import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.face.PerRequestFace;
import dev.fairlead.protocol.mrtr.InputRequest;
import dev.fairlead.protocol.mrtr.InputRequiredResult;
import dev.fairlead.server.handler.InputRequiredException;
import dev.fairlead.server.handler.Question;
import dev.fairlead.server.handler.Retry;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A round of a request that passes through the gateway. The state of the server travels inside the
 * sealed one of the gateway, so that nothing is kept here between two rounds.
 *
 * @param number of the rounds before it
 * @param server that has asked; null in the first round
 * @param answers for the server, by its own keys
 * @param state of the server; null for none
 */
record PassedRound(
        int number,
        @Nullable String server,
        Map<String, JsonObject> answers,
        @Nullable String state) {
    /**
     * The most rounds in which a server may ask the client of one call, as for servers themselves.
     */
    static final int MAX = 16;

    /** The waits before a request is sent again for a state alone, as those of clients. */
    private static final List<Duration> PAUSES =
            List.of(Duration.ofMillis(50), Duration.ofMillis(100), Duration.ofMillis(250));

    private static final String NUMBER = "round";
    private static final String SERVER = "server";
    private static final String STATE = "state";
    private static final String KEYS = "keys";

    /** The round of a request without rounds before it. */
    static final PassedRound FIRST = new PassedRound(0, null, Map.of(), null);

    /** The keys that questions of this side may have. */
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

    /** Returns the round that a client's request continues; the first one if it continues none. */
    static PassedRound of(Optional<Retry> retry) {
        if (retry.isEmpty() || !(retry.get().state() instanceof JsonObject kept)) {
            return FIRST;
        }
        JsonObject keys = kept.get(KEYS) instanceof JsonObject changed ? changed : JsonObject.EMPTY;
        Map<String, JsonObject> answers = new LinkedHashMap<>();
        retry.get()
                .answers()
                .forEach(
                        (key, answer) ->
                                answers.put(
                                        keys.get(key) instanceof JsonString own ? own.value() : key,
                                        answer));
        return new PassedRound(
                kept.get(NUMBER) instanceof JsonNumber number ? (int) number.longValue() : 0,
                text(kept.get(SERVER)),
                answers,
                text(kept.get(STATE)));
    }

    private static @Nullable String text(@Nullable JsonValue value) {
        return value instanceof JsonString text ? text.value() : null;
    }

    /** Returns whether this is a retry for the input requests of a server. */
    boolean isOf(String name) {
        return name.equals(server);
    }

    /** Returns whether this is a retry for the input requests of another server. */
    boolean isOfOtherThan(String name) {
        return server != null && !server.equals(name);
    }

    /** Returns how long a server that asks nothing in this round is left alone before the next. */
    Duration pause() {
        return PAUSES.get(Math.min(number, PAUSES.size() - 1));
    }

    /**
     * Returns the exception that asks the client for the input that a server requires.
     *
     * @throws JsonRpcException if the server has asked too often
     */
    InputRequiredException asking(String by, InputRequiredResult input) {
        if (number >= MAX) {
            throw UpstreamException.tooManyRounds(by);
        }
        Map<String, InputRequest> requests =
                input.inputRequests() == null ? Map.of() : input.inputRequests();
        List<Question<?>> questions = new ArrayList<>();
        Map<String, JsonValue> changed = new LinkedHashMap<>();
        requests.forEach(
                (key, request) -> {
                    String own = key;
                    if (!KEY.matcher(key).matches()) {
                        own = "gateway-" + changed.size();
                        while (requests.containsKey(own)) {
                            own += "-";
                        }
                        changed.put(own, new JsonString(key));
                    }
                    questions.add(question(key, request).as(own));
                });
        JsonObject kept = JsonObject.of(NUMBER, number + 1, SERVER, by);
        if (input.requestState() != null) {
            kept = kept.with(STATE, input.requestState());
        }
        return new InputRequiredException(
                questions, changed.isEmpty() ? kept : kept.with(KEYS, new JsonObject(changed)));
    }

    private static Question<?> question(String key, InputRequest request) {
        try {
            return switch (request.method()) {
                case "elicitation/create" ->
                        Question.elicit(PerRequestFace.inputParams(Methods.ELICIT, key, request));
                case "sampling/createMessage" ->
                        Question.sample(
                                PerRequestFace.inputParams(Methods.CREATE_MESSAGE, key, request));
                case "roots/list" -> Question.roots();
                default -> throw new AssertionError("the client takes no " + request.method());
            };
        } catch (InvalidResultException e) {
            throw new JsonRpcException(ErrorCode.INTERNAL_ERROR, e.getMessage());
        }
    }
}
