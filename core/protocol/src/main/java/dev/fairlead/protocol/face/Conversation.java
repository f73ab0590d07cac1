package dev.fairlead.protocol.face;

import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Role;
import dev.fairlead.protocol.content.ToolResultContent;
import dev.fairlead.protocol.content.ToolUseContent;
import dev.fairlead.protocol.elicitation.ElicitFormRequest;
import dev.fairlead.protocol.elicitation.ElicitationSchema;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.SamplingMessage;

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
