package dev.fairlead.client.internal;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionExpiredException;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.elicitation.ElicitFormRequest;
import dev.fairlead.protocol.elicitation.ElicitUrlRequest;
import dev.fairlead.protocol.face.PerRequestFace;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.lifecycle.ListCapability;
import dev.fairlead.protocol.lifecycle.TasksCapability;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.logging.LoggingMessageNotification;
import dev.fairlead.protocol.options.CopyOnChange;
import dev.fairlead.protocol.prompts.ListPromptsResult;
import dev.fairlead.protocol.resources.ListResourcesResult;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.protocol.tasks.TasksExtension;
import dev.fairlead.protocol.tools.ListToolsResult;
import dev.fairlead.protocol.versioning.RequestMeta;
import dev.fairlead.tasks.Tasks;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;

/**
 * The settings that a builder has collected. Only the builder changes it; a client works on a copy
 * that is never changed.
 */
public final class ClientSettings extends CopyOnChange<ClientSettings> {
    /** The version of this library, for clients that name none of their own. */
    public static final String VERSION =
            Objects.requireNonNullElse(
                    ClientSettings.class.getPackage().getImplementationVersion(), "0");

    public Implementation info;
    public boolean withoutClientInfo;
    public Duration requestTimeout = Duration.ofSeconds(30);
    public Duration maxTotalTimeout = Duration.ofMinutes(10);
    public Duration probeTimeout = Duration.ofSeconds(5);
    public int maxRounds = 10;
    public boolean acceptTasks;
    public @Nullable Duration keepAlive;
    public int keepAliveFailures;
    public boolean lazy;
    public boolean lenient;
    public boolean failOnExpiredSession;
    public int maxPages = 1_000;
    public int maxItems = 100_000;
    public long maxListBytes = 16 << 20;
    public long maxListenerBytes = Mailbox.MAX_BYTES;
    public long maxCacheBytes = 16 << 20;
    public Revision oldest = Revision.V2024_11_05;
    public Revision newest = Revision.V2026_07_28;
    public JsonObject experimental = JsonObject.EMPTY;
    public JsonObject extensions = JsonObject.EMPTY;
    public @Nullable List<Root> roots;
    public @Nullable Callable<List<Root>> onRoots;
    public @Nullable UserHandler<Asked<ElicitFormRequest>, Answer<?>> onElicitForm;
    public @Nullable UserHandler<Asked<ElicitUrlRequest>, Answer<?>> onElicitUrl;
    public Mailbox.@Nullable Listener<String> onElicitationComplete;
    public @Nullable UserHandler<CreateMessageRequest, CreateMessageResult> onSample;
    public UserHandler<CreateMessageRequest, CreateMessageRequest> reviewRequest =
            request -> request;
    public UserHandler<Sampled, CreateMessageResult> reviewResult = Sampled::result;
    public boolean sampleTools;
    public boolean sampleContext;
    public @Nullable Tasks tasks;
    public String taskServer = "server";
    public boolean rerunAfterCrash;
    public Mailbox.@Nullable Listener<LoggingMessageNotification> onLog;
    public Mailbox.@Nullable Listener<ListToolsResult> onToolsChanged;
    public Mailbox.@Nullable Listener<ListResourcesResult> onResourcesChanged;
    public Mailbox.@Nullable Listener<ListPromptsResult> onPromptsChanged;
    public Mailbox.@Nullable Listener<String> onResourceUpdated;
    public Mailbox.@Nullable Listener<SessionExpiredException> onNewSession;
    public Mailbox.@Nullable Listener<ConnectionException> onConnectionLost;

    /**
     * The name of the server in the group that owns the client, which connects again by a new
     * client where the server ended; null without a group: it is started again at once where its
     * changes are wanted.
     */
    public @Nullable String member;

    public Map<String, UserHandler<JsonObject, JsonObject>> onRequest = new LinkedHashMap<>();
    public Map<String, Mailbox.Listener<JsonObject>> onNotification = new LinkedHashMap<>();
    public List<Interceptor> outbound = new ArrayList<>();
    public List<Interceptor> inbound = new ArrayList<>();

    public final Failures failures;

    /** A request to the model with its result. */
    public record Sampled(CreateMessageRequest request, CreateMessageResult result) {}

    public ClientSettings(Implementation info, Failures failures) {
        this.info = info;
        this.failures = failures;
    }

    @Override
    public ClientSettings copy() {
        ClientSettings copy = super.copy();
        copy.onRequest = Map.copyOf(onRequest);
        copy.onNotification = Map.copyOf(onNotification);
        copy.outbound = List.copyOf(outbound);
        copy.inbound = List.copyOf(inbound);
        return copy;
    }

    /** All interceptors, each once. */
    public Collection<Interceptor> interceptors() {
        Set<Interceptor> all = Collections.newSetFromMap(new IdentityHashMap<>());
        all.addAll(outbound);
        all.addAll(inbound);
        return all;
    }

    /** Whether a revision is one that this client speaks. */
    public boolean accepts(Revision revision) {
        return revision.isAtLeast(oldest) && newest.isAtLeast(revision);
    }

    /** Whether this client speaks any revision of an era. */
    public boolean speaks(Era era) {
        return Arrays.stream(Revision.values())
                .anyMatch(revision -> revision.era() == era && accepts(revision));
    }

    /** The newest revision whose sessions begin with {@code initialize}. */
    public Revision newestWithHandshake() {
        return newest.era() == Era.HANDSHAKE ? newest : Revision.NEWEST_WITH_HANDSHAKE;
    }

    /**
     * Returns the metadata of this client in each request.
     *
     * @param level the least severe log messages that are wanted; null for none
     * @param tasks whether the server may make a task of the request
     */
    public JsonObject requestMeta(Revision revision, @Nullable LoggingLevel level, boolean tasks) {
        ClientCapabilities able = PerRequestFace.of(revision).limit(capabilities());
        if (able.roots()) {
            able = able.withRoots(new ListCapability(null, JsonObject.EMPTY));
        }
        if (tasks) {
            JsonObject extensions = able.extensions();
            able =
                    able.withExtensions(
                            (extensions == null ? JsonObject.EMPTY : extensions)
                                    .with(TasksExtension.ID, JsonObject.EMPTY));
        }
        return RequestMeta.write(revision.date(), able, withoutClientInfo ? null : info, level);
    }

    /** Returns the capabilities of the handlers that are set. */
    public ClientCapabilities capabilities() {
        return new ClientCapabilities(
                roots == null && onRoots == null ? null : new ListCapability(true),
                onSample == null
                        ? null
                        : new ClientCapabilities.Sampling(
                                declared(sampleContext), declared(sampleTools)),
                elicitation(),
                tasksCapability(),
                experimental.isEmpty() ? null : experimental,
                extensions.isEmpty() ? null : extensions,
                JsonObject.EMPTY);
    }

    private static @Nullable JsonObject declared(boolean capability) {
        return capability ? JsonObject.EMPTY : null;
    }

    /** The questions that the handlers that are set can answer as tasks. */
    public @Nullable TasksCapability tasksCapability() {
        TasksCapability taken = new TasksCapability().listing().cancelling();
        if (onSample != null) {
            taken = taken.taking(Methods.CREATE_MESSAGE.name());
        }
        if (onElicitForm != null || onElicitUrl != null) {
            taken = taken.taking(Methods.ELICIT.name());
        }
        return tasks != null && taken.takesAny() ? taken : null;
    }

    /** Forms alone are the empty object, which servers of every revision understand. */
    private ClientCapabilities.@Nullable Elicitation elicitation() {
        boolean forms = onElicitForm != null;
        boolean urls = onElicitUrl != null;
        return forms || urls
                ? new ClientCapabilities.Elicitation(declared(forms && urls), declared(urls))
                : null;
    }
}
