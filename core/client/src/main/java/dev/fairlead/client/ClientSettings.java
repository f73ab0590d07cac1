package dev.fairlead.client;

import dev.fairlead.client.internal.Mailbox;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.face.PerRequestFace;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.lifecycle.ListCapability;
import dev.fairlead.protocol.lifecycle.TasksCapability;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.options.CopyOnChange;
import dev.fairlead.protocol.prompts.ListPromptsResult;
import dev.fairlead.protocol.resources.ListResourcesResult;
import dev.fairlead.protocol.roots.Root;
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

/**
 * What a builder has collected. Only the builder changes it; a client works on a copy that is never
 * changed.
 */
final class ClientSettings extends CopyOnChange<ClientSettings> {
    /** The version of this library, for clients that name none of their own. */
    static final String VERSION =
            Objects.requireNonNullElse(
                    ClientSettings.class.getPackage().getImplementationVersion(), "0");

    Implementation info;
    boolean withoutClientInfo;
    Duration requestTimeout = Duration.ofSeconds(30);
    Duration maxTotalTimeout = Duration.ofMinutes(10);
    Duration probeTimeout = Duration.ofSeconds(5);
    int maxRounds = 10;
    boolean acceptTasks;
    @Nullable Duration keepAlive;
    int keepAliveFailures;
    boolean lazy;
    boolean lenient;
    boolean failOnExpiredSession;
    int maxPages = 1_000;
    int maxItems = 100_000;
    long maxListBytes = 16 << 20;
    long maxListenerBytes = Mailbox.MAX_BYTES;
    long maxCacheBytes = 16 << 20;
    Revision oldest = Revision.V2024_11_05;
    Revision newest = Revision.V2026_07_28;
    JsonObject experimental = JsonObject.EMPTY;
    @Nullable List<Root> roots;
    @Nullable RootsHandler onRoots;
    @Nullable ElicitFormHandler onElicitForm;
    @Nullable ElicitUrlHandler onElicitUrl;
    @Nullable ElicitationListener onElicitationComplete;
    @Nullable SampleHandler onSample;
    @Nullable SampleReview sampleReview;
    boolean sampleTools;
    boolean sampleContext;
    @Nullable Tasks tasks;
    String taskServer = "server";
    boolean rerunAfterCrash;
    @Nullable LogListener onLog;
    @Nullable ListListener<ListToolsResult> onToolsChanged;
    @Nullable ListListener<ListResourcesResult> onResourcesChanged;
    @Nullable ListListener<ListPromptsResult> onPromptsChanged;
    @Nullable ResourceListener onResourceUpdated;
    @Nullable SessionListener onNewSession;
    @Nullable ConnectionListener onConnectionLost;

    /**
     * The name of the server in the group that owns the client, which connects again by a new
     * client where the server ended; null without a group: it is started again at once where its
     * changes are wanted.
     */
    @Nullable String member;

    Map<String, RequestHandler> onRequest = new LinkedHashMap<>();
    Map<String, NotificationListener> onNotification = new LinkedHashMap<>();
    List<Interceptor> outbound = new ArrayList<>();
    List<Interceptor> inbound = new ArrayList<>();

    ClientSettings(Implementation info) {
        this.info = info;
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
    Collection<Interceptor> interceptors() {
        Set<Interceptor> all = Collections.newSetFromMap(new IdentityHashMap<>());
        all.addAll(outbound);
        all.addAll(inbound);
        return all;
    }

    /** Whether a revision is one that this client speaks. */
    boolean accepts(Revision revision) {
        return revision.isAtLeast(oldest) && newest.isAtLeast(revision);
    }

    /** Whether this client speaks any revision of an era. */
    boolean speaks(Era era) {
        return Arrays.stream(Revision.values())
                .anyMatch(revision -> revision.era() == era && accepts(revision));
    }

    /** The newest revision whose sessions begin with {@code initialize}. */
    Revision newestWithHandshake() {
        return newest.era() == Era.HANDSHAKE ? newest : Revision.NEWEST_WITH_HANDSHAKE;
    }

    /**
     * Returns what each request says of this client.
     *
     * @param level the least severe log messages that are wanted; null for none
     * @param tasks whether the server may make a task of the request
     */
    JsonObject requestMeta(Revision revision, @Nullable LoggingLevel level, boolean tasks) {
        ClientCapabilities able = PerRequestFace.of(revision).limit(capabilities());
        if (able.roots()) {
            able = able.withRoots(new ListCapability());
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

    /** What the handlers that are set can do. */
    ClientCapabilities capabilities() {
        ClientCapabilities capabilities = ClientCapabilities.NONE;
        if (roots != null || onRoots != null) {
            capabilities = capabilities.withRoots(new ListCapability().withListChanged(true));
        }
        if (onSample != null) {
            capabilities =
                    capabilities.withSampling(
                            new ClientCapabilities.Sampling()
                                    .withTools(sampleTools ? JsonObject.EMPTY : null)
                                    .withContext(sampleContext ? JsonObject.EMPTY : null));
        }
        if (onElicitForm != null || onElicitUrl != null) {
            capabilities = capabilities.withElicitation(elicitation());
        }
        TasksCapability taken = tasksCapability();
        if (taken != null) {
            capabilities = capabilities.withTasks(taken);
        }
        return experimental.isEmpty() ? capabilities : capabilities.withExperimental(experimental);
    }

    /** The questions that the handlers that are set can answer as tasks. */
    @Nullable TasksCapability tasksCapability() {
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
    private ClientCapabilities.Elicitation elicitation() {
        ClientCapabilities.Elicitation elicitation = new ClientCapabilities.Elicitation();
        if (onElicitUrl == null) {
            return elicitation;
        }
        return elicitation
                .withUrl(JsonObject.EMPTY)
                .withForm(onElicitForm == null ? null : JsonObject.EMPTY);
    }
}
