package dev.fairlead.opentelemetry;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.protocol.MethodCall;

import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/**
 * Trace context in {@code _meta}, under the names of W3C without a prefix (SEP-414): {@code
 * traceparent}, {@code tracestate}, {@code baggage}, or the other names of the propagators.
 */
final class TraceContext {
    /** The size up to which W3C requires a baggage to be passed on; a longer one is ignored. */
    private static final int MAX_LENGTH = 8_192;

    private static final TextMapGetter<JsonObject> META =
            new TextMapGetter<>() {
                @Override
                @SuppressWarnings("deprecation") // without a default in older versions
                public Iterable<String> keys(JsonObject meta) {
                    return meta.names();
                }

                @Override
                public @Nullable String get(@Nullable JsonObject meta, String key) {
                    return meta != null
                                    && meta.get(key) instanceof JsonString text
                                    && text.value().length() <= MAX_LENGTH
                            ? text.value()
                            : null;
                }
            };

    private final TextMapPropagator propagator;

    TraceContext(TextMapPropagator propagator) {
        this.propagator = propagator;
    }

    /** The context that the sender was in; the current one if the message says nothing of it. */
    Context of(MethodCall method) {
        return propagator.extract(Context.current(), method.meta(), META);
    }

    /** The method with this context in place of any that it had. */
    MethodCall put(Context context, MethodCall method) {
        Map<String, String> fields = new HashMap<>();
        propagator.inject(context, fields, (map, name, value) -> fields.put(name, value));
        JsonObject meta = method.meta();
        for (String stale : propagator.fields()) {
            meta = meta.without(stale);
        }
        for (Map.Entry<String, String> field : fields.entrySet()) {
            meta = meta.with(field.getKey(), field.getValue());
        }
        return meta.equals(method.meta()) ? method : method.withMeta(meta);
    }
}
