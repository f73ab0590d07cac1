package dev.fairlead.server.requests;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.face.NeutralForm;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;

/** The responses of a request to the questions of an earlier one, by key. */
record InputResponses(Map<String, RawJson> byKey) {
    private static final RawJson NULL = RawJson.of(JsonNull.NULL);

    /**
     * Reads a member of the parameters.
     *
     * @throws JsonRpcException {@code -32602} if it is not an object
     */
    static InputResponses read(@Nullable RawJson given) {
        if (given == null || isNull(given)) {
            return new InputResponses(Map.of());
        }
        if (!given.isObject()) {
            if (given.value().equals(JsonArray.EMPTY)) {
                return new InputResponses(Map.of());
            }
            throw JsonRpcException.invalidParams(
                    "Invalid params: inputResponses must be an object");
        }
        Map<String, RawJson> responses = new LinkedHashMap<>();
        ((JsonObject) given.value())
                .members()
                .forEach((key, response) -> responses.put(key, RawJson.of(response)));
        return new InputResponses(responses);
    }

    static boolean isNull(RawJson json) {
        return json.equals(NULL);
    }

    boolean has(String key) {
        return byKey.containsKey(key);
    }

    /**
     * Returns a response that is an answer to a question.
     *
     * @throws JsonRpcException {@code -32602} if it is not
     */
    RawJson answer(String key, Method<?, ?> method) {
        RawJson response = byKey.get(key);
        try {
            if (response == null || !response.isObject()) {
                throw new IllegalArgumentException("it must be an object");
            }
            NeutralForm.readWhole(method, response);
            return response;
        } catch (JsonBindingException | IllegalArgumentException e) {
            throw malformed(key, Printable.excerpt(e.getMessage()));
        }
    }

    static JsonRpcException malformed(String key, String what) {
        return JsonRpcException.invalidParams(
                "Invalid params: inputResponses."
                        + Printable.excerpt(key)
                        + " is no answer to its question: "
                        + what);
    }
}
