package dev.fairlead.opentelemetry;

import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.prompts.GetPromptRequest;
import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.resources.SubscribeRequest;
import dev.fairlead.protocol.resources.UnsubscribeRequest;
import dev.fairlead.protocol.tools.CallToolRequest;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;

import org.jspecify.annotations.Nullable;

import java.util.OptionalLong;
import java.util.Set;

/** The attributes of a method for spans and metrics: never arguments, results or messages. */
final class Operation {
    /** Names, ids and URIs come from the peer, and are cut there. */
    private static final int MAX_LENGTH = 256;

    private static final Set<String> WITH_ROUNDS =
            Set.of(
                    Methods.CALL_TOOL.name(),
                    Methods.GET_PROMPT.name(),
                    Methods.READ_RESOURCE.name());

    private final MethodCall method;
    private final @Nullable AttributeKey<String> targetKey;
    private final @Nullable String target;

    Operation(MethodCall method) {
        this.method = method;
        switch (method.params()) {
            case CallToolRequest call -> {
                targetKey = Conventions.TOOL;
                target = cut(call.name());
            }
            case GetPromptRequest prompt -> {
                targetKey = Conventions.PROMPT;
                target = cut(prompt.name());
            }
            default -> {
                targetKey = null;
                target = null;
            }
        }
    }

    private static String cut(String text) {
        return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH);
    }

    /** The tool or prompt; null where there is none. */
    @Nullable String target() {
        return target;
    }

    boolean isOfTool() {
        return Conventions.TOOL.equals(targetKey);
    }

    /**
     * The name of a span.
     *
     * @param known whether the target is
     */
    String name(boolean known) {
        return target != null && known ? method.name() + " " + target : method.name();
    }

    /** The attributes of a span from its start. */
    Attributes ofSpan() {
        AttributesBuilder all = common(true);
        method.id().ifPresent(id -> all.put(Conventions.REQUEST, cut(plain(id.toString()))));
        method.session()
                .ifPresent(
                        session -> {
                            if (session.name() != null) {
                                all.put(Conventions.SESSION, session.name());
                            }
                        });
        String uri = uri();
        if (uri != null) {
            all.put(Conventions.RESOURCE, cut(uri));
        }
        return all.build();
    }

    private static String plain(String id) {
        return id.startsWith("\"") ? id.substring(1, id.length() - 1) : id;
    }

    private @Nullable String uri() {
        return switch (method.params()) {
            case ReadResourceRequest read -> read.uri();
            case SubscribeRequest subscribe -> subscribe.uri();
            case UnsubscribeRequest unsubscribe -> unsubscribe.uri();
            default -> null;
        };
    }

    /**
     * The attributes of a metric.
     *
     * @param known whether the target is
     */
    Attributes ofMetric(boolean known, Ending ending) {
        AttributesBuilder all = common(known).put(Conventions.OUTCOME, ending.outcome());
        if (ending.failure() != null) {
            all.putAll(ending.failure().attributes());
        }
        return all.build();
    }

    /** Returns the last round; empty for requests that have no rounds. */
    OptionalLong round() {
        return WITH_ROUNDS.contains(method.name())
                        && method.revision().filter(Operation::isPerRequest).isPresent()
                ? OptionalLong.of(method.round())
                : OptionalLong.empty();
    }

    static boolean isPerRequest(Revision revision) {
        return revision.era() == Era.PER_REQUEST;
    }

    private AttributesBuilder common(boolean withTarget) {
        AttributesBuilder all = Attributes.builder().put(Conventions.METHOD, method.name());
        if (targetKey != null && target != null && withTarget) {
            all.put(targetKey, target);
        }
        if (isOfTool()) {
            all.put(Conventions.OPERATION, Conventions.EXECUTE_TOOL);
        }
        method.revision()
                .map(Revision::date)
                .ifPresent(date -> all.put(Conventions.REVISION, date));
        method.transport().ifPresent(transport -> Network.put(transport, all));
        return all;
    }
}
