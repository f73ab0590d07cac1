package dev.fairlead.client.group;

import dev.fairlead.client.ElicitForm;
import dev.fairlead.client.ElicitUrl;
import dev.fairlead.client.ListListener;
import dev.fairlead.client.McpClient;
import dev.fairlead.protocol.Answer;
import dev.fairlead.protocol.CreateMessageRequest;
import dev.fairlead.protocol.CreateMessageResult;
import dev.fairlead.protocol.LoggingLevel;
import dev.fairlead.protocol.LoggingMessageNotification;
import dev.fairlead.protocol.Prompt;
import dev.fairlead.protocol.Resource;
import dev.fairlead.protocol.Root;
import dev.fairlead.protocol.Tool;
import dev.fairlead.protocol.time.Backoff;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * What the builder of a group has collected. Only the builder changes it; a group works on a copy
 * that nobody changes, but for the roots.
 */
final class GroupSettings {
    private static final Duration PING = Duration.ofSeconds(30);

    final String name;
    final String version;
    Consumer<McpClient.Builder> clientDefaults = client -> {};
    Naming naming = Naming.DEFAULT;
    Backoff backoff = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30));
    Duration connectWait = Duration.ofSeconds(10);
    Duration keepLists = Duration.ofSeconds(30);
    Duration listAge = Duration.ofMinutes(1);
    int maxServers = 100;
    @Nullable LoggingLevel level;
    @Nullable GroupHandler<ElicitForm, ? extends Answer<?>> onElicitForm;
    @Nullable GroupHandler<ElicitUrl, ? extends Answer<?>> onElicitUrl;
    @Nullable GroupListener<String> onElicitationComplete;
    @Nullable GroupHandler<CreateMessageRequest, CreateMessageResult> onSample;
    @Nullable GroupRoots onRoots;
    volatile @Nullable List<Root> roots;
    @Nullable GroupListener<LoggingMessageNotification> onLog;
    @Nullable ListListener<List<GroupItem<Tool>>> onToolsChanged;
    @Nullable ListListener<List<GroupItem<Resource>>> onResourcesChanged;
    @Nullable ListListener<List<GroupItem<Prompt>>> onPromptsChanged;
    @Nullable StatusListener onStatus;

    GroupSettings(String name, String version) {
        this.name = Objects.requireNonNull(name, "name");
        this.version = Objects.requireNonNull(version, "version");
    }

    GroupSettings copy() {
        GroupSettings copy = new GroupSettings(name, version);
        copy.clientDefaults = clientDefaults;
        copy.naming = naming;
        copy.backoff = backoff;
        copy.connectWait = connectWait;
        copy.keepLists = keepLists;
        copy.listAge = listAge;
        copy.maxServers = maxServers;
        copy.level = level;
        copy.onElicitForm = onElicitForm;
        copy.onElicitUrl = onElicitUrl;
        copy.onElicitationComplete = onElicitationComplete;
        copy.onSample = onSample;
        copy.onRoots = onRoots;
        copy.roots = roots;
        copy.onLog = onLog;
        copy.onToolsChanged = onToolsChanged;
        copy.onResourcesChanged = onResourcesChanged;
        copy.onPromptsChanged = onPromptsChanged;
        copy.onStatus = onStatus;
        return copy;
    }

    /** The settings of the client for one server. */
    McpClient.Builder client(String server) {
        McpClient.Builder builder = McpClient.named(name, version).keepAlive(PING, 3);
        if (onElicitForm instanceof GroupHandler<ElicitForm, ? extends Answer<?>> handler) {
            builder.onElicitForm(form -> handler.answer(server, form));
        }
        if (onElicitUrl instanceof GroupHandler<ElicitUrl, ? extends Answer<?>> handler) {
            builder.onElicitUrl(link -> handler.answer(server, link));
        }
        if (onElicitationComplete instanceof GroupListener<String> listener) {
            builder.onElicitationComplete(id -> listener.heard(server, id));
        }
        if (onSample instanceof GroupHandler<CreateMessageRequest, CreateMessageResult> handler) {
            builder.onSample(request -> handler.answer(server, request));
        }
        if (onLog instanceof GroupListener<LoggingMessageNotification> listener) {
            builder.onLog(entry -> listener.heard(server, entry));
        }
        if (hasRoots()) {
            builder.onRoots(() -> rootsOf(server));
        }
        clientDefaults.accept(builder);
        return builder;
    }

    boolean hasRoots() {
        return onRoots != null || roots != null;
    }

    private List<Root> rootsOf(String server) throws Exception {
        List<Root> fixed = roots;
        if (fixed != null) {
            return fixed;
        }
        return onRoots == null ? List.of() : onRoots.roots(server);
    }
}
