package dev.fairlead.client.link;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonSchemaException;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.JsonViolation;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.engine.HeapSize;
import dev.fairlead.protocol.headers.ParameterHeaders;
import dev.fairlead.protocol.headers.ParameterHeaders.ParameterHeader;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.protocol.tools.Tool;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The kept parts of the tools that were read, until the server reports a change. Definitions that
 * were requested before a change and come after it are not kept: they may be old.
 */
public final class ToolDefinitions {
    /** The kept parts take at most so many times the bytes of a list. */
    private static final int IN_MEMORY = 4;

    private static final System.Logger LOGGER = System.getLogger(ToolDefinitions.class.getName());

    private final Object peer;
    private final boolean lenient;
    private final int limit;
    private final long maxBytes;

    // guarded by this
    private final Map<String, Kept> kept = new LinkedHashMap<>(); // the oldest first
    private long bytes;
    // by the hash of a name, which can be long: the hash of the last faulty schema
    private final Map<Integer, Integer> faulty = new HashMap<>();
    private boolean complete;
    private long version;

    /** The kept parts of one tool. */
    private record Kept(
            @Nullable JsonSchema outputSchema,
            TaskSupport taskSupport,
            ParameterHeaders headers,
            long bytes) {
        Kept withoutSchema() {
            return outputSchema == null
                    ? this
                    : new Kept(
                            null, taskSupport, headers, bytes - HeapSize.of(outputSchema.json()));
        }

        static Kept of(Tool tool) {
            JsonObject schema = tool.outputSchema();
            ParameterHeaders headers = ParameterHeaders.ifValid(tool);
            long bytes = HeapSize.of(tool.name()) + HeapSize.of(schema);
            for (ParameterHeader header : headers.all()) {
                bytes += HeapSize.of(header.name());
                bytes += header.path().stream().mapToLong(HeapSize::of).sum();
            }
            return new Kept(
                    schema == null ? null : JsonSchema.of(schema),
                    tool.taskSupport(),
                    headers,
                    bytes);
        }
    }

    /**
     * Returns the tools whose arguments can be repeated in headers. Logs each that cannot, and
     * again only if its definition changes.
     */
    public List<Tool> withUsableHeaders(List<Tool> tools) {
        return tools.stream().filter(this::hasUsableHeaders).toList();
    }

    private boolean hasUsableHeaders(Tool tool) {
        try {
            ParameterHeaders.of(tool);
            return true;
        } catch (IllegalArgumentException e) {
            LimitedLog.log(
                    LOGGER,
                    isFirstFault(tool.name(), tool.inputSchema()) ? Level.WARNING : Level.DEBUG,
                    peer,
                    "A tool of the server is left out: {0}",
                    Printable.excerpt(e.getMessage()));
            return false;
        }
    }

    private boolean isFirstFault(String tool, JsonObject schema) {
        int hash = schema.hashCode();
        synchronized (this) {
            if (faulty.size() >= limit) {
                faulty.clear();
            }
            Integer before = faulty.put(tool.hashCode(), hash);
            return before == null || before != hash;
        }
    }

    /**
     * @param peer identifies the server for the limit of log lines
     * @param limit the most tools, and of faults that are logged once
     * @param listBytes the most bytes of the text of a list
     */
    public ToolDefinitions(Object peer, boolean lenient, int limit, long listBytes) {
        this.peer = peer;
        this.lenient = lenient;
        this.limit = limit;
        this.maxBytes = IN_MEMORY * Math.min(listBytes, Long.MAX_VALUE / IN_MEMORY);
    }

    /** A mark of now, for {@link #remember}. */
    public synchronized long version() {
        return version;
    }

    /**
     * Keeps the tools that were read. Where all are too large, the output schemas of the oldest are
     * forgotten, and then the oldest.
     *
     * @param readAt the {@link #version} before the request
     * @param all whether these are all tools there are
     */
    public synchronized void remember(List<Tool> tools, long readAt, boolean all) {
        if (readAt != version) {
            return;
        }
        if (all || kept.size() + tools.size() > limit) {
            clear();
        }
        complete |= all;
        for (Tool tool : tools) {
            drop(tool.name());
            Kept parts = Kept.of(tool);
            kept.put(tool.name(), parts);
            bytes += parts.bytes();
        }
        shrink();
    }

    private void shrink() {
        for (Map.Entry<String, Kept> oldest : kept.entrySet()) {
            if (bytes <= maxBytes) {
                return;
            }
            Kept shorter = oldest.getValue().withoutSchema();
            bytes += shorter.bytes() - oldest.getValue().bytes();
            oldest.setValue(shorter);
        }
        while (bytes > maxBytes) {
            drop(kept.keySet().iterator().next());
            complete = false;
        }
    }

    private void drop(String tool) {
        Kept dropped = kept.remove(tool);
        bytes -= dropped == null ? 0 : dropped.bytes();
    }

    private void clear() {
        kept.clear();
        bytes = 0;
        complete = false;
    }

    /**
     * Keeps the tools of a page as it came.
     *
     * @param readAt the {@link #version} before the request
     * @return the page without the tools whose arguments cannot be repeated in headers
     */
    public JsonObject remember(JsonObject page, long readAt) {
        if (!(page.get("tools") instanceof JsonArray listed)) {
            return page;
        }
        List<JsonValue> left = new ArrayList<>();
        List<Tool> usable = new ArrayList<>();
        for (JsonValue definition : listed.elements()) {
            Optional<Tool> tool = readable(definition);
            if (tool.isEmpty() || hasUsableHeaders(tool.get())) {
                left.add(definition);
                tool.ifPresent(usable::add);
            }
        }
        remember(usable, readAt, false);
        return page.with("tools", new JsonArray(left));
    }

    private static Optional<Tool> readable(JsonValue definition) {
        try {
            return Optional.of(
                    JsonCodec.of(Tool.class).tolerant((first, all) -> {}).read(definition));
        } catch (JsonBindingException e) { // the caller has it as it came
            return Optional.empty();
        }
    }

    /** The tools are others now. */
    public synchronized void forget() {
        forgetAll();
    }

    /**
     * Forgets tools that turned out to be out of date, unless they were forgotten since: the
     * present ones are newer then.
     *
     * @param seen the {@link #version} by which they turned out to be out of date
     * @return whether they are forgotten by this
     */
    public synchronized boolean forget(long seen) {
        boolean outdated = seen == version;
        if (outdated) {
            forgetAll();
        }
        return outdated;
    }

    private void forgetAll() {
        version++;
        clear();
    }

    /** Whether nothing more can be learnt of a tool. */
    public synchronized boolean isKnown(String tool) {
        return complete || kept.containsKey(tool);
    }

    /** Whether a tool may be called as a task; empty while it is not known. */
    public Optional<TaskSupport> taskSupport(String tool) {
        return Optional.ofNullable(kept(tool)).map(Kept::taskSupport);
    }

    /** The output schema of a tool; null if it has none or is not known. */
    public @Nullable JsonObject outputSchema(String tool) {
        Kept known = kept(tool);
        JsonSchema schema = known == null ? null : known.outputSchema();
        return schema == null ? null : schema.json();
    }

    /** Returns the headers that repeat the arguments of a call, by name; none if not known. */
    public Map<String, String> headers(CallToolRequest call) {
        Kept known = kept(call.name());
        if (known == null || known.headers().all().isEmpty()) {
            return Map.of();
        }
        JsonObject arguments = call.arguments();
        return arguments == null ? Map.of() : known.headers().values(RawJson.of(arguments));
    }

    private synchronized @Nullable Kept kept(String tool) {
        return kept.get(tool);
    }

    /**
     * Checks the structured content of a result against the schema of the tool. Failures have no
     * structured form, and with a schema that cannot be used, or beyond the limits of a check, a
     * result is passed on unchecked. A server gains nothing by either, since it may leave out the
     * schema.
     *
     * @throws InvalidResultException if it does not fit
     */
    public void check(String tool, CallToolResult result) {
        Kept known = kept(tool);
        JsonSchema schema = known == null ? null : known.outputSchema();
        if (schema == null || result.isError()) {
            return;
        }
        String problem;
        try {
            problem = problem(schema, result.structuredContent());
        } catch (JsonSchemaException e) {
            LimitedLog.log(
                    LOGGER,
                    isFirstFault(tool, schema.json()) ? Level.WARNING : Level.DEBUG,
                    peer,
                    "The result of tool {0} is not checked against its output schema: {1}",
                    Printable.excerpt(tool),
                    Printable.excerpt(e.getMessage()));
            return;
        }
        if (problem == null) {
            return;
        }
        if (!lenient) {
            throw new InvalidResultException("The result of tool " + tool + " " + problem, null);
        }
        LimitedLog.log(
                LOGGER,
                Level.WARNING,
                peer,
                "The result of tool {0} {1}",
                Printable.excerpt(tool),
                Printable.excerpt(problem));
    }

    private static @Nullable String problem(JsonSchema schema, @Nullable JsonValue content) {
        if (content == null) {
            schema.check();
            if (schema.json().isEmpty()) { // also the empty array of PHP's serializer
                return null;
            }
            return "has no structured content, but the tool has an output schema";
        }
        List<JsonViolation> violations = schema.validateWithinLimits(content);
        return violations.isEmpty()
                ? null
                : "breaks its output schema: "
                        + violations.stream()
                                .map(JsonViolation::toString)
                                .collect(Collectors.joining("; "));
    }
}
