package dev.fairlead.protocol.face;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Role;
import dev.fairlead.protocol.content.ToolResultContent;
import dev.fairlead.protocol.content.ToolUseContent;
import dev.fairlead.protocol.elicitation.ElicitFormRequest;
import dev.fairlead.protocol.elicitation.ElicitationSchema;
import dev.fairlead.protocol.engine.Omissions;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.SamplingMessage;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Rules on parameters beyond their shape, in every revision and on both sides. */
final class Conversation {
    private Conversation() {}

    /** Checks parameters; throws an {@link IllegalArgumentException} that names the violation. */
    static void check(RequestParams params) {
        if (params instanceof CreateMessageRequest request) {
            check(request.messages());
        } else if (params instanceof ElicitFormRequest form) {
            ElicitationSchema.checkFlat(form.requestedSchema());
        }
    }

    /**
     * Reads parameters. A sample is read without hints that cannot be read, such as annotations, as
     * results are: its server writes the whole request and gains nothing by a part that is left
     * out. Its messages, which are the question, are not left out.
     *
     * @throws JsonBindingException if any other part cannot be read
     */
    static <P extends RequestParams> P read(Method<P, ?> method, RawJson params, Omissions log) {
        JsonCodec<P> codec = JsonCodec.of(method.params());
        try {
            return codec.read(params);
        } catch (JsonBindingException e) {
            if (!method.equals(Methods.CREATE_MESSAGE)) {
                throw e;
            }
            P rest = codec.tolerant((first, all) -> {}).read(params);
            if (!isWhole((CreateMessageRequest) rest, (JsonObject) params.value())) {
                throw e;
            }
            log.warnOnce(
                    "the request sampling/createMessage is used without its unreadable parts",
                    HandshakeFace.describe(e.violations()));
            return rest;
        }
    }

    /** Returns whether each message and block was read, and members that decide on the call. */
    private static boolean isWhole(CreateMessageRequest read, JsonObject received) {
        if (isLost(read.task(), received.get("task"))
                || isLost(read.meta(), received.get("_meta"))
                || size(received.get("messages")) != read.messages().size()) {
            return false;
        }
        for (int i = 0; i < read.messages().size(); i++) {
            JsonObject message = (JsonObject) received.array("messages").elements().get(i);
            if (!isWhole(read.messages().get(i).content(), message.get("content"))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isWhole(List<?> read, @Nullable JsonValue received) {
        if (size(received) != read.size()) {
            return false;
        }
        for (int i = 0; i < read.size(); i++) {
            JsonValue block = received instanceof JsonArray all ? all.elements().get(i) : received;
            if (read.get(i) instanceof ToolResultContent result
                    && block instanceof JsonObject object
                    && !isWhole(result.content(), object.get("content"))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLost(@Nullable Object read, @Nullable JsonValue received) {
        return read == null && received != null && received != JsonNull.NULL;
    }

    /** Returns the number of values, of which one may stand alone; null is not an empty list. */
    private static int size(@Nullable JsonValue values) {
        return values instanceof JsonArray array ? array.elements().size() : 1;
    }

    /** Checks that every use of a tool is followed by its result, and that results stand alone. */
    private static void check(List<SamplingMessage> messages) {
        Set<String> open = Set.of();
        for (int i = 0; i < messages.size(); i++) {
            SamplingMessage message = messages.get(i);
            Set<String> results = results(message, i);
            if (!open.equals(results)) {
                throw new IllegalArgumentException(
                        "messages["
                                + i
                                + "] must have the results of exactly the tools used before it");
            }
            open = uses(message, i);
        }
        if (!open.isEmpty()) {
            throw new IllegalArgumentException(
                    "messages must not end with tools whose results are missing");
        }
    }

    private static Set<String> results(SamplingMessage message, int index) {
        Set<String> ids = new HashSet<>();
        int others = 0;
        for (var block : message.content()) {
            if (block instanceof ToolResultContent result) {
                ids.add(result.toolUseId());
            } else {
                others++;
            }
        }
        if (!ids.isEmpty() && (others > 0 || message.role() != Role.USER)) {
            throw new IllegalArgumentException(
                    "messages["
                            + index
                            + "] must be of the user and have nothing beside the results of tools");
        }
        return ids;
    }

    private static Set<String> uses(SamplingMessage message, int index) {
        Set<String> ids = new HashSet<>();
        for (var block : message.content()) {
            if (block instanceof ToolUseContent use && !ids.add(use.id())) {
                throw new IllegalArgumentException(
                        "messages[" + index + "] uses a tool twice under the id " + use.id());
            }
        }
        if (!ids.isEmpty() && message.role() != Role.ASSISTANT) {
            throw new IllegalArgumentException(
                    "messages[" + index + "] must be of the assistant to use tools");
        }
        return ids;
    }
}
